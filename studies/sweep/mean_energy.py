"""The energy of a call: the mean over many."""

from dataclasses import dataclass

import numpy as np

from cost_models.energy import Energy
from cost_models.protocol import BoolArray
from sim.pass_table import PassTable


@dataclass(frozen=True, slots=True)
class MeanEnergy:
    """Joules of a call from the prompt's end on, the arithmetic mean over calls, by supply rail."""

    cpu_j: float
    memory_j: float

    @property
    def total_j(self) -> float:
        """Those of both rails."""
        return self.cpu_j + self.memory_j


def mean_energy(table: PassTable, counted: BoolArray, runs: int, of_kinds: Energy) -> MeanEnergy:
    """The `counted` passes', shape (passes,), of so many runs; `of_kinds` has the energy of each kind of pass."""
    kinds = np.bincount(table.distinct.kinds[counted], minlength=len(table.distinct.rows))
    return MeanEnergy(*(float(kinds @ each) / runs for each in (of_kinds.cpu_j, of_kinds.memory_j)))
