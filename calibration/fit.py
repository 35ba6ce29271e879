"""From a measurement to a cost table: least squares on the fitted cells, checked on the held-out ones.

Needs scipy, so this half of the package stays off the phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.linear import LinearCosts
from calibration.measurement import Measurement
from calibration.summary import CellSummary, summarise_cells
from calibration.tile import TileEvidence, find_tile, remainder_ms
from calibration.wide import WideEvidence, find_wide_rows
from cost_models.table import MeasuredTable
from engine.errors import InputError


@dataclass(frozen=True, slots=True)
class CellFit:
    """A cell as measured and as the fitted table predicts it."""

    measured: CellSummary
    predicted_ms: float

    @property
    def error(self) -> float:
        """Predicted / measured - 1: above zero the prediction is too slow."""
        return self.predicted_ms / self.measured.expected_ms - 1.0


@dataclass(frozen=True, slots=True)
class FitResult:
    """A fitted table, with each cell's error and what spoke for its tile and its wide passes.

    `in_sample` are the cells that the fit saw, `held_out` those that it did not. `repeat_spread` is the
    median over all cells of their own spread.
    """

    table: MeasuredTable
    in_sample: tuple[CellFit, ...]
    held_out: tuple[CellFit, ...]
    tiles: tuple[TileEvidence, ...]
    wides: tuple[WideEvidence, ...]
    repeat_spread: float


def fit(measurement: Measurement) -> FitResult:
    """Fit a MeasuredTable to the cells of `measurement` that are not held out.

    Each cell counts once, by the time that its repeats lead to expect (`calibration.summary`). The costs of the
    fitted row counts at the reference context (the median of the fitted cells'), and the slopes for picks and
    context, solve one non-negative least squares problem in relative errors (`calibration.linear`), once for each
    row count that wide passes could start at (`calibration.wide`). The tile then follows from the row costs
    (`calibration.tile`), the host time is a robust mean of its samples, or 0. Raises InputError where the
    measurement has no fitted one-row cell or fewer than two row counts.
    """
    summaries = summarise_cells(measurement.samples)
    fitted = [summary for summary in summaries if not summary.cell.held_out]
    _check(fitted)
    spread = float(np.median([summary.spread for summary in summaries]))
    reference = round(float(np.median([summary.cell.context_tokens for summary in fitted])))
    noise = float(np.median([summary.noise for summary in summaries]))
    linear, wides = find_wide_rows(fitted, reference, noise)
    tile, tiles = find_tile(linear.narrow_counts, linear.narrow_ms, noise)
    table = _table(linear, fitted, reference, tile, measurement.host_samples_ms)
    cell_fits = [_cell_fit(table, summary) for summary in summaries]
    return FitResult(
        table=table,
        in_sample=tuple(each for each in cell_fits if not each.measured.cell.held_out),
        held_out=tuple(each for each in cell_fits if each.measured.cell.held_out),
        tiles=tiles,
        wides=wides,
        repeat_spread=spread,
    )


def _check(fitted: Sequence[CellSummary]) -> None:
    counts = sorted({summary.cell.rows for summary in fitted})
    if len(counts) < 2 or counts[0] != 1:
        raise InputError(f"a fit needs cells of 1 row and of more that are not held out; row counts: {counts}")


def _table(
    linear: LinearCosts,
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
        remainder_ms=remainder_ms(linear.narrow_counts, linear.narrow_ms, tile),
        pick_ms=linear.pick_ms,
        context_ms=linear.context_ms,
        row_context_ms=linear.row_context_ms,
        wide_rows=linear.wide_rows,
        wide_row_context_ms=linear.wide_row_context_ms,
        host_ms=_host_ms(host_samples_ms),
    )


def _host_ms(samples_ms: Sequence[float]) -> float:
    """The mean, since a call is a sum of passes; a sample that was disturbed from outside counts as ten medians."""
    return float(np.minimum(samples_ms, 10 * np.median(samples_ms)).mean()) if samples_ms else 0.0


def _cell_fit(table: MeasuredTable, summary: CellSummary) -> CellFit:
    cell = summary.cell
    return CellFit(summary, table.pass_ms(cell.rows, cell.picks, cell.context_tokens))
