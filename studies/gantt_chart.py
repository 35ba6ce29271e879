"""The chart of one call's passes over time."""

import altair as alt
import polars as pl

from engine.commands import Phase
from engine.errors import InputError
from engine.records import MEASURED
from studies.chart_colours import part_colour, part_label
from studies.chart_style import INK, Row, inline_data, name_axis, styled, tip, x_axis


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
    y = alt.Y("schedule:N", title=None, sort=schedules, axis=name_axis())
    bars = alt.Chart(inline_data(pass_rows)).mark_bar(stroke="white", strokeWidth=0.8, height={"band": 0.5})
    bars = bars.encode(
        x=x_axis("start", "time since the prompt (ms)"),
        x2="end:Q",
        y=y,
        color=part_colour(pass_rows),
        tooltip=_pass_tips(),
    )
    marks = alt.Chart(inline_data([_emit_row(row) for row in emits.filter(chosen).to_dicts()]))
    marks = marks.mark_point(shape="triangle-down", filled=True, size=90, color=INK, opacity=1, yOffset=-24)
    marks = marks.encode(x="ms:Q", y=y, tooltip=[tip("status", "call"), tip("ms", "at (ms)", ",.1f")])
    return styled([bars, marks], 70 * len(schedules))


def _gantt_row(row: Row) -> Row:
    kept = {name: row[name] for name in ("schedule", "index", "rows", "picks", "context_tokens")}
    start = row["since_prompt_ms"]
    times = {"start": start, "end": start + row["duration_ms"], "ms": row["duration_ms"]}
    return kept | times | {"part": part_label(row["phase"])}


def _pass_tips() -> list[alt.Tooltip]:
    return [
        tip("part", "phase"),
        tip("index", "pass"),
        tip("rows", "rows"),
        tip("picks", "rows read"),
        tip("context_tokens", "context (tokens)"),
        tip("start", "starts at (ms)", ",.1f"),
        tip("ms", "takes (ms)", ",.1f"),
    ]


def _emit_row(row: Row) -> Row:
    return {"schedule": row["schedule"], "status": row["status"], "ms": row["latency_ms"]}
