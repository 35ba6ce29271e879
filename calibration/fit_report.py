"""How good a fit is: numbers for a profile, tables for a reader."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from calibration.fit import CellFit, FitResult
from calibration.measurement import Measurement
from cost_models.fit_summary import ErrorSummary, FitSummary
from cost_models.profile import Profile

ROW_COLUMNS = ("rows", "set", "cells", "measured_ms", "predicted_ms", "mean_error", "bias", "spread")
_HEAD = "{:>5} {:<8} {:>5} {:>11} {:>12} {:>10} {:>7} {:>7}".format(*ROW_COLUMNS)


@dataclass(frozen=True, slots=True)
class RowReport:
    """The cells of one row count and set together; fields as in `ROW_COLUMNS`.

    Times are means over the cells in milliseconds; errors and spread are fractions.
    """

    rows: int
    held_out: bool
    cells: int
    measured_ms: float
    predicted_ms: float
    mean_error: float
    bias: float
    spread: float

    def as_tuple(self) -> tuple[int, str, int, float, float, float, float, float]:
        """The values in the order of `ROW_COLUMNS`."""
        kind = "held out" if self.held_out else "fitted"
        times = (self.measured_ms, self.predicted_ms)
        return (self.rows, kind, self.cells, *times, self.mean_error, self.bias, self.spread)


@dataclass(frozen=True, slots=True)
class FitReport:
    """A fit's errors: in all, per row count, and at the worst held-out cell (None where there is none)."""

    summary: FitSummary
    row_reports: tuple[RowReport, ...]
    worst_held_out: CellFit | None

    @property
    def rows(self) -> list[tuple[int, str, int, float, float, float, float, float]]:
        """A table's body, in the order of `ROW_COLUMNS`."""
        return [report.as_tuple() for report in self.row_reports]

    @property
    def figures(self) -> dict[str, float]:
        """The summary as flat names and numbers; errors are fractions."""
        sets = {"held_out": self.summary.held_out, "in_sample": self.summary.in_sample}
        names = ("cells", "mean", "median", "p90", "worst", "bias")
        flat = {f"{kind}_{name}": float(getattr(errors, name)) for kind, errors in sets.items() for name in names}
        return {**flat, "repeat_spread": self.summary.repeat_spread}

    def lines(self) -> list[str]:
        """The report as lines of plain text."""
        return [_HEAD, *(_body_line(report) for report in self.row_reports), *self._closing_lines()]

    def _closing_lines(self) -> list[str]:
        spread = f"device against itself, median cell: {self.summary.repeat_spread:.1%}"
        lines = [_line("held out", self.summary.held_out), _line("fitted", self.summary.in_sample), spread]
        if self.worst_held_out is not None:
            cell = self.worst_held_out.measured.cell
            where = f"{cell.rows} rows, {cell.picks} picks, {cell.context_tokens} tokens"
            lines.append(f"worst held-out cell: {where}: {self.worst_held_out.error:+.1%}")
        return lines


def report_fit(result: FitResult) -> FitReport:
    """The report on `result`."""
    summary = FitSummary(
        held_out=summarise_errors([each.error for each in result.held_out]),
        in_sample=summarise_errors([each.error for each in result.in_sample]),
        repeat_spread=result.repeat_spread,
    )
    worst = max(result.held_out, key=lambda each: abs(each.error), default=None)
    return FitReport(summary, _row_reports((*result.in_sample, *result.held_out)), worst)


def fitted_profile(name: str, measurement: Measurement, result: FitResult, notes: str = "") -> Profile:
    """The device profile of a measurement and its fit."""
    summary = report_fit(result).summary
    return Profile(name=name, provenance=measurement.provenance, table=result.table, fit=summary, notes=notes)


def summarise_errors(errors: Sequence[float]) -> ErrorSummary:
    """The summary of relative errors (fractions); all zeros for none."""
    if not errors:
        return ErrorSummary(cells=0, mean=0.0, median=0.0, p90=0.0, worst=0.0, bias=0.0)
    sizes = np.abs(errors)
    return ErrorSummary(
        cells=len(errors),
        mean=float(np.mean(sizes)),
        median=float(np.median(sizes)),
        p90=float(np.percentile(sizes, 90)),
        worst=float(np.max(sizes)),
        bias=float(np.mean(errors)),
    )


def _row_reports(cell_fits: Iterable[CellFit]) -> tuple[RowReport, ...]:
    in_order = sorted(cell_fits, key=_row_and_set)
    return tuple(_row_report(*key, list(group)) for key, group in groupby(in_order, key=_row_and_set))


def _row_and_set(each: CellFit) -> tuple[int, bool]:
    return each.measured.cell.rows, each.measured.cell.held_out


def _row_report(rows: int, held_out: bool, group: list[CellFit]) -> RowReport:
    errors = summarise_errors([each.error for each in group])
    return RowReport(
        rows=rows,
        held_out=held_out,
        cells=len(group),
        measured_ms=float(np.mean([each.measured.expected_ms for each in group])),
        predicted_ms=float(np.mean([each.predicted_ms for each in group])),
        mean_error=errors.mean,
        bias=errors.bias,
        spread=float(np.median([each.measured.spread for each in group])),
    )


def _body_line(report: RowReport) -> str:
    rows, kind, cells, measured, predicted, error, bias, spread = report.as_tuple()
    times = f"{measured:11.2f} {predicted:12.2f}"
    return f"{rows:5d} {kind:<8} {cells:5d} {times} {error:10.1%} {bias:+7.1%} {spread:7.1%}"


def _line(name: str, errors: ErrorSummary) -> str:
    sizes = f"mean {errors.mean:.1%}, median {errors.median:.1%}, P90 {errors.p90:.1%}, worst {errors.worst:.1%}"
    return f"{name}: {errors.cells} cells, error {sizes}, bias {errors.bias:+.1%}"
