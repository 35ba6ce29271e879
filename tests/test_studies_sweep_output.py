"""What a sweep leaves: Parquet columns, the table, the charts and their marks, the page."""

import json
from dataclasses import replace

import polars as pl
import pytest
from sweep_cases import ground

from studies.report import render
from studies.sweep.assumed import assumed_once
from studies.sweep.bounds import Bounds
from studies.sweep.frame import COLUMNS, ENERGIES, METADATA_KEY, NUMBERS, RAILS, frame, write_frame
from studies.sweep.misfits import misfits
from studies.sweep.outcome_chart import MOST_LINES, drawn, lines_of, outcome_chart
from studies.sweep.outcome_table import bounds_cell, fixed_values, outcome_table
from studies.sweep.page import MOST_ROWS, sweep_page
from studies.sweep.point import Point, grid
from studies.sweep.prices import outcomes
from tests.records_builder import SCHEDULES

BUSES = (400.0, 676.0, 1500.0, 3172.0)
GROUND = ground()
POINTS = grid({"bus": BUSES, "schedule": SCHEDULES}, Point(device="pixel-7"))
FOUND = list(outcomes(POINTS, GROUND))
BY_NAME = list(outcomes(grid({"device": ("oneplus-12r", "oneplus-12r-gpu")}, Point()), GROUND))


def sweep(**axes):
    return list(outcomes(grid(axes, Point(device="pixel-7")), GROUND))


def test_the_file_has_a_row_for_each_point_and_all_columns(tmp_path):
    path = tmp_path / "sweep.parquet"
    write_frame(path, FOUND, {"command": "schemaweaver sweep 北"})
    back = pl.read_parquet(path)
    assert dict(back.schema) == dict(COLUMNS)
    assert json.loads(pl.read_parquet_metadata(path)[METADATA_KEY]) == {"command": "schemaweaver sweep 北"}
    assert back["bus_mhz"].to_list() == [point.bus_mhz for point in POINTS]
    assert back["schedule"].to_list() == [point.schedule for point in POINTS]
    assert back["cores"].null_count() == len(POINTS)
    for name in NUMBERS:
        bounds = [getattr(outcome, name) for outcome in FOUND]
        assert back[name].to_list() == [each.value for each in bounds]
        assert back[f"{name}_low"].to_list() == [each.low for each in bounds]
        assert back[f"{name}_high"].to_list() == [each.high for each in bounds]
    assert back["is_extrapolated"].to_list() == [point.bus_mhz == 400.0 for point in POINTS]
    assert any("lies outside the measured levels" in sentence for sentence in back["assumed"].to_list()[0])


def test_bounds_that_nobody_knows_are_null():
    unknown = frame(BY_NAME).filter(pl.col("device") == "oneplus-12r-gpu")
    assert unknown["final_ms_low"].to_list() == [None]
    assert unknown["final_ms"].to_list()[0] > 0


def test_the_table_names_what_varies_and_marks_what_was_never_measured():
    table = outcome_table(FOUND)
    assert table.headers[:2] == ("bus", "schedule")
    assert [row[-1].endswith("*") for row in table.rows] == [point.bus_mhz == 400.0 for point in POINTS]
    assert fixed_values(FOUND) == "device pixel-7"
    (single,) = outcome_table(FOUND[:1]).rows
    assert single[0] == "constrained"


def test_joules_are_in_the_file_by_rail_and_in_the_table_where_all_power_is_known():
    both = [*FOUND, *BY_NAME]
    back = frame(both)
    for name in ENERGIES:
        for rail in RAILS:
            known = [getattr(getattr(outcome, name), rail) for outcome in FOUND]
            assert back[f"{name}_{rail}"].to_list() == [*known, *[None] * len(BY_NAME)]
    at = outcome_table(FOUND).headers.index("final call\nJ")
    assert [row[at] for row in outcome_table(FOUND).rows] == [f"{each.final_energy.total_j:.2f}" for each in FOUND]
    assert "final call\nJ" not in outcome_table(both).headers


def test_memory_is_in_the_file_and_what_does_not_fit_is_told_once_by_its_most():
    back = frame(FOUND)
    assert back["peak_memory_bytes"].to_list() == [each.peak_memory_bytes for each in FOUND]
    assert set(back["fits"]) == {True}
    point = replace(FOUND[0].point, model="big", quantisation="F32")
    large = [replace(FOUND[0], point=point, fits=False, peak_memory_bytes=size) for size in (9e9, 9.5e9)]
    (sentence,) = misfits([*FOUND, *large])
    assert sentence.startswith("device pixel-7, model big, quantisation F32: 9.50 GB at its peak, more memory than")
    assert sentence in sweep_page(large, "", {}).known_limits
    assert misfits(FOUND) == ()


def test_the_tools_result_has_a_column_where_the_tool_takes_time():
    with_tool = sweep(**{"tool-ms": (0.0, 500.0)})
    assert "tool's result\nms" in outcome_table(with_tool).headers
    assert "tool's result\nms" not in outcome_table(FOUND).headers
    assert "tool-ms 500" in fixed_values(with_tool[1:])


def test_a_long_table_shows_points_from_the_first_to_the_last():
    rows = outcome_table(FOUND, most_rows=3).rows
    whole = outcome_table(FOUND).rows
    assert len(rows) == 3
    assert (rows[0], rows[-1]) == (whole[0], whole[-1])


@pytest.mark.parametrize(
    ("bounds", "decimals", "text"),
    [
        (Bounds(1234.5, 1200.0, 1300.0), None, "1,234 (1,200-1,300)"),
        (Bounds(2.126, 2.0, 2.25), 2, "2.13 (2.00-2.25)"),
        (Bounds(2.126), 2, "2.13"),
    ],
)
def test_bounds_as_text(bounds, decimals, text):
    assert bounds_cell(bounds, decimals) == text


def marks(chart):
    """By whether its points are hollow, the buses that a chart has points at."""
    spec = chart.to_dict()
    found = {True: set(), False: set()}
    for layer in spec["layer"]:
        if layer["mark"]["type"] == "point":
            is_hollow = layer["mark"].get("fill") == "white"
            found[is_hollow] |= {row["x"] for row in spec["datasets"][layer["data"]["name"]]}
    return found


def test_points_outside_of_what_was_measured_are_hollow():
    chart = outcome_chart(FOUND, lines_of(FOUND), lambda outcome: outcome.final_ms, "ms")
    assert marks(chart) == {True: {400.0}, False: {676.0, 1500.0, 3172.0}}


def test_a_band_spans_the_bounds_of_each_point():
    chart = outcome_chart(FOUND, lines_of(FOUND), lambda outcome: outcome.final_ms, "ms").to_dict()
    (area,) = (layer for layer in chart["layer"] if layer["mark"]["type"] == "area")
    rows = chart["datasets"][area["data"]["name"]]
    assert [(row["low"], row["high"]) for row in rows] == [(o.final_ms.low, o.final_ms.high) for o in FOUND]
    assert (area["encoding"]["y"]["field"], area["encoding"]["y2"]["field"]) == ("low", "high")


@pytest.mark.parametrize(
    ("found", "along", "line"),
    [
        (FOUND, "bus", "constrained"),
        (BY_NAME, "device", "schemaweaver"),
        (sweep(bus=(676.0, 3172.0), **{"tool-ms": (0.0, 1.0, 2.0)}), "tool-ms", "bus 676"),
    ],
)
def test_lines_run_along_the_axis_of_numbers_with_most_values(found, along, line):
    lines = lines_of(found)
    assert lines.along == along
    assert lines.name(found[0].point) == line


def test_of_many_lines_some_are_drawn_and_the_caption_says_so():
    found = sweep(bus=tuple(676.0 + step for step in range(20)), **{"tool-ms": tuple(map(float, range(30)))})
    lines = lines_of(found)
    kept = {lines.name(outcome.point) for outcome in drawn(found, lines)}
    assert len(kept) == MOST_LINES
    assert {lines.name(found[0].point), lines.name(found[-1].point)} <= kept
    page = sweep_page(found, "", {})
    assert page.sections[0].figures[0].caption.startswith(f"{MOST_LINES} of 20 lines. ")
    assert page.sections[1].note.startswith(f"{MOST_ROWS} of 600 points. ")


@pytest.mark.parametrize("found", [FOUND, FOUND[:1], BY_NAME], ids=["grid", "one point", "names"])
def test_the_page_has_charts_table_command_and_assumptions(found):
    html = render(sweep_page(found, "schemaweaver sweep --bus 400", {"passes": "4 calls"}))
    assert html.count('class="spec"') == 4
    assert "schemaweaver sweep --bus 400" in html
    assert "Hollow points" in html
    for outcome in found:
        for sentence in outcome.assumed[:1]:
            assert sentence in html


def test_sentences_that_differ_in_numbers_come_once():
    sentences = ["From 3.5 to 4 GB/s.", "From 3.5 to 4 GB/s.", "From 3.5 to 5 GB/s.", "Else nothing."]
    assert assumed_once(sentences) == (
        "From 3.5 to 4 GB/s. (And 1 more like this, with other numbers.)",
        "Else nothing.",
    )
    assert assumed_once(replace(FOUND[0], assumed=()).assumed) == ()
