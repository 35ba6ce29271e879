"""One robust number per cell out of its repeats."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from calibration.measurement import Sample
from calibration.plan import Cell


@dataclass(frozen=True, slots=True)
class CellSummary:
    """A cell's median over its repeats in milliseconds, and how much they vary.

    `spread` is the mean absolute deviation from the median as a fraction of it: the error, in the same
    measure, of somebody who predicts each repeat by the cell's own median.
    """

    cell: Cell
    median_ms: float
    spread: float
    repeats: int

    @property
    def noise(self) -> float:
        """About how far the median itself is from the truth, as a fraction of it."""
        return self.spread / sqrt(self.repeats)


def summarise_cells(samples: Iterable[Sample]) -> tuple[CellSummary, ...]:
    """The cells of `samples`, by rows, then context, then picks."""
    times: defaultdict[Cell, list[float]] = defaultdict(list)
    for sample in samples:
        times[Cell(sample.rows, sample.picks, sample.context_tokens, sample.held_out)].append(sample.ms)
    in_order = sorted(times, key=lambda cell: (cell.rows, cell.context_tokens, cell.picks, cell.held_out))
    return tuple(_summary(cell, times[cell]) for cell in in_order)


def _summary(cell: Cell, times_ms: list[float]) -> CellSummary:
    median = float(np.median(times_ms))
    spread = float(np.mean(np.abs(np.asarray(times_ms) - median))) / median
    return CellSummary(cell, median, spread, len(times_ms))
