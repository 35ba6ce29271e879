"""How charts look: axes, tooltips, fonts."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

INK = "#222222"
QUIET_INK = "#666666"
GRID = "#ececec"
FONT = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif"

SQUARE_PX = 380
"""The height of a chart that is about as high as wide."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LogRange:
    """The ends of a logarithmic axis, and where it has ticks: at `steps` times powers of `base`."""

    low: float
    high: float
    base: int = 10
    steps: tuple[int, ...] = (1, 2, 5)

    @classmethod
    def around(cls, values: Iterable[float]) -> "LogRange":
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


def x_axis(field: str, title: str, ends: LogRange | None = None) -> alt.X:
    """A horizontal axis of numbers, logarithmic within `ends` where they are given."""
    if ends is None:
        return alt.X(f"{field}:Q", title=title, axis=_number_axis(tickCount=6))
    return alt.X(f"{field}:Q", title=title, axis=_number_axis(values=ends.ticks), scale=ends.scale)


def y_axis(field: str, title: str, ends: LogRange) -> alt.Y:
    """A vertical logarithmic axis of numbers."""
    return alt.Y(f"{field}:Q", title=title, axis=_number_axis(values=ends.ticks), scale=ends.scale)


def name_axis() -> alt.Axis:
    """An axis of names."""
    return alt.Axis(
        domain=False,
        ticks=False,
        labelFontSize=13,
        labelColor=INK,
        labelLimit=200,
        labelPadding=8,
        grid=False,
    )


def _number_axis(**ticks: Any) -> alt.Axis:
    return alt.Axis(labelOverlap="greedy", format=",~f", titlePadding=10, **ticks)


def tip(field: str, title: str, number_format: str | None = None) -> alt.Tooltip:
    """A line of a tooltip; with a format it is a number."""
    if number_format is None:
        return alt.Tooltip(f"{field}:N", title=title)
    return alt.Tooltip(f"{field}:Q", title=title, format=number_format)


def inline_data(rows: list[Row]) -> alt.InlineData:
    """`rows` inside the chart itself."""
    return alt.InlineData(values=rows)


def styled(layers: Sequence[alt.Chart], height_px: int) -> alt.LayerChart:
    """The layers as one chart as wide as its page."""
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
