"""Outcomes along one axis as lines with bands, or beside each other where that axis has names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from studies.chart_colours import SCHEDULE_COLOURS, named_colours
from studies.chart_style import SQUARE_PX, LogRange, Row, inline_data, styled, tip, x_axis, y_axis
from studies.sweep.axes import AXES
from studies.sweep.bounds import Bounds
from studies.sweep.outcome import Outcome
from studies.sweep.outcome_table import value_cell
from studies.sweep.point import Point, varying

MOST_LINES = 8
"""More lines than these cannot be told apart."""

WIDE_RATIO = 20
HIGH_RATIO = 5
"""Axes to the right, and up, whose ends lie more than so many times apart are drawn logarithmically."""

NAMES = alt.Axis(labelAngle=0, labelFontSize=12, ticks=False)

LINE_COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1", "#9c755f", "#edc948")

BoundsOf = Callable[[Outcome], Bounds]


@dataclass(frozen=True, slots=True)
class Lines:
    """How outcomes are laid out: along the axis `along`, a line for each combination of values on the others."""

    along: str
    others: tuple[str, ...]

    def name(self, point: Point) -> str:
        """The line that a point is on."""
        return ", ".join(_stated(name, point) for name in self.others) or point.schedule


def _stated(axis: str, point: Point) -> str:
    """A name says by itself of which axis it is, a number does not."""
    value = value_cell(point.value(axis))
    return value if AXES[axis].kind == "name" else f"{AXES[axis].name} {value}"


def lines_of(outcomes: Sequence[Outcome]) -> Lines:
    """Along the axis of numbers with most values, the first of equals; along the first one where none has numbers."""
    axes = varying([outcome.point for outcome in outcomes]) or ("schedule",)
    counts = {name: len({outcome.point.value(name) for outcome in outcomes}) for name in axes}
    along = max((name for name in axes if AXES[name].kind != "name"), key=counts.__getitem__, default=axes[0])
    return Lines(along, tuple(name for name in axes if name != along))


def drawn(outcomes: Sequence[Outcome], lines: Lines) -> Sequence[Outcome]:
    """Those on `MOST_LINES` lines at most, spread evenly from the first to the last."""
    names = list(dict.fromkeys(lines.name(outcome.point) for outcome in outcomes))
    if len(names) <= MOST_LINES:
        return outcomes
    kept = {names[at] for at in np.linspace(0, len(names) - 1, MOST_LINES).round().astype(int)}
    return [outcome for outcome in outcomes if lines.name(outcome.point) in kept]


def outcome_chart(outcomes: Sequence[Outcome], lines: Lines, bounds_of: BoundsOf, title: str) -> alt.LayerChart:
    """One number of each outcome; points are hollow where all of their time was never measured."""
    rows = [_row(outcome, lines, bounds_of(outcome)) for outcome in outcomes]
    is_name = AXES[lines.along].kind == "name"
    x = alt.X("x:N", title=lines.along, sort=None, axis=NAMES) if is_name else _number_x(lines.along, rows)
    y, low = (_number_y(field, title, rows) for field in ("value", "low"))
    colour = _colour(rows)
    base = alt.Chart(inline_data(rows)).encode(x=x)
    spread = base.mark_rule(strokeWidth=2, opacity=0.6) if is_name else base.mark_area(opacity=0.15)
    layers = [spread.encode(y=low, y2="high:Q", color=colour, detail="line:N")]
    if not is_name:
        layers.append(base.mark_line(strokeWidth=1.5).encode(y=y, color=colour))
    return styled([*layers, *_points(rows, x, y, colour, lines)], SQUARE_PX)


def _points(rows: Sequence[Row], x: alt.X, y: alt.Y, colour: alt.Color, lines: Lines) -> list[alt.Chart]:
    tips = [
        tip("line", "line"),
        tip("label", lines.along),
        tip("value", "predicted", ",.4g"),
        tip("low", "low", ",.4g"),
        tip("high", "high", ",.4g"),
        tip("outside", "never measured (% of the time)", ".0f"),
    ]
    measured = alt.Chart(inline_data([row for row in rows if not row["hollow"]])).mark_point(size=36, filled=True)
    hollow = alt.Chart(inline_data([row for row in rows if row["hollow"]])).mark_point(size=36, fill="white")
    return [points.encode(x=x, y=y, color=colour, tooltip=tips) for points in (measured, hollow)]


def _row(outcome: Outcome, lines: Lines, bounds: Bounds) -> Row:
    value = outcome.point.value(lines.along)
    return {
        "line": lines.name(outcome.point),
        "x": value if AXES[lines.along].kind != "name" else value_cell(value),
        "label": value_cell(value),
        "value": bounds.value,
        "low": bounds.value if bounds.low is None else bounds.low,
        "high": bounds.value if bounds.high is None else bounds.high,
        "outside": outcome.outside_percent,
        "hollow": outcome.is_extrapolated,
    }


def _number_x(along: str, rows: Sequence[Row]) -> alt.X:
    values = [row["x"] for row in rows if row["x"] is not None]
    is_wide = min(values) > 0 and max(values) > WIDE_RATIO * min(values)
    return x_axis("x", AXES[along].meaning, LogRange.around(values) if is_wide else None)


def _number_y(field: str, title: str, rows: Sequence[Row]) -> alt.Y:
    ends = [row[end] for row in rows for end in ("low", "high")]
    if max(ends) > HIGH_RATIO * min(ends):
        return y_axis(field, title, LogRange.around(ends))
    axis = alt.Axis(format=",~f", titlePadding=10, tickCount=6)
    return alt.Y(f"{field}:Q", title=title, axis=axis, scale=alt.Scale(zero=False))


def _colour(rows: Sequence[Row]) -> alt.Color:
    names = list(dict.fromkeys(row["line"] for row in rows))
    if all(name in SCHEDULE_COLOURS for name in names):
        colours: Mapping[str, str] = {name: SCHEDULE_COLOURS[name] for name in names}
    else:
        colours = dict(zip(names, LINE_COLOURS, strict=False))
    return named_colours("line", colours)
