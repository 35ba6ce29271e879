"""Predictions as dots with their ranges, and what the paper prints as strokes beside them."""

from collections.abc import Mapping, Sequence

import altair as alt

from studies.chart_colours import SCHEDULE_COLOURS, named_colours
from studies.chart_style import INK, LogRange, Row, inline_data, name_axis, styled, tip, x_axis
from studies.paper.exhibit import Cell

LANE_PX = 15
"""The height of one row's dot in its column's band."""

CAPTION = (
    "Dots are ours, hollow where most calls have passes past what was measured; lines through them are the middle 95 % "
    "of draws, where calls are drawn; strokes are what the paper prints."
)

OTHER_COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#9c755f", "#e15759", "#76b7b2", "#edc948")
"""Those of rows that are no schedules, in turn."""


def cell_chart(cells: Sequence[Cell], title: str) -> alt.LayerChart:
    """A band for each column and in it a lane for each row, over a logarithmic axis called `title`.

    Of a row's name counts what stands before a comma. Dots are ours, hollow where passes lie past what was measured,
    with the middle 95 % of draws; strokes are printed. Cells with neither number are left out.
    """
    shown = [_row(cell) for cell in cells if cell.ours or cell.printed]
    names = list(dict.fromkeys(row["row"] for row in shown))
    x = x_axis("value", title, LogRange.around(value for row in shown for value in _numbers(row)))
    lanes = alt.Chart(inline_data(shown)).encode(
        y=alt.Y("column:N", title=None, sort=None, axis=name_axis()),
        yOffset=alt.YOffset("row:N", sort=names),
        tooltip=_tips(),
    )
    ours = lanes.encode(color=named_colours("row", _colours(names)))
    columns = len({row["column"] for row in shown})
    return styled([*_our_layers(ours, x), _printed_layer(lanes, x)], (LANE_PX * len(names) + 10) * max(1, columns))


def _our_layers(lanes: alt.Chart, x: alt.X) -> list[alt.Chart]:
    """Ranges, and dots on them."""
    ranges = _with_value(lanes, "low").mark_rule(strokeWidth=1.5, opacity=0.6).encode(x=x, x2="high:Q")
    dots = _with_value(lanes, "ours")
    measured = dots.transform_filter("!datum.extrapolated").mark_point(filled=True, size=50, opacity=1)
    past = dots.transform_filter("datum.extrapolated").mark_point(size=40, strokeWidth=1.5, opacity=1)
    return [ranges, measured.encode(x=x), past.encode(x=x)]


def _printed_layer(lanes: alt.Chart, x: alt.X) -> alt.Chart:
    layer: alt.Chart = _with_value(lanes, "printed").mark_tick(color=INK, thickness=2, size=LANE_PX - 2).encode(x=x)
    return layer


def _with_value(lanes: alt.Chart, name: str) -> alt.Chart:
    """The cells that have the number called `name`, as their `value`."""
    having: alt.Chart = lanes.transform_filter(f"isValid(datum.{name})").transform_calculate(value=f"datum.{name}")
    return having


def _row(cell: Cell) -> Row:
    ours = cell.ours
    return {
        "row": cell.row.split(", ")[0].replace("_", " "),
        "column": cell.column,
        "unit": cell.unit,
        "printed": cell.printed,
        "ours": ours.value if ours else None,
        "low": ours.low if ours else None,
        "high": ours.high if ours else None,
        "error_percent": None if cell.error is None else 100 * cell.error,
        "role": cell.role,
        "extrapolated": cell.extrapolated,
    }


def _numbers(row: Row) -> list[float]:
    return [row[name] for name in ("printed", "ours", "low", "high") if row[name] is not None]


def _colours(names: Sequence[str]) -> Mapping[str, str]:
    return {
        name: SCHEDULE_COLOURS.get(name.replace(" ", "_"), OTHER_COLOURS[place % len(OTHER_COLOURS)])
        for place, name in enumerate(names)
    }


def _tips() -> list[alt.Tooltip]:
    return [
        tip("row", "row"),
        tip("column", "column"),
        tip("ours", "ours", ",.4~g"),
        tip("low", "ours, lowest", ",.4~g"),
        tip("high", "ours, highest", ",.4~g"),
        tip("printed", "printed", ",.4~g"),
        tip("error_percent", "error (%)", "+.1f"),
        tip("unit", "unit"),
        tip("role", "role"),
    ]
