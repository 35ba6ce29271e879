"""The chart of what a pass costs over its rows."""

from collections.abc import Iterator, Mapping, Sequence

import altair as alt
import polars as pl

from engine.errors import InputError
from studies.chart_style import INK, SQUARE_PX, LogRange, Row, inline_data, styled, tip, x_axis, y_axis

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


def cost_chart(cells: pl.DataFrame) -> alt.LayerChart:
    """The time of a pass over its rows: measured cells as points, the model as lines.

    `cells` has the columns of `COST_SCHEMA`, times in milliseconds. Lines are told apart by what the pass's
    sequence held before it, and by whether every row is read. Raises InputError where a column is missing.
    """
    missing = [name for name in COST_SCHEMA if name not in cells.columns]
    if missing:
        raise InputError(f"pass costs without {', '.join(missing)}")
    rows = [_cost_row(cell) for cell in cells.select(list(COST_SCHEMA)).to_dicts()]
    times = LogRange.around(row[name] for row in rows for name in ("ms", "predicted_ms"))
    widths = LogRange(0.9, max([*(row["rows"] for row in rows), 1]) * 1.1, base=2, steps=(1,))
    x = x_axis("rows", "rows of the pass", widths)
    y_title = "time of the pass (ms)"
    lines = alt.Chart(inline_data(list(_line_rows(rows)))).mark_line(strokeWidth=1.5)
    lines = lines.encode(
        x=x,
        y=y_axis("mean(predicted_ms)", y_title, times),
        color=_depth_colour(rows),
        detail="before:N",
        strokeDash=_read_dash(),
    )
    points = alt.Chart(inline_data(rows)).mark_point(size=50, strokeWidth=1.5)
    points = points.encode(
        x=x, y=y_axis("ms", y_title, times), color=_depth_colour(rows), shape=_kind_shape(), tooltip=_cost_tips()
    )
    return styled([lines, points], SQUARE_PX)


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
        tip("rows", "rows"),
        tip("picks", "rows read"),
        tip("context_tokens", "context (tokens)"),
        tip("ms", "measured (ms)", ",.2f"),
        tip("predicted_ms", "predicted (ms)", ",.2f"),
        tip("error_percent", "error (%)", "+.1f"),
        tip("kind", "in the fit"),
    ]


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
