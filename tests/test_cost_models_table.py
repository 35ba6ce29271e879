"""What a measured table promises of its costs."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cost_models import AffineCost, CostModel, CostModelError, MeasuredTable
from cost_models.json_node import JsonNode, json_text
from cost_models.table import FLOOR_MS

SAW_TOOTH = MeasuredTable(
    row_counts=(1, 2, 3, 4, 5, 6, 8, 12, 16, 32),
    row_ms=(79.0, 127.0, 170.0, 95.0, 151.0, 197.0, 179.0, 260.0, 340.0, 660.0),
    reference_tokens=640,
    context_range_tokens=(32, 1184),
    max_picks=16,
    tile_rows=4,
    remainder_ms=50.0,
    pick_ms=1.5,
    context_ms=0.01,
    row_context_ms=0.001,
    host_ms=0.5,
)
SWITCHING = dataclasses.replace(
    SAW_TOOTH,
    row_counts=(1, 4, 8, 16, 32, 64),
    row_ms=(79.0, 95.0, 179.0, 340.0, 400.0, 720.0),
    wide_rows=32,
    wide_row_context_ms=0.0001,
)
STRAIGHT = dataclasses.replace(SAW_TOOTH, tile_rows=1, remainder_ms=0.0)

PASSES = st.tuples(st.integers(1, 600), st.integers(0, 600), st.integers(0, 4000)).map(
    lambda drawn: (drawn[0], min(drawn[0], drawn[1]), 1 + drawn[2])
)


@st.composite
def tables(draw: st.DrawFn) -> MeasuredTable:
    tile = draw(st.sampled_from((1, 2, 4, 8, 16)))
    counts = sorted(draw(st.sets(st.integers(2, 300), max_size=12)) | {1, tile * draw(st.integers(2, 20))})
    times = draw(st.lists(st.floats(FLOOR_MS, 1e5), min_size=len(counts), max_size=len(counts)))
    tiles = [count for count in counts if count % tile == 0]
    starts = [start for start in tiles[1:-1] if any(1 < count < start for count in tiles)]
    slopes = st.floats(0.0, 50.0)
    return MeasuredTable(
        row_counts=tuple(counts),
        row_ms=tuple(times),
        reference_tokens=draw(st.integers(1, 2000)),
        context_range_tokens=(32, 1184),
        max_picks=draw(st.integers(1, 64)),
        tile_rows=tile,
        remainder_ms=draw(slopes),
        pick_ms=draw(slopes),
        pick_tile_ms=draw(st.none() | slopes) if tile > 1 else None,
        context_ms=draw(slopes),
        row_context_ms=draw(slopes),
        wide_rows=draw(st.sampled_from([None, *starts])),
        wide_row_context_ms=draw(slopes),
        host_ms=draw(slopes),
    )


@given(tables())
def test_measured_points_come_back_exactly(table: MeasuredTable) -> None:
    table = dataclasses.replace(table, reference_tokens=table.row_counts[-1])
    for rows, ms in zip(table.row_counts, table.row_ms, strict=True):
        assert table.pass_ms(rows, 1, table.reference_tokens) == ms


@given(tables(), PASSES)
def test_every_pass_costs_something_finite(table: MeasuredTable, size: tuple[int, int, int]) -> None:
    cost = table.pass_ms(*size)
    assert isinstance(cost, float)
    assert FLOOR_MS <= cost < float("inf")


@given(tables(), st.lists(PASSES, min_size=1, max_size=8))
def test_arrays_cost_what_their_elements_cost(table: MeasuredTable, sizes: list[tuple[int, int, int]]) -> None:
    rows, picks, context = np.array(sizes).T
    assert table.pass_ms(rows, picks, context).tolist() == [table.pass_ms(*size) for size in sizes]
    assert table.covers(rows, picks, context).tolist() == [table.covers(*size) for size in sizes]


@given(tables(), PASSES, st.integers(0, 2000))
def test_more_context_is_never_cheaper(table: MeasuredTable, size: tuple[int, int, int], more: int) -> None:
    rows, picks, context = size
    assert table.pass_ms(rows, picks, context + more) >= table.pass_ms(rows, picks, context)


@given(tables(), PASSES)
def test_more_picks_are_never_cheaper_without_a_saw_tooth(table: MeasuredTable, size: tuple[int, int, int]) -> None:
    rows, picks, context = size
    table = dataclasses.replace(table, pick_tile_ms=None)
    assert table.pass_ms(rows, rows, context) >= table.pass_ms(rows, picks, context)


@given(tables(), st.integers(1, 40), st.integers(1, 40))
def test_more_whole_tiles_of_picks_are_never_cheaper(table: MeasuredTable, tiles: int, more: int) -> None:
    rows = table.tile_rows * (tiles + more)
    assert table.pass_ms(rows, rows, 5000) >= table.pass_ms(rows, table.tile_rows * tiles, 5000)


@pytest.mark.parametrize(
    ("picks", "expected"),
    [(0, -3.0), (1, 0.0), (2, 3.0), (3, 6.0), (4, 1.0), (5, 4.0), (7, 10.0), (8, 5.0)],  # 4 a tile, 3 each besides
)
def test_a_saw_tooth_over_picks_is_whole_tiles_and_single_picks(picks: int, expected: float) -> None:
    table = dataclasses.replace(SAW_TOOTH, pick_ms=3.0, pick_tile_ms=4.0)
    assert table.pass_ms(8, picks, 640) == pytest.approx(179.0 + expected)


@given(tables(), st.integers(1, 50))
def test_past_the_last_measured_count_whole_tiles_never_get_cheaper(table: MeasuredTable, steps: int) -> None:
    tile = table.tile_rows
    first = (table.row_counts[-1] // tile + 1) * tile
    reach = first + steps * tile
    assert table.pass_ms(reach, 1, 5000 + reach) >= table.pass_ms(first, 1, 5000 + reach)


def test_arrays_broadcast() -> None:
    costs = SAW_TOOTH.pass_ms(np.array([[1], [4]]), 1, np.array([640, 700, 800]))
    assert costs.shape == (2, 3)
    assert costs[1, 0] == 95.0


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (7, 95.0 + 3 * 50.0),  # three rows over one whole tile
        (10, 179.0 + 2 * 50.0),  # two rows over two
        (20, 420.0),  # whole tiles on the line from 16 to 32
        (22, 420.0 + 2 * 50.0),
        (40, 820.0),  # the last slope, 20 a row, goes on
        (41, 870.0),
    ],
)
def test_a_saw_tooth_is_whole_tiles_and_single_rows(rows: int, expected: float) -> None:
    assert SAW_TOOTH.pass_ms(rows, 1, 640) == pytest.approx(expected)


@pytest.mark.parametrize(("rows", "expected"), [(7, 188.0), (10, 219.5), (20, 420.0), (22, 460.0), (41, 840.0)])
def test_without_a_tile_costs_lie_on_straight_lines(rows: int, expected: float) -> None:
    assert STRAIGHT.pass_ms(rows, 1, 640) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rows", "context", "expected"),
    [
        (24, 640, 501.0),  # 20.125 a row from 8 to 16 goes on up to the switch
        (28, 640, 581.5),
        (32, 640, 400.0),
        (48, 640, 560.0),
        (80, 640, 880.0),
        (16, 740, 340.0 + 100 * (0.01 + 16 * 0.001)),
        (32, 740, 400.0 + 100 * (0.01 + 32 * 0.0001)),
    ],
)
def test_wide_passes_have_a_curve_and_a_slope_of_their_own(rows: int, context: int, expected: float) -> None:
    assert SWITCHING.pass_ms(rows, 1, context) == pytest.approx(expected)


def test_slopes_count_from_one_pick_and_the_reference_context() -> None:
    assert SAW_TOOTH.pass_ms(4, 3, 740) == pytest.approx(95.0 + 2 * 1.5 + 100 * (0.01 + 4 * 0.001))


@pytest.mark.parametrize(
    ("size", "covered"),
    [
        ((32, 16, 1184), True),
        ((1, 0, 32), True),
        ((33, 1, 640), False),
        ((32, 17, 640), False),
        ((1, 1, 1185), False),
        ((1, 1, 31), False),
    ],
)
def test_what_was_not_measured_is_not_covered(size: tuple[int, int, int], covered: bool) -> None:
    assert SAW_TOOTH.covers(*size) is covered


@pytest.mark.parametrize("size", [(0, 0, 5), (2, 3, 5), (2, -1, 5), (1, 1, 0), (1, 1, float("inf"))])
@pytest.mark.parametrize("model", [SAW_TOOTH, AffineCost(base_ms=1.0, row_ms=1.0)])
def test_a_size_that_no_pass_has_is_refused(model: CostModel, size: tuple[float, float, float]) -> None:
    with pytest.raises(CostModelError, match="no pass has rows"):
        model.pass_ms(*size)
    with pytest.raises(CostModelError, match="no pass has rows"):
        model.covers(*size)


def test_the_first_impossible_pass_of_an_array_is_named() -> None:
    with pytest.raises(CostModelError, match="rows 3, picks 4 and context_tokens 9"):
        SAW_TOOTH.pass_ms(np.array([1, 3]), np.array([1, 4]), 9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"row_counts": (1,), "row_ms": (1.0,)},
            r"row_counts: found \(1,\), expected two or more, the first 1",
        ),
        (
            {"row_counts": (2, 3), "row_ms": (1.0, 2.0)},
            r"row_counts: found \(2, 3\), expected .* the first 1",
        ),
        ({"row_counts": (1, 4, 4), "row_ms": (1.0,) * 3}, r"row_counts\[2\]: found 4, expected more than 4"),
        ({"row_counts": (1, 4)}, "row_ms: found 10 times, expected 2"),
        ({"row_counts": (1, 4), "row_ms": (1.0, 0.0)}, r"row_ms\[1\]: found 0.0, expected a finite"),
        ({"row_counts": (1, 4), "row_ms": (float("nan"), 1.0)}, r"row_ms\[0\]: found nan, expected"),
        ({"tile_rows": 0}, "tile_rows: found 0, expected 1 or a divisor of a row count above 1"),
        ({"tile_rows": 64}, "tile_rows: found 64, expected 1 or a divisor"),
        ({"wide_rows": 9}, "wide_rows: found 9, expected null or a row count of whole tiles with another"),
        ({"wide_rows": 6}, "wide_rows: found 6, expected null or a row count of whole tiles with another"),
        ({"wide_rows": 32}, "wide_rows: found 32, expected null or a row count of whole tiles with another"),
        ({"wide_rows": 4}, "tile_rows: found 4, expected 1 or a divisor of a row count above 1 and below"),
        ({"wide_row_context_ms": -1.0}, "wide_row_context_ms: found -1.0, expected a finite number >= 0"),
        ({"context_range_tokens": (9, 8)}, r"context_range_tokens: found \[9, 8\], expected 1 <= lowest"),
        ({"reference_tokens": 0}, "reference_tokens: found 0, expected a whole number >= 1"),
        ({"max_picks": 0}, "max_picks: found 0, expected a whole number >= 1"),
        ({"pick_ms": -0.1}, "pick_ms: found -0.1, expected a finite number >= 0"),
        ({"pick_tile_ms": 2.0, "tile_rows": 1}, "pick_tile_ms: found 2.0, expected null where tile_rows is 1"),
        ({"pick_tile_ms": -1.0}, "pick_tile_ms: found -1.0, expected a finite number >= 0"),
        ({"pick_tile_ms": float("nan")}, "pick_tile_ms: found nan, expected a finite number >= 0"),
        ({"host_ms": float("inf")}, "host_ms: found inf, expected a finite number >= 0"),
    ],
)
def test_a_table_that_is_none_says_which_field(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CostModelError, match=f"^{message}"):
        dataclasses.replace(SAW_TOOTH, **change)


@given(tables())
def test_json_and_back_is_the_same_table(table: MeasuredTable) -> None:
    text = json_text(table.to_json())
    again = MeasuredTable.from_json(JsonNode(json.loads(text), "table.json"))
    assert again == table
    assert json_text(again.to_json()) == text


@given(PASSES)
def test_affine_costs_are_sums(size: tuple[int, int, int]) -> None:
    rows, picks, context = size
    model = AffineCost(base_ms=5.0, row_ms=2.0, pick_ms=0.5, context_ms=0.25, host_ms=0.5)
    assert model.pass_ms(*size) == 5.0 + 2.0 * rows + 0.5 * picks + 0.25 * context
    assert model.pass_ms(np.array([rows]), picks, context).tolist() == [model.pass_ms(*size)]
    assert model.covers(*size)
    assert model.covers(np.array([rows, rows]), picks, context).tolist() == [True, True]


@pytest.mark.parametrize("change", [{"base_ms": 0.0}, {"row_ms": -1.0}, {"context_ms": float("nan")}])
def test_an_affine_cost_that_is_none_says_which_field(change: dict[str, float]) -> None:
    with pytest.raises(CostModelError, match=f"^{next(iter(change))}: found"):
        AffineCost(**{"base_ms": 1.0, "row_ms": 1.0, **change})
