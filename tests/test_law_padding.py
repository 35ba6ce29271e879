"""Padding and drafts change no call, only cost; padding rows live in a scratch sequence that is dropped."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import TWO, kinds, model, small_cases, tiles
from strategies import Case, constrained_names, examples, prices, tile_widths, whims
from tracing import trace

from engine.commands import Drop, Phase


@examples(60)
@given(small_cases, whims, kinds, constrained_names, st.data())
def test_padding_and_drafts_change_no_call(case, whim, kind, schedule, data):
    """Whatever the tile, the device's prices and the words to draft from; these decide what passes cost alone.

    Where drafts are checked by picks, no other call goes out before either.
    """
    first = trace(schedule, case.request, model(case, whim, kind))
    other_request = replace(
        case.request,
        tile_rows=data.draw(tile_widths),
        prices=data.draw(prices),
        said=data.draw(st.sampled_from(("", case.text, case.request.said))),
    )
    other = trace(schedule, other_request, model(case, whim, kind))
    assert other.call == first.call
    assert other.trunk_call_tokens == first.trunk_call_tokens
    assert schedule == "auto" or other.emits == first.emits


@examples(60)
@given(small_cases, whims, kinds, tiles)
def test_padding_changes_no_call_and_no_row_of_another_sequence(case, whim, kind, tile):
    bare, padded = (
        trace("schemaweaver", replace(case.request, tile_rows=rows), model(case, whim, kind)) for rows in (1, tile)
    )
    assert padded.call == bare.call
    assert padded.emits == bare.emits
    scratch = padded.scratch_sequence
    own = [tuple(r for r in command.rows if scratch not in r.sequences) for command, _ in padded.passes]
    assert own == [command.rows for command, _ in bare.passes]
    padded_passes = sum(len(rows) < command.width for rows, (command, _) in zip(own, padded.passes, strict=True))
    assert padded.commands.count(Drop(scratch)) == padded_passes
    assert all(len(held.get(scratch, ())) < tile for held in padded.contents)


@examples(60)
@given(small_cases, whims, tiles)
def test_padding_fills_whole_tiles_unless_the_last_has_one_row_alone(case, whim, tile):
    run = trace("schemaweaver", replace(case.request, tile_rows=tile), whim.writer(case.vocabulary))
    scratch = run.scratch_sequence
    for command, _ in run.passes:
        added = [row for row in command.rows if row.sequences == (scratch,)]
        assert not any(row.pick for row in added)
        own = command.width - len(added)
        pads = command.phase is Phase.VALUES and own % tile > 1
        assert len(added) == (tile - own % tile if pads else 0)


@pytest.mark.parametrize("schedule", ["verified", "branched", "drafted", "auto"])
@pytest.mark.parametrize(("max_rows", "max_picks"), [(512, 3), (40, 128)])
def test_padding_and_drafts_stay_within_the_rows_and_picks_of_a_pass(schedule, max_rows, max_picks):
    """A long call is checked in several passes."""
    case = Case((TWO,), TWO, {"a": json.dumps("a-b " * 30), "b": '"x"'})
    request = replace(case.request, max_rows=max_rows, max_picks=max_picks, max_call_tokens=4000)
    run = trace(schedule, request, case.oracle())
    checks = [command for command, _ in run.passes if command.phase in (Phase.WRITE_BACK, Phase.VERIFY)]
    assert run.call.text == case.text
    assert max(command.width for command in checks) <= max_rows
    assert max(command.pick_count for command in checks) <= max_picks
