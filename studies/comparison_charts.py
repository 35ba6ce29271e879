"""The charts of a comparison: latencies, predictions call by call, and phases."""

from collections.abc import Iterable, Iterator, Sequence

import altair as alt

from engine.commands import Phase
from engine.records import MEASURED
from studies.call_parts import PartComparison
from studies.chart_colours import (
    PHASE_COLOURS,
    PREDICTED,
    SOURCE_COLOURS,
    named_colours,
    part_colour,
    part_label,
    schedule_colour,
)
from studies.chart_style import (
    INK,
    QUIET_INK,
    SQUARE_PX,
    LogRange,
    Row,
    inline_data,
    name_axis,
    styled,
    tip,
    x_axis,
    y_axis,
)
from studies.comparison import CallComparison, Comparison, Latency, ScheduleComparison
from studies.text_table import ms_cell

BAND = 0.1
"""Half the width of the band around equality, as a share of the measured latency."""

BAR_PX = 24


def latency_chart(comparison: Comparison, latency: Latency) -> alt.LayerChart:
    """Bars of one latency per schedule, measured above predicted, with the machine's spread."""
    rows = [row for item in comparison.schedules for row in _latency_rows(item, latency)]
    bars = _side_by_side(rows, comparison)
    tips = [
        tip("schedule", "schedule"),
        tip("source", "source"),
        tip("ms", "latency (ms)", ",.1f"),
        tip("speedup", f"speed-up over {comparison.baseline}", ".2f"),
        tip("spread", "spread from repeat to repeat (%)", ".1f"),
    ]
    x = _bar_x(f"latency to {latency}, geometric mean (ms)", rows)
    filled = bars.mark_bar().encode(x=x, color=_source_colour(), tooltip=tips)
    whiskers = bars.mark_rule(color="#d1495b", strokeWidth=2).encode(x="low_ms:Q", x2="high_ms:Q")
    return styled([filled, whiskers, _end_labels(bars, "high_ms")], _bars_height(comparison))


def prediction_chart(comparison: Comparison) -> alt.LayerChart:
    """Predicted over measured latency to tool start: a point per call and schedule, and equality."""
    rows = [_call_row(call) for call in comparison.calls]
    ends = LogRange.around(row[name] for row in rows for name in ("low_ms", "high_ms", "predicted_ms"))
    x_title, y_title = (f"{source} latency to tool start (ms)" for source in SOURCE_COLOURS)
    points = alt.Chart(inline_data(rows)).encode(
        y=y_axis("predicted_ms", y_title, ends), color=schedule_colour([item.schedule for item in comparison.schedules])
    )
    tips = [
        tip("call", "call"),
        tip("schedule", "schedule"),
        tip("measured_ms", "measured, median (ms)", ",.1f"),
        tip("low_ms", "measured, lowest (ms)", ",.1f"),
        tip("high_ms", "measured, highest (ms)", ",.1f"),
        tip("predicted_ms", "predicted (ms)", ",.1f"),
        tip("error_percent", "error (%)", "+.1f"),
    ]
    dots = points.mark_circle(size=70, opacity=0.85).encode(x=x_axis("measured_ms", x_title, ends), tooltip=tips)
    whiskers = points.mark_rule(opacity=0.5).encode(x=x_axis("low_ms", x_title, ends), x2="high_ms:Q")
    return styled([*_equality(ends, x_title, y_title), whiskers, dots], SQUARE_PX)


def phase_chart(comparison: Comparison) -> alt.LayerChart:
    """Stacked bars of the mean time per call by phase, without the prompt, measured above predicted."""
    rows = [row for part in comparison.parts if part.part != Phase.PROMPT for row in _part_rows(part)]
    tips = [
        tip("schedule", "schedule"),
        tip("source", "source"),
        tip("part", "phase"),
        tip("ms", "mean time per call (ms)", ",.1f"),
    ]
    totals = _totals(rows)
    x = _bar_x("mean time per call after the prompt (ms)", totals)
    stacks = _side_by_side(rows, comparison).mark_bar(stroke="white", strokeWidth=0.6)
    stacks = stacks.encode(x=x, color=part_colour(rows), opacity=_source_opacity(), order="order:Q", tooltip=tips)
    labels = _end_labels(_side_by_side(totals, comparison), "ms")
    return styled([stacks, labels], _bars_height(comparison))


def _latency_rows(item: ScheduleComparison, latency: Latency) -> Iterator[Row]:
    is_start = latency == "tool start"
    time_ms = item.tool_start_ms if is_start else item.final_ms
    speedup = item.tool_start_speedup if is_start else item.final_speedup
    spread = time_ms.spread_percent
    if time_ms.measured is not None:
        yield _latency_row(item.schedule, MEASURED, time_ms.measured, speedup.measured, spread)
    if time_ms.predicted is not None:
        yield _latency_row(item.schedule, PREDICTED, time_ms.predicted, speedup.predicted, None)


def _latency_row(schedule: str, source: str, ms: float, speedup: float | None, spread: float | None) -> Row:
    half_ms = ms * (spread or 0.0) / 100
    row: Row = {"schedule": schedule, "source": source, "ms": ms, "speedup": speedup, "spread": spread}
    return row | {"low_ms": max(0.0, ms - half_ms), "high_ms": ms + half_ms, "label": f"{ms_cell(ms)} ms"}


def _call_row(call: CallComparison) -> Row:
    return {
        "call": call.call_id,
        "schedule": call.schedule,
        "measured_ms": call.measured_ms,
        "low_ms": call.measured_low_ms,
        "high_ms": call.measured_high_ms,
        "predicted_ms": call.predicted_ms,
        "error_percent": call.error_percent,
    }


def _part_rows(part: PartComparison) -> Iterator[Row]:
    times = {MEASURED: part.time_ms.measured, PREDICTED: part.time_ms.predicted}
    order = list(PHASE_COLOURS).index(part.part)
    for source, ms in times.items():
        # A bar cannot be shorter than nothing; clocks that disagree by a hair can make the rest negative.
        if ms is not None and ms > 0:
            name = part_label(part.part)
            yield {"schedule": part.schedule, "source": source, "part": name, "order": order, "ms": ms}


def _totals(rows: Iterable[Row]) -> list[Row]:
    totals: dict[tuple[str, str], float] = {}
    for row in rows:
        key = (row["schedule"], row["source"])
        totals[key] = totals.get(key, 0.0) + row["ms"]
    return [
        {"schedule": schedule, "source": source, "ms": ms, "label": f"{ms_cell(ms)} ms"}
        for (schedule, source), ms in totals.items()
    ]


def _side_by_side(rows: list[Row], comparison: Comparison) -> alt.Chart:
    schedules = [item.schedule for item in comparison.schedules]
    return alt.Chart(inline_data(rows)).encode(
        y=alt.Y("schedule:N", title=None, sort=schedules, axis=name_axis()),
        yOffset=alt.YOffset("source:N", sort=list(SOURCE_COLOURS)),
    )


def _end_labels(bars: alt.Chart, field: str) -> alt.Chart:
    labels: alt.Chart = bars.mark_text(align="left", dx=6, color=INK).encode(x=f"{field}:Q", text="label:N")
    return labels


def _bar_x(title: str, rows: Sequence[Row]) -> alt.X:
    # What lies outside the axis would shrink the chart around it: whiskers are inside, on a busy machine too, and the
    # labels behind the longest have room on a narrow screen.
    longest_ms = max((row["high_ms"] if "high_ms" in row else row["ms"] for row in rows), default=1.0)
    return x_axis("ms", title).scale(domain=[0, 1.2 * longest_ms], nice=False)


def _bars_height(comparison: Comparison) -> int:
    return (2 * BAR_PX + 16) * max(1, len(comparison.schedules))


def _source_colour() -> alt.Color:
    return named_colours("source", SOURCE_COLOURS)


def _source_opacity() -> alt.Opacity:
    return alt.Opacity("source:N", scale=alt.Scale(domain=list(SOURCE_COLOURS), range=[1, 0.65]), legend=None)


def _equality(ends: LogRange, x_title: str, y_title: str) -> list[alt.Chart]:
    rows = [{"ms": ms, "from": ms * (1 - BAND), "to": ms * (1 + BAND)} for ms in (ends.low, ends.high)]
    base = alt.Chart(inline_data(rows)).encode(x=x_axis("ms", x_title, ends))
    band = base.mark_area(color="#dfe6ec", opacity=0.7, clip=True)
    line = base.mark_line(color=QUIET_INK, strokeWidth=1, strokeDash=[4, 3])
    return [
        band.encode(y=y_axis("from", y_title, ends), y2="to:Q"),
        line.encode(y=y_axis("ms", y_title, ends)),
    ]
