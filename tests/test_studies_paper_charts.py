"""What the exhibits' charts show."""

import pytest
from paper_cells import cell

from studies.paper.cell_chart import cell_chart
from studies.paper.estimate import Estimate, exact
from studies.paper.line_chart import Point, line_chart

WIDE = cell(100, Estimate(90.0, 80.0, 130.0), row="jump_forward, pixel-7", extrapolated=True)
PICTURE, UNKNOWN, NEITHER = cell(None, 12.0), cell(100, None, why="no draft model"), cell(None, None, why="no")


def layers_of(chart):
    """The rows of each layer's data."""
    spec = chart.to_dict()
    names = [layer.get("data", spec.get("data"))["name"] for layer in spec["layer"]]
    return [spec["datasets"][name] for name in names]


def test_cells_without_any_number_are_not_drawn():
    shown, *_ = layers_of(cell_chart([WIDE, PICTURE, UNKNOWN, NEITHER], "ms"))
    assert {(row["printed"], row["ours"]) for row in shown} == {(100, 90.0), (None, 12.0), (100, None)}


def test_a_lane_is_named_by_what_stands_before_the_comma():
    ((row,), *_) = layers_of(cell_chart([WIDE], "ms"))
    assert (row["row"], row["extrapolated"]) == ("jump forward", True)
    assert row["error_percent"] == pytest.approx(-10)


def test_the_axis_holds_ranges_and_prints():
    chart = cell_chart([WIDE, PICTURE], "ms").to_dict()
    low, high = chart["layer"][0]["encoding"]["x"]["scale"]["domain"]
    assert low < 12
    assert high > 130


def test_lines_have_ours_and_diamonds_have_prints():
    points = [
        Point("a", 1.0, ours=Estimate(2.0, 1.0, 3.0)),
        Point("a", 2.0, ours=exact(4.0)),
        Point("a", 2.0, printed=5.0),
    ]
    band, line, diamonds = layers_of(line_chart(points, "x", "y", {"a": "#000000"}))
    assert [(row["low"], row["high"]) for row in band] == [(1.0, 3.0), (4.0, 4.0)]
    assert [row["value"] for row in line] == [2.0, 4.0]
    assert [row["value"] for row in diamonds] == [5.0]
