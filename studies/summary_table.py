"""The one table that a study comes down to: a row per schedule."""

from studies.comparison import Comparison, ScheduleComparison
from studies.text_table import MISSING, Table, ms_cell, number_cell

HEADERS = (
    ("schedule",),
    ("tool start\nms",),
    ("predicted\nms", "tool start\npredicted ms"),
    ("bias\n%",),
    ("error per call\nmedian %",),
    ("\nP90 %",),
    ("machine\nspread %",),
    ("speed-up\nmeasured",),
    ("\npredicted", "speed-up\npredicted"),
    ("final call\nms",),
    ("predicted\nms", "final call\npredicted ms"),
    ("passes\nper call",),
    ("same call as\n{baseline}",),
    ("right calls %\n(95 % interval)",),
)
"""Each column's header, and the one to show where the column before is left out."""


TIMELESS = ("schedule", "passes\nper call", "same call as\n{baseline}", "right calls %\n(95 % interval)")
"""The columns that mean the same on a machine that was busy."""


def summary_table(comparison: Comparison, with_times: bool = True) -> Table:
    """Latency to tool start measured and predicted, its error beside the machine's spread, passes, right calls.

    Columns of which no schedule has anything are left out, and those with times unless `with_times`.
    """
    rows = [_row(schedule) for schedule in comparison.schedules]
    shown = [column for column, names in enumerate(HEADERS) if with_times or names[0] in TIMELESS]
    kept = [column for column in shown if any(row[column] != MISSING for row in rows)]
    headers = (HEADERS[column][0 if column - 1 in kept else -1] for column in kept)
    return Table(
        tuple(header.format(baseline=comparison.baseline) for header in headers),
        tuple(tuple(row[column] for column in kept) for row in rows),
    )


def _row(schedule: ScheduleComparison) -> tuple[str, ...]:
    start, final = schedule.tool_start_ms, schedule.final_ms
    speedup, passes = schedule.tool_start_speedup, schedule.passes_per_call
    count = passes.predicted if passes.measured is None else passes.measured
    return (
        schedule.schedule,
        ms_cell(start.measured),
        ms_cell(start.predicted),
        number_cell(start.bias_percent, 1, sign="+"),
        number_cell(start.errors.median_percent if start.errors else None, 1),
        number_cell(start.errors.p90_percent if start.errors else None, 1),
        number_cell(start.spread_percent, 1),
        _ratio(speedup.measured),
        _ratio(speedup.predicted),
        ms_cell(final.measured),
        ms_cell(final.predicted),
        number_cell(count, 1),
        MISSING if schedule.equal_calls is None else str(schedule.equal_calls),
        MISSING if schedule.right_calls is None else str(schedule.right_calls),
    )


def _ratio(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2f}x"
