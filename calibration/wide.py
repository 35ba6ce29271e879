"""Whether passes from some row count on cost by other rules: engines change kernels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.linear import LinearCosts, solve_costs
from calibration.summary import CellSummary
from calibration.tile import CANDIDATE_TILES, CLEARLY_BETTER, DENSE_UP_TO, LEAST_GAIN


@dataclass(frozen=True, slots=True)
class WideEvidence:
    """How well costs fit when wide passes start at `wide_rows` rows (None: nowhere).

    `error` is the mean absolute relative error over the fitted cells of more than 32 rows.
    """

    wide_rows: int | None
    error: float


def find_wide_rows(
    fitted: Sequence[CellSummary], reference_tokens: int, noise: float
) -> tuple[LinearCosts, tuple[WideEvidence, ...]]:
    """The costs with the start of wide passes that explains `fitted` best, and the evidence for each start.

    Rule: nowhere, unless the best start at least halves the error without one and gains more than `noise`,
    by which a cell's median is off itself (a fraction), and than LEAST_GAIN. Starts are the fitted row counts above
    32 that are whole tiles of any tile and have another such count above them. What tells them apart is how the cost
    of one row count grows with context.
    """
    solutions = [solve_costs(fitted, reference_tokens, start) for start in (None, *_starts(fitted))]
    evidence = tuple(WideEvidence(each.wide_rows, _error(fitted, each)) for each in solutions)
    best = min(range(len(evidence)), key=lambda i: evidence[i].error)
    nowhere, gain = evidence[0].error, evidence[0].error - evidence[best].error
    clear = evidence[best].error <= CLEARLY_BETTER * nowhere and gain > max(noise, LEAST_GAIN)
    return solutions[best if clear else 0], evidence


def _starts(fitted: Sequence[CellSummary]) -> list[int]:
    counts = sorted({summary.cell.rows for summary in fitted})
    whole = [count for count in counts if count > DENSE_UP_TO and count % CANDIDATE_TILES[-1] == 0]
    return whole[:-1]


def _error(fitted: Sequence[CellSummary], costs: LinearCosts) -> float:
    sizes = [abs(r) for each, r in zip(fitted, costs.residuals, strict=True) if each.cell.rows > DENSE_UP_TO]
    return float(np.mean(sizes)) if sizes else 0.0
