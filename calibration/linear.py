"""Cells as linear equations in a table's unknowns, and their robust solution."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from calibration.plan import Cell
from calibration.summary import CellSummary
from cost_models.protocol import FloatArray

HUBER = 1.345
MAD_TO_SIGMA = 1.4826
EXACT = 1e-9
"""Residuals below this are rounding, not noise."""
ROUNDS = 20


@dataclass(frozen=True, slots=True)
class LinearCosts:
    """What costs are linear in: names, units and `wide_rows` as in MeasuredTable.

    `residuals`, shape (cells,), are predicted / measured - 1 in the order of the cells that were solved for.
    """

    row_counts: tuple[int, ...]
    row_ms: tuple[float, ...]
    pick_ms: float
    context_ms: float
    row_context_ms: float
    wide_row_context_ms: float
    wide_rows: int | None
    residuals: tuple[float, ...]

    @property
    def narrow_counts(self) -> tuple[int, ...]:
        """The row counts below `wide_rows`."""
        return tuple(count for count in self.row_counts if self.wide_rows is None or count < self.wide_rows)

    @property
    def narrow_ms(self) -> tuple[float, ...]:
        """The costs of `narrow_counts`."""
        return self.row_ms[: len(self.narrow_counts)]


def solve_costs(cells: Sequence[CellSummary], reference_tokens: int, wide_rows: int | None) -> LinearCosts:
    """The non-negative costs with the least squared relative errors, disturbed cells counting less."""
    counts = tuple(sorted({summary.cell.rows for summary in cells}))
    design = np.array([_equation(each.cell, counts, reference_tokens, wide_rows) for each in cells])
    # Dividing each equation by its measured time makes its residual a relative error.
    relative = design / np.array([[summary.expected_ms] for summary in cells])
    solution = _solve(relative)
    residuals = tuple((relative @ solution - 1.0).tolist())
    pick_ms, context_ms, row_context_ms, wide_row_context_ms = solution[len(counts) :].tolist()
    return LinearCosts(
        row_counts=counts,
        row_ms=tuple(solution[: len(counts)].tolist()),
        pick_ms=pick_ms,
        context_ms=context_ms,
        row_context_ms=row_context_ms,
        wide_row_context_ms=wide_row_context_ms,
        wide_rows=wide_rows,
        residuals=residuals,
    )


def _equation(cell: Cell, counts: Sequence[int], reference_tokens: int, wide_rows: int | None) -> list[float]:
    """A cell's coefficients: one per row count, then the slopes in the order of LinearCosts."""
    beyond = cell.context_tokens - reference_tokens
    per_row = cell.rows * beyond
    is_wide = wide_rows is not None and cell.rows >= wide_rows
    of_rows = (float(cell.rows == count) for count in counts)
    return [*of_rows, cell.picks - 1.0, beyond, 0.0 if is_wide else per_row, per_row if is_wide else 0.0]


def _solve(relative: FloatArray) -> FloatArray:
    """Non-negative x for `relative @ x = 1`, with Huber's weights against disturbed cells.

    Iteratively reweighted: an equation whose residual exceeds `HUBER` robust standard deviations counts in
    proportion less (P. J. Huber, Robust Statistics, section 7.8).
    """
    weights = np.ones(len(relative))
    for _ in range(ROUNDS):
        solution = _weighted_nnls(relative, weights)
        residuals = np.abs(relative @ solution - 1.0)
        limit = HUBER * max(MAD_TO_SIGMA * float(np.median(residuals)), EXACT)
        weights = np.sqrt(limit / np.maximum(residuals, limit))
    return solution


def _weighted_nnls(relative: FloatArray, weights: FloatArray) -> FloatArray:
    equations = relative * weights[:, np.newaxis]
    # Columns are scaled, since their units differ by thousands.
    norms = np.linalg.norm(equations, axis=0)
    scale = np.where(norms > 0, norms, 1.0)
    solution, _ = nnls(equations / scale, weights)
    return np.asarray(solution / scale, dtype=np.float64)
