"""A measurement fitted, and how the fit is shown."""

from dataclasses import dataclass

import polars as pl

from calibration import Measurement
from calibration.fit import FitResult
from calibration.fit import fit as fit_table
from calibration.fit_report import FitReport, fitted_profile, report_fit
from cost_models import ErrorSummary, Profile
from studies.text_table import Table, ms_cell, number_cell

ERROR_HEADERS = ("passes", "cells", "mean error %", "median %", "P90 %", "worst %", "bias %")
ROW_HEADERS = ("rows", "cells", "measured ms", "predicted ms", "error %", "bias %", "machine spread %")


@dataclass(frozen=True, slots=True)
class Fitted:
    """A measurement, the fit of it, and the profile that it makes."""

    measurement: Measurement
    result: FitResult
    report: FitReport
    profile: Profile


def fit_measurement(measurement: Measurement, name: str) -> Fitted:
    """Fit a cost table to `measurement`; raises InputError where it holds too little."""
    result = fit_table(measurement)
    return Fitted(measurement, result, report_fit(result), fitted_profile(name, measurement, result))


def error_table(fitted: Fitted) -> Table:
    """The fit's error on the cells that it did not see and on those that it did."""
    summary = fitted.report.summary
    rows = (_error_row("held out", summary.held_out), _error_row("fitted", summary.in_sample))
    return Table(ERROR_HEADERS, rows)


def held_out_table(fitted: Fitted) -> Table:
    """The error on the held-out cells, a row per number of rows."""
    rows = tuple(
        (
            str(report.rows),
            str(report.cells),
            ms_cell(report.measured_ms),
            ms_cell(report.predicted_ms),
            _percent(report.mean_error),
            _percent(report.bias, sign="+"),
            _percent(report.spread),
        )
        for report in fitted.report.row_reports
        if report.held_out
    )
    return Table(ROW_HEADERS, rows)


def fit_sentences(fitted: Fitted) -> str:
    """What the fit found, in words."""
    table = fitted.profile.table
    tile = (
        "no saw-tooth over rows"
        if table.tile_rows == 1
        else f"a saw-tooth of {table.tile_rows} rows ({table.remainder_ms:.1f} ms per row beyond whole tiles)"
    )
    return (
        f"One row costs {table.row_ms[0]:.2f} ms at {table.reference_tokens} tokens of context, each further pick "
        f"{table.pick_ms:.3f} ms, the host {table.host_ms:.2f} ms per pass; {tile}. "
        f"The machine's own spread from repeat to repeat is {fitted.report.summary.repeat_spread:.1%}."
    )


def cost_cells(fitted: Fitted) -> pl.DataFrame:
    """The cells as the report's cost chart takes them."""
    cells = [*fitted.result.in_sample, *fitted.result.held_out]
    return pl.DataFrame(
        [
            {
                "rows": each.measured.cell.rows,
                "picks": each.measured.cell.picks,
                "context_tokens": each.measured.cell.context_tokens,
                "ms": each.measured.expected_ms,
                "kind": "held out" if each.measured.cell.held_out else "fit",
                "predicted_ms": each.predicted_ms,
            }
            for each in cells
        ]
    )


def _error_row(name: str, errors: ErrorSummary) -> tuple[str, ...]:
    sizes = (errors.mean, errors.median, errors.p90, errors.worst)
    return (name, str(errors.cells), *(_percent(size) for size in sizes), _percent(errors.bias, sign="+"))


def _percent(fraction: float, sign: str = "-") -> str:
    return number_cell(100 * fraction, 1, sign)
