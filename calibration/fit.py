"""From a measurement to a cost table: least squares on the fitted cells, checked on the held-out ones.

Needs scipy, so this half of the package stays off the phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from calibration.measurement import Measurement
from calibration.plan import Cell
from calibration.summary import CellSummary, summarise_cells
from calibration.tile import TileEvidence, find_tile, remainder_ms
from cost_models.protocol import FloatArray
from cost_models.table import MeasuredTable
from engine.errors import InputError

HUBER = 1.345
MAD_TO_SIGMA = 1.4826
EXACT = 1e-9
"""Residuals below this are rounding, not noise."""
ROUNDS = 20


@dataclass(frozen=True, slots=True)
class CellFit:
    """A cell as measured and as the fitted table predicts it."""

    measured: CellSummary
    predicted_ms: float

    @property
    def error(self) -> float:
        """Predicted / measured - 1: above zero the prediction is too slow."""
        return self.predicted_ms / self.measured.median_ms - 1.0


@dataclass(frozen=True, slots=True)
class FitResult:
    """A fitted table, with each cell's error and what spoke for its tile.

    `in_sample` are the cells that the fit saw, `held_out` those that it did not. `repeat_spread` is the
    median over all cells of their own spread.
    """

    table: MeasuredTable
    in_sample: tuple[CellFit, ...]
    held_out: tuple[CellFit, ...]
    tiles: tuple[TileEvidence, ...]
    repeat_spread: float


@dataclass(frozen=True, slots=True)
class _Linear:
    """The unknowns that costs are linear in; slopes as in MeasuredTable."""

    row_counts: tuple[int, ...]
    row_ms: tuple[float, ...]
    pick_ms: float
    context_ms: float
    row_context_ms: float


def fit(measurement: Measurement) -> FitResult:
    """Fit a MeasuredTable to the cells of `measurement` that are not held out.

    Each cell counts once, by the median of its repeats. The costs of the fitted row counts at the reference
    context (the median of the fitted cells'), `pick_ms`, `context_ms` and `row_context_ms` solve one
    non-negative linear least squares problem in relative errors. The tile then follows from the row costs
    (`calibration.tile`), the host time is the median of its samples, or 0. Raises InputError where the
    measurement has no fitted one-row cell or fewer than two row counts.
    """
    summaries = summarise_cells(measurement.samples)
    fitted = [summary for summary in summaries if not summary.cell.held_out]
    _check(fitted)
    spread = float(np.median([summary.spread for summary in summaries]))
    reference = round(float(np.median([summary.cell.context_tokens for summary in fitted])))
    linear = _least_squares(fitted, reference)
    tile, evidence = find_tile(linear.row_counts, linear.row_ms, spread)
    table = _table(linear, fitted, reference, tile, measurement.host_samples_ms)
    cell_fits = [_cell_fit(table, summary) for summary in summaries]
    return FitResult(
        table=table,
        in_sample=tuple(each for each in cell_fits if not each.measured.cell.held_out),
        held_out=tuple(each for each in cell_fits if each.measured.cell.held_out),
        tiles=evidence,
        repeat_spread=spread,
    )


def _check(fitted: Sequence[CellSummary]) -> None:
    counts = sorted({summary.cell.rows for summary in fitted})
    if len(counts) < 2 or counts[0] != 1:
        raise InputError(
            f"a fit needs cells of 1 row and of more that are not held out; row counts: {counts}"
        )


def _least_squares(fitted: Sequence[CellSummary], reference: int) -> _Linear:
    counts = tuple(sorted({summary.cell.rows for summary in fitted}))
    design = np.array([_equation(summary.cell, counts, reference) for summary in fitted])
    # Dividing each equation by its measured time makes its residual a relative error.
    relative = design / np.array([[summary.median_ms] for summary in fitted])
    solution = _solve(relative)
    pick_ms, context_ms, row_context_ms = (float(x) for x in solution[len(counts) :])
    return _Linear(counts, tuple(solution[: len(counts)].tolist()), pick_ms, context_ms, row_context_ms)


def _equation(cell: Cell, counts: Sequence[int], reference: int) -> list[float]:
    """A cell's coefficients: one per row count, then pick_ms, context_ms, row_context_ms."""
    beyond = cell.context_tokens - reference
    return [*(float(cell.rows == count) for count in counts), cell.picks - 1.0, beyond, cell.rows * beyond]


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


def _table(
    linear: _Linear,
    fitted: Sequence[CellSummary],
    reference: int,
    tile: int,
    host_samples_ms: Sequence[float],
) -> MeasuredTable:
    contexts = [summary.cell.context_tokens for summary in fitted]
    return MeasuredTable(
        row_counts=linear.row_counts,
        row_ms=linear.row_ms,
        reference_tokens=reference,
        context_range_tokens=(min(contexts), max(contexts)),
        max_picks=max(1, *(summary.cell.picks for summary in fitted)),
        tile_rows=tile,
        remainder_ms=remainder_ms(linear.row_counts, linear.row_ms, tile),
        pick_ms=linear.pick_ms,
        context_ms=linear.context_ms,
        row_context_ms=linear.row_context_ms,
        host_ms=float(np.median(host_samples_ms)) if host_samples_ms else 0.0,
    )


def _cell_fit(table: MeasuredTable, summary: CellSummary) -> CellFit:
    cell = summary.cell
    return CellFit(summary, table.pass_ms(cell.rows, cell.picks, cell.context_tokens))
