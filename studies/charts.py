"""The charts of a study, in one set of colours."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Literal

import altair as alt
import polars as pl

from engine.commands import Phase
from engine.errors import InputError
from engine.records import MEASURED
from studies.comparison import AFTERWARDS, OUTSIDE, CallComparison, Comparison, PartComparison, ScheduleComparison
from studies.text_table import ms_cell

Latency = Literal["tool start", "final call"]

PREDICTED = "predicted"

SOURCE_COLOURS = {MEASURED: "#33475b", PREDICTED: "#9dbcd6"}

PHASE_COLOURS: Mapping[str, str] = {
    Phase.PROMPT: "#bab0ac",
    Phase.NAME: "#4e79a7",
    Phase.SKELETON: "#76b7b2",
    Phase.VALUES: "#f28e2b",
    Phase.WRITE_BACK: "#9c755f",
    Phase.OPTIONAL: "#edc948",
    Phase.SERIAL: "#a0b4cc",
    Phase.JUMP: "#59a14f",
    Phase.VERIFY: "#b07aa1",
    Phase.DRAFT: "#ff9da7",
    OUTSIDE: "#d4d4d4",
    AFTERWARDS: "#efe6dd",
}
"""The colour of each phase, and of the time outside passes, wherever one is drawn."""

SCHEDULE_COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#9c755f", "#e15759", "#76b7b2", "#edc948")

COST_SCHEMA: Mapping[str, type[pl.DataType]] = {
    "rows": pl.Int64,
    "picks": pl.Int64,
    "context_tokens": pl.Int64,
    "ms": pl.Float64,
    "kind": pl.String,
    "predicted_ms": pl.Float64,
}
"""The columns that `cost_chart` takes; `kind` is "fit" where the fit saw the cell, else "held out"."""

SOME_ROWS, EVERY_ROW = "some", "every"

BAND = 0.1
"""Half the width of the band around equality, as a share of the measured latency."""

BAR_PX = 24
SQUARE_PX = 380
INK = "#222222"
QUIET_INK = "#666666"
GRID = "#ececec"
FONT = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _LogRange:
    """The ends of a logarithmic axis, and where it has ticks: at `steps` times powers of `base`."""

    low: float
    high: float
    base: int = 10
    steps: tuple[int, ...] = (1, 2, 5)

    @classmethod
    def around(cls, values: Iterable[float]) -> "_LogRange":
        known = list(values) or [1.0, 1000.0]
        return cls(min(known) / 1.1, max(known) * 1.1)

    @property
    def scale(self) -> alt.Scale:
        return alt.Scale(type="log", domain=[self.low, self.high], nice=False)

    @property
    def ticks(self) -> list[float]:
        first, last = (math.floor(math.log(end, self.base)) for end in (self.low, self.high))
        powers = [float(self.base) ** power for power in range(first, last + 1)]
        return [step * power for power in powers for step in self.steps if self.low <= step * power <= self.high]


def latency_chart(comparison: Comparison, latency: Latency) -> alt.LayerChart:
    """Bars of one latency per schedule, measured above predicted, with the machine's spread."""
    rows = [row for item in comparison.schedules for row in _latency_rows(item, latency)]
    bars = _side_by_side(rows, comparison)
    tips = [
        _tip("schedule", "schedule"),
        _tip("source", "source"),
        _tip("ms", "latency (ms)", ",.1f"),
        _tip("speedup", f"speed-up over {comparison.baseline}", ".2f"),
        _tip("spread", "spread from repeat to repeat (%)", ".1f"),
    ]
    x = _bar_x(f"latency to {latency}, geometric mean (ms)", rows)
    filled = bars.mark_bar().encode(x=x, color=_source_colour(), tooltip=tips)
    whiskers = bars.mark_rule(color="#d1495b", strokeWidth=2).encode(x="low_ms:Q", x2="high_ms:Q")
    return _styled([filled, whiskers, _end_labels(bars, "high_ms")], _bars_height(comparison))


def prediction_chart(comparison: Comparison) -> alt.LayerChart:
    """Predicted over measured latency to tool start: a point per call and schedule, and equality."""
    rows = [_call_row(call) for call in comparison.calls]
    ends = _LogRange.around(row[name] for row in rows for name in ("low_ms", "high_ms", "predicted_ms"))
    x_title, y_title = (f"{source} latency to tool start (ms)" for source in SOURCE_COLOURS)
    points = alt.Chart(_data(rows)).encode(y=_y("predicted_ms", y_title, ends), color=_schedule_colour(comparison))
    tips = [
        _tip("call", "call"),
        _tip("schedule", "schedule"),
        _tip("measured_ms", "measured, median (ms)", ",.1f"),
        _tip("low_ms", "measured, lowest (ms)", ",.1f"),
        _tip("high_ms", "measured, highest (ms)", ",.1f"),
        _tip("predicted_ms", "predicted (ms)", ",.1f"),
        _tip("error_percent", "error (%)", "+.1f"),
    ]
    dots = points.mark_circle(size=70, opacity=0.85).encode(x=_x("measured_ms", x_title, ends), tooltip=tips)
    whiskers = points.mark_rule(opacity=0.5).encode(x=_x("low_ms", x_title, ends), x2="high_ms:Q")
    return _styled([*_equality(ends, x_title, y_title), whiskers, dots], SQUARE_PX)


def phase_chart(comparison: Comparison) -> alt.LayerChart:
    """Stacked bars of the mean time per call by phase, without the prompt, measured above predicted."""
    rows = [row for part in comparison.parts if part.part != Phase.PROMPT for row in _part_rows(part)]
    tips = [
        _tip("schedule", "schedule"),
        _tip("source", "source"),
        _tip("part", "phase"),
        _tip("ms", "mean time per call (ms)", ",.1f"),
    ]
    totals = _totals(rows)
    x = _bar_x("mean time per call after the prompt (ms)", totals)
    stacks = _side_by_side(rows, comparison).mark_bar(stroke="white", strokeWidth=0.6)
    stacks = stacks.encode(x=x, color=_part_colour(rows), opacity=_source_opacity(), order="order:Q", tooltip=tips)
    labels = _end_labels(_side_by_side(totals, comparison), "ms")
    return _styled([stacks, labels], _bars_height(comparison))


def cost_chart(cells: pl.DataFrame) -> alt.LayerChart:
    """The time of a pass over its rows: measured cells as points, the model as lines.

    `cells` has the columns of `COST_SCHEMA`, times in milliseconds. Lines are told apart by what the pass's
    sequence held before it, and by whether every row is read. Raises InputError where a column is missing.
    """
    missing = [name for name in COST_SCHEMA if name not in cells.columns]
    if missing:
        raise InputError(f"pass costs without {', '.join(missing)}")
    rows = [_cost_row(cell) for cell in cells.select(list(COST_SCHEMA)).to_dicts()]
    times = _LogRange.around(row[name] for row in rows for name in ("ms", "predicted_ms"))
    widths = _LogRange(0.9, max([*(row["rows"] for row in rows), 1]) * 1.1, base=2, steps=(1,))
    x = _x("rows", "rows of the pass", widths)
    y_title = "time of the pass (ms)"
    lines = alt.Chart(_data(list(_line_rows(rows)))).mark_line(strokeWidth=1.5)
    lines = lines.encode(
        x=x,
        y=_y("mean(predicted_ms)", y_title, times),
        color=_depth_colour(rows),
        detail="before:N",
        strokeDash=_read_dash(),
    )
    points = alt.Chart(_data(rows)).mark_point(size=50, strokeWidth=1.5)
    points = points.encode(
        x=x, y=_y("ms", y_title, times), color=_depth_colour(rows), shape=_kind_shape(), tooltip=_cost_tips()
    )
    return _styled([lines, points], SQUARE_PX)


def gantt_chart(
    passes: pl.DataFrame, emits: pl.DataFrame, call_id: str, source: str = MEASURED, repeat: int = 0
) -> alt.LayerChart:
    """The passes of one call over time since the prompt, a line per schedule, and its emissions.

    `passes` and `emits` are what `passes_frame` and `emits_frame` give. Raises InputError where they have no
    such run.
    """
    chosen = (pl.col("call_id") == call_id) & (pl.col("source") == source) & (pl.col("repeat") == repeat)
    pass_rows = [_gantt_row(row) for row in passes.filter(chosen).to_dicts() if row["phase"] != Phase.PROMPT]
    if not pass_rows:
        raise InputError(f"no {source} run {repeat} of call {call_id!r}")
    schedules = list(dict.fromkeys(row["schedule"] for row in pass_rows))
    y = alt.Y("schedule:N", title=None, sort=schedules, axis=_name_axis())
    bars = alt.Chart(_data(pass_rows)).mark_bar(stroke="white", strokeWidth=0.8, height={"band": 0.5})
    bars = bars.encode(
        x=_x("start", "time since the prompt (ms)"),
        x2="end:Q",
        y=y,
        color=_part_colour(pass_rows),
        tooltip=_pass_tips(),
    )
    marks = alt.Chart(_data([_emit_row(row) for row in emits.filter(chosen).to_dicts()]))
    marks = marks.mark_point(shape="triangle-down", filled=True, size=90, color=INK, opacity=1, yOffset=-24)
    marks = marks.encode(x="ms:Q", y=y, tooltip=[_tip("status", "call"), _tip("ms", "at (ms)", ",.1f")])
    return _styled([bars, marks], 70 * len(schedules))


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
    return row | {"low_ms": ms - half_ms, "high_ms": ms + half_ms, "label": f"{ms_cell(ms)} ms"}


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


def _cost_row(cell: Row) -> Row:
    before = max(0, cell["context_tokens"] - cell["rows"])
    read = EVERY_ROW if cell["picks"] == cell["rows"] else SOME_ROWS
    error_percent = 100 * (cell["predicted_ms"] / cell["ms"] - 1)
    return cell | {"before": before, "read": read, "error_percent": error_percent}


def _line_rows(rows: Sequence[Row]) -> Iterator[Row]:
    # A pass of one row is where the lines of both kinds of reading start.
    kinds = {row["read"] for row in rows if row["rows"] > 1} or {SOME_ROWS}
    for row in rows:
        for read in sorted(kinds) if row["rows"] == 1 else [row["read"]]:
            yield {name: row[name] for name in ("rows", "before", "predicted_ms")} | {"read": read}


def _cost_tips() -> list[alt.Tooltip]:
    return [
        _tip("rows", "rows"),
        _tip("picks", "rows read"),
        _tip("context_tokens", "context (tokens)"),
        _tip("ms", "measured (ms)", ",.2f"),
        _tip("predicted_ms", "predicted (ms)", ",.2f"),
        _tip("error_percent", "error (%)", "+.1f"),
        _tip("kind", "in the fit"),
    ]


def _gantt_row(row: Row) -> Row:
    kept = {name: row[name] for name in ("schedule", "index", "rows", "picks", "context_tokens")}
    start = row["since_prompt_ms"]
    times = {"start": start, "end": start + row["duration_ms"], "ms": row["duration_ms"]}
    return kept | times | {"part": part_label(row["phase"])}


def _pass_tips() -> list[alt.Tooltip]:
    return [
        _tip("part", "phase"),
        _tip("index", "pass"),
        _tip("rows", "rows"),
        _tip("picks", "rows read"),
        _tip("context_tokens", "context (tokens)"),
        _tip("start", "starts at (ms)", ",.1f"),
        _tip("ms", "takes (ms)", ",.1f"),
    ]


def _emit_row(row: Row) -> Row:
    return {"schedule": row["schedule"], "status": row["status"], "ms": row["latency_ms"]}


def part_label(part: str) -> str:
    """A phase's name in plain words."""
    return part.replace("_", " ")


def _side_by_side(rows: list[Row], comparison: Comparison) -> alt.Chart:
    schedules = [item.schedule for item in comparison.schedules]
    return alt.Chart(_data(rows)).encode(
        y=alt.Y("schedule:N", title=None, sort=schedules, axis=_name_axis()),
        yOffset=alt.YOffset("source:N", sort=list(SOURCE_COLOURS)),
    )


def _end_labels(bars: alt.Chart, field: str) -> alt.Chart:
    labels: alt.Chart = bars.mark_text(align="left", dx=6, color=INK).encode(x=f"{field}:Q", text="label:N")
    return labels


def _bar_x(title: str, rows: Sequence[Row]) -> alt.X:
    # The labels behind the longest bars need room, on a narrow screen too.
    longest_ms = max((row["ms"] for row in rows), default=1.0)
    return _x("ms", title).scale(domain=[0, 1.2 * longest_ms], nice=False)


def _bars_height(comparison: Comparison) -> int:
    return (2 * BAR_PX + 16) * max(1, len(comparison.schedules))


def _name_axis() -> alt.Axis:
    return alt.Axis(
        domain=False,
        ticks=False,
        labelFontSize=13,
        labelColor=INK,
        labelLimit=160,
        labelPadding=8,
        grid=False,
    )


def _source_colour() -> alt.Color:
    return _named_colours("source", SOURCE_COLOURS)


def _source_opacity() -> alt.Opacity:
    return alt.Opacity("source:N", scale=alt.Scale(domain=list(SOURCE_COLOURS), range=[1, 0.65]), legend=None)


def _part_colour(rows: Sequence[Row]) -> alt.Color:
    present = {row["part"] for row in rows}
    colours = {part_label(part): colour for part, colour in PHASE_COLOURS.items()}
    return _named_colours("part", {part: colour for part, colour in colours.items() if part in present})


def _schedule_colour(comparison: Comparison) -> alt.Color:
    schedules = [item.schedule for item in comparison.schedules]
    return _named_colours("schedule", dict(zip(schedules, cycle(SCHEDULE_COLOURS), strict=False)))


def _named_colours(field: str, colours: Mapping[str, str]) -> alt.Color:
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    legend = alt.Legend(symbolType="square", symbolOpacity=1, symbolStrokeWidth=0, columns=4)
    return alt.Color(f"{field}:N", title=None, scale=scale, legend=legend)


def _depth_colour(rows: Sequence[Row]) -> alt.Color:
    depths = [row["before"] for row in rows]
    ends = sorted({min(depths), max(depths)}) if depths else []
    legend = alt.Legend(gradientLength=100, values=ends, format=",~f")
    scale = alt.Scale(range=["#9ecae1", "#08306b"])
    return alt.Color("before:Q", title="tokens before the pass", scale=scale, legend=legend)


def _read_dash() -> alt.StrokeDash:
    legend = alt.Legend(symbolType="stroke", symbolStrokeColor=INK)
    return alt.StrokeDash("read:N", title="model, rows read", sort=[SOME_ROWS, EVERY_ROW], legend=legend)


def _kind_shape() -> alt.Shape:
    scale = alt.Scale(domain=["fit", "held out"], range=["circle", "diamond"])
    return alt.Shape("kind:N", title="measured", scale=scale, legend=alt.Legend(symbolStrokeColor=INK))


def _equality(ends: _LogRange, x_title: str, y_title: str) -> list[alt.Chart]:
    rows = [{"ms": ms, "from": ms * (1 - BAND), "to": ms * (1 + BAND)} for ms in (ends.low, ends.high)]
    base = alt.Chart(_data(rows)).encode(x=_x("ms", x_title, ends))
    band = base.mark_area(color="#dfe6ec", opacity=0.7, clip=True)
    line = base.mark_line(color=QUIET_INK, strokeWidth=1, strokeDash=[4, 3])
    return [
        band.encode(y=_y("from", y_title, ends), y2="to:Q"),
        line.encode(y=_y("ms", y_title, ends)),
    ]


def _x(field: str, title: str, ends: _LogRange | None = None) -> alt.X:
    if ends is None:
        return alt.X(f"{field}:Q", title=title, axis=_number_axis(tickCount=6))
    return alt.X(f"{field}:Q", title=title, axis=_number_axis(values=ends.ticks), scale=ends.scale)


def _y(field: str, title: str, ends: _LogRange) -> alt.Y:
    return alt.Y(f"{field}:Q", title=title, axis=_number_axis(values=ends.ticks), scale=ends.scale)


def _number_axis(**ticks: Any) -> alt.Axis:
    return alt.Axis(labelOverlap="greedy", format=",~f", titlePadding=10, **ticks)


def _tip(field: str, title: str, number_format: str | None = None) -> alt.Tooltip:
    if number_format is None:
        return alt.Tooltip(f"{field}:N", title=title)
    return alt.Tooltip(f"{field}:Q", title=title, format=number_format)


def _data(rows: list[Row]) -> alt.InlineData:
    return alt.InlineData(values=rows)


def _styled(layers: Sequence[alt.Chart], height_px: int) -> alt.LayerChart:
    words = {"labelFont": FONT, "titleFont": FONT, "labelColor": QUIET_INK, "titleColor": INK}
    axis = {**words, "titleFontWeight": "normal", "titleFontSize": 12, "labelFontSize": 12, "gridColor": GRID}
    legend = {
        **words,
        "orient": "top",
        "titleFontWeight": "normal",
        "labelFontSize": 12,
    }
    chart: alt.LayerChart = (
        alt.layer(*layers)
        .properties(width="container", height=height_px)
        .configure(font=FONT, background="white")
        .configure_view(stroke=None)
        .configure_axis(**axis, domainColor="#cccccc", tickColor="#cccccc")
        .configure_legend(**legend)
    )
    return chart
