"""One robust number per cell out of its repeats."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from calibration.measurement import Sample
from calibration.plan import Cell

DISTURBED = 1.5
"""A repeat that took so many times its cell's median was disturbed from outside, and says nothing about the machine."""


@dataclass(frozen=True, slots=True)
class CellSummary:
    """A cell's repeats: their median in milliseconds, what to expect of a pass like them, and how much they vary.

    Times have a tail on the slow side, and a call is a sum of passes, so that medians would add up to too little.
    `expected_ms` is the median times the mean of all undisturbed samples over their own medians: few repeats tell a
    median, and all cells together tell the tail.

    `spread` is the mean absolute deviation from the median as a fraction of it: the error, in the same
    measure, of somebody who predicts each repeat by the cell's own median.
    """

    cell: Cell
    median_ms: float
    expected_ms: float
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
    tail = _tail([ms / median for each in times.values() for median in [float(np.median(each))] for ms in each])
    return tuple(_summary(cell, times[cell], tail) for cell in in_order)


def _tail(ratios: list[float]) -> float:
    """The mean of the undisturbed `ratios` of samples over their cells' medians."""
    return float(np.mean([ratio for ratio in ratios if ratio <= DISTURBED])) if ratios else 1.0


def _summary(cell: Cell, times_ms: list[float], tail: float) -> CellSummary:
    median = float(np.median(times_ms))
    spread = float(np.mean(np.abs(np.asarray(times_ms) - median))) / median
    return CellSummary(cell, median, median * tail, spread, len(times_ms))
