"""What the phases of schedules come to, call by call, and in the mean over draws of calls."""

import numpy as np

from cost_models import CostModel
from cost_models.protocol import BoolArray, FloatArray, NumberArray
from engine.commands import Phase
from sim.distinct_passes import IntArray
from sim.pass_table import PHASES, PassTable

Draws = IntArray
"""Numbers of calls, shape (draws, calls)."""


def of_phase(table: PassTable, phase: Phase) -> BoolArray:
    """Which passes run for `phase`, shape (passes,)."""
    return np.asarray(table.phases == PHASES.index(phase))


def first_of_phase(table: PassTable, phase: Phase) -> BoolArray:
    """Which passes are their run's first for `phase`, shape (passes,)."""
    is_first = np.zeros(len(table.runs), dtype=np.bool_)
    places = np.flatnonzero(of_phase(table, phase))
    is_first[places[np.unique(table.runs[places], return_index=True)[1]]] = True
    return is_first


def call_sums(table: PassTable, is_counted: BoolArray, numbers: NumberArray | None = None) -> FloatArray:
    """By call, shape (runs,): how many of its passes count, or the sum of their `numbers`, shape (passes,).

    Passes behind the call's last emission are among them, such as a write-back that no optional argument follows.
    """
    weights = None if numbers is None else np.asarray(numbers, dtype=np.float64)[is_counted]
    return np.bincount(table.runs[is_counted], weights, table.run_count).astype(np.float64)


def passes_ms(table: PassTable, cost: CostModel) -> FloatArray:
    """Milliseconds of each pass with the host's time before it, shape (passes,)."""
    kinds = table.distinct
    kinds_ms = cost.pass_ms(kinds.rows, kinds.picks, kinds.context_tokens) + cost.host_ms
    return np.asarray(kinds_ms[kinds.kinds])


def means_within(numbers: FloatArray, within: BoolArray, draws: Draws) -> FloatArray:
    """The mean over those of each draw's calls that are `within`, shape (draws,), of a number per call.

    Draws that have none of them are left out.
    """
    sums, counts = (numbers * within)[draws].sum(axis=1), within[draws].sum(axis=1)
    return np.asarray(sums[counts > 0] / counts[counts > 0])


def geometric_means_within(numbers: FloatArray, within: BoolArray, draws: Draws) -> FloatArray:
    """The geometric mean over the same calls, of a number per call that is positive in those."""
    return np.asarray(np.exp(means_within(np.log(np.where(within, numbers, 1.0)), within, draws)))
