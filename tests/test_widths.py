"""How wide passes are: whole tiles where nothing is known of the device, the cheapest where its prices are."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cost_models import AffineCost
from cost_models.phones import read_phone
from engine.widths import PricedWidths, TileWidths

PHONES = ("oneplus-12r", "pixel-7")
MOST = 8
"""Rows of a draft that prices are asked for."""

rows = st.integers(1, 40)
contexts = st.integers(0, 4000)
shares = st.integers(0, 20).map(lambda twentieths: twentieths / 20)
odds_lists = st.lists(shares, max_size=12)
phones = st.sampled_from([read_phone(name).table for name in PHONES])
lines = st.builds(AffineCost, base_ms=st.floats(0.1, 50), row_ms=st.floats(0, 20))
"""Devices on which each row more costs the same."""


@dataclass(frozen=True)
class ByWidth:
    """Passes that cost by their rows alone; the last price is that of all wider ones."""

    prices_ms: tuple[float, ...]

    def pass_ms(self, rows, picks, context_tokens):
        return self.prices_ms[min(rows, len(self.prices_ms)) - 1]


@given(st.integers(1, 16), rows, contexts, odds_lists)
def test_tiles_carry_no_more_than_they_have_to_give_away(tile_rows, rows, context, odds):
    """Neither a draft nor padding makes a pass take another tile."""
    widths = TileWidths(tile_rows)
    drafted = widths.draft_rows(rows, context, odds)
    padding = widths.padding(rows + drafted, context)
    tiles = -(-rows // tile_rows)
    assert 0 <= drafted <= len(odds)
    assert padding >= 0
    assert rows + drafted + padding <= tiles * tile_rows


@given(st.integers(1, 16), rows, contexts, odds_lists)
def test_tiles_do_not_ask_how_sure_a_draft_is(tile_rows, rows, context, odds):
    widths = TileWidths(tile_rows)
    assert widths.draft_rows(rows, context, odds) == widths.draft_rows(rows, context, [1.0] * len(odds))


@pytest.mark.parametrize(
    ("tile_rows", "rows", "padding"),
    [(4, 1, 0), (4, 2, 2), (4, 3, 1), (4, 4, 0), (4, 5, 0), (4, 6, 2), (8, 9, 0), (8, 10, 6), (2, 3, 0), (1, 7, 0)],
)
def test_tiles_are_filled_but_for_those_with_a_single_row(tile_rows, rows, padding):
    assert TileWidths(tile_rows).padding(rows, 500) == padding


@given(rows, contexts, odds_lists)
def test_where_a_row_costs_as_much_as_a_pass_nothing_is_drafted(rows, context, odds):
    assert PricedWidths(ByWidth(tuple(range(10, 1000, 10)))).draft_rows(rows, context, odds) == 0


@given(st.floats(0.1, 50), rows, contexts, st.lists(st.floats(0.1, 1), max_size=12))
def test_where_rows_are_free_all_is_drafted_that_is_looked_at(base_ms, rows, context, odds):
    assert PricedWidths(AffineCost(base_ms=base_ms, row_ms=0)).draft_rows(rows, context, odds) == min(MOST, len(odds))


@given(lines, rows, contexts)
def test_what_is_never_right_is_not_drafted(cost, rows, context):
    assert PricedWidths(cost).draft_rows(rows, context, [0.0] * 4) == 0


@given(st.one_of(phones, lines), rows, contexts, odds_lists)
def test_a_draft_is_no_longer_than_what_is_expected(cost, rows, context, odds):
    assert 0 <= PricedWidths(cost).draft_rows(rows, context, odds) <= min(MOST, len(odds))


@given(st.one_of(phones, lines), rows, contexts, odds_lists, shares)
def test_surer_drafts_are_no_shorter(cost, rows, context, odds, surer):
    """Odds that all rise by the same share of what they lack."""
    widths = PricedWidths(cost)
    raised = [each + (1 - each) * surer for each in odds]
    assert widths.draft_rows(rows, context, raised) >= widths.draft_rows(rows, context, odds)


@given(lines, rows, contexts, odds_lists, odds_lists)
def test_what_comes_behind_what_is_never_right_does_not_count(cost, rows, context, odds, behind):
    widths = PricedWidths(cost)
    drafted = widths.draft_rows(rows, context, [*odds, 0.0, *behind])
    assert drafted == widths.draft_rows(rows, context, odds)


def test_a_row_that_makes_the_pass_cheaper_is_drafted_however_unsure():
    assert PricedWidths(ByWidth((10, 12, 20, 15))).draft_rows(3, 500, [0.0, 0.0]) == 1


@pytest.mark.parametrize(
    ("odds", "drafted"),
    [
        # One pass is 10 ms, a row in the tile 1 ms, the next tile 20 ms more.
        ([0.2], 1),
        ([0.05], 0),
        ([0.5, 0.5, 0.5], 3),
        ([0.5, 0.1, 0.5], 1),
        # All that could be saved does not pay the next tile, unless several rows are sure.
        ([1.0, 1.0, 1.0, 1.0], 3),
        ([1.0] * 6, 6),
    ],
)
def test_as_many_rows_are_drafted_as_save_more_than_they_cost(odds, drafted):
    prices = ByWidth((10, 11, 12, 13, 33, 33, 33, 33))
    assert PricedWidths(prices).draft_rows(1, 500, odds) == drafted


@pytest.mark.parametrize(
    ("prices_ms", "rows", "padding"),
    [((10, 11, 12), 1, 0), ((10, 20, 15), 2, 1), ((10, 20, 15, 15), 2, 1), ((30, 20, 25, 10), 1, 3), ((5,), 3, 0)],
)
def test_padding_makes_a_pass_as_cheap_as_it_can_be_with_the_fewest_rows(prices_ms, rows, padding):
    assert PricedWidths(ByWidth(prices_ms)).padding(rows, 500) == padding


@given(st.one_of(phones, lines), rows, contexts)
def test_padding_never_makes_a_pass_dearer(cost, rows, context):
    near = max(1, context // 64 * 64)
    padded = rows + PricedWidths(cost).padding(rows, context)
    assert cost.pass_ms(padded, 1, near) <= cost.pass_ms(rows, 1, near)
