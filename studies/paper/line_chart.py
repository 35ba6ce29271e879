"""Predictions as lines over one number, and what the paper prints as diamonds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from studies.chart_colours import named_colours
from studies.chart_style import SQUARE_PX, LogRange, Row, inline_data, styled, tip, x_axis, y_axis
from studies.paper.estimate import Estimate

CAPTION = "Lines are ours, bands the middle 95 % of draws of calls; diamonds are what the paper prints."


@dataclass(frozen=True, slots=True)
class Point:
    """`ours` or `printed`, or both, of `line` at `x`."""

    line: str
    x: float
    ours: Estimate | None = None
    printed: float | None = None


def line_chart(points: Sequence[Point], x_title: str, y_title: str, colours: Mapping[str, str]) -> alt.LayerChart:
    """A line for each name in `colours`, over logarithmic axes; x has ticks where there are points."""
    ours = [_row(point, point.ours) for point in points if point.ours]
    printed = [_row(point, None) for point in points if point.printed is not None]
    across = _across(points)
    up = _up([row[name] for row in ours + printed for name in ("value", "low", "high")])
    x, y = x_axis("x", x_title, across), y_axis("value", y_title, up)
    colour = named_colours("line", colours)
    tips = [tip("line", "line"), tip("x", x_title, ",~g"), tip("value", y_title, ",.4~g")]
    base, diamonds = (alt.Chart(inline_data(rows)).encode(x=x, color=colour) for rows in (ours, printed))
    return styled(
        [
            base.mark_area(opacity=0.15).encode(y=y_axis("low", y_title, up), y2="high:Q"),
            base.mark_line(point=True, strokeWidth=1.5).encode(y=y, tooltip=tips),
            diamonds.mark_point(shape="diamond", size=110, strokeWidth=2).encode(y=y, tooltip=tips),
        ],
        SQUARE_PX,
    )


def _row(point: Point, ours: Estimate | None) -> Row:
    """Ours where it is given, else the printed number."""
    if ours is None:
        return {"line": point.line, "x": point.x, "value": point.printed, "low": point.printed, "high": point.printed}
    return {"line": point.line, "x": point.x, "value": ours.value, "low": ours.low, "high": ours.high}


def _across(points: Sequence[Point]) -> LogRange:
    places = [point.x for point in points]
    return LogRange(min(places) / 1.03, max(places) * 1.03, steps=(1, 2, 3, 4, 5, 7))


def _up(values: Sequence[float]) -> LogRange:
    """With more ticks than a wide range has, since these are often less than a decade."""
    return LogRange(min(values) / 1.1, max(values) * 1.1, steps=tuple(range(1, 10)))
