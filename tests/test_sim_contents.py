"""What sequences held, read off the rows of a run."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, Whim, cases, examples, memories, tile_widths, whims
from tracing import Trace, trace

from engine.capabilities import Capabilities
from engine.commands import TRUNK, Drop, Fork
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.contents import Contents
from sim.replay import Replay

CITY = {"type": "string"}
TOOL = Tool("get", "", {"properties": dict.fromkeys(("a", "b", "o", "p"), CITY), "required": ["a", "b"]}, True)
CASE = Case((TOOL,), TOOL, {"a": '"Tokyo"', "b": '"x"', "o": '"Rome"', "p": '"Tokyo"'})
HYBRID = Capabilities(removes_part=False)
RECURRENT = Capabilities(shares_rows=False, removes_part=False)
SEED_OF_FOUR_KEYS = 0
"""A model that wants each of the four arguments before it ends the call."""


def check_contents(run: Trace) -> None:
    """Each row's text is what its sequences held up to it, and the end is the trunk's."""
    start = len(run.request.prompt)
    contents = Contents(start)
    for (command, _), held in zip(run.passes, run.contents, strict=True):
        for row, text in zip(command.rows, contents.follow(command), strict=True):
            assert text == held[row.sequences[-1]][start : row.position + 1]
    count = len(run.trunk_call_tokens)
    assert run.trunk_call_tokens in (contents.trunk[:count], contents.tried[:count])


@examples(80)
@given(cases(max_call_tokens=120), whims, st.sampled_from(sorted(SCHEDULES)), st.booleans())
def test_the_rows_tell_what_the_memory_held(case, whim, schedule, is_oracle):
    check_contents(trace(schedule, case.request, case.oracle() if is_oracle else whim.writer(case.vocabulary)))


@examples(40)
@given(whims, st.sampled_from(sorted(SCHEDULES)), st.booleans(), memories, tile_widths)
def test_the_rows_tell_it_for_a_call_with_values_of_every_kind(whim, schedule, is_oracle, memory, tile):
    case = replace(CASE, capabilities=memory, tile_rows=tile, max_call_tokens=80)
    run = trace(schedule, case.request, case.oracle() if is_oracle else whim.writer(case.vocabulary))
    check_contents(run)
    assert trace(schedule, case.request, Replay(run.record())).commands == run.commands


@pytest.mark.parametrize("memory", [HYBRID, RECURRENT], ids=["hybrid", "recurrent"])
@pytest.mark.parametrize("schedule", ["verified", "branched", "drafted", "jump_drafted"])
def test_a_draft_that_was_tried_aside_is_the_trunks_once_it_stands(schedule, memory):
    """The trunk is dropped and forked from the other sequence; what follows is written behind it."""
    case = replace(CASE, capabilities=memory, tile_rows=4)
    run = trace(schedule, case.request, case.oracle())
    adopted = run.commands.index(Drop(TRUNK))
    assert run.commands[adopted + 1] == Fork(1, (TRUNK,))
    check_contents(run)
    assert trace(schedule, case.request, Replay(run.record())).commands == run.commands


def test_a_replay_answers_in_order_where_one_text_was_asked_under_several_rules():
    """Keys are tried behind the head, one after the other, each time among those that are left."""
    tool = replace(TOOL, parameters={**TOOL.parameters, "required": []})
    case = replace(CASE, tools=(tool,), tool=tool, max_call_tokens=100)
    run = trace("optional_first", case.request, Whim(SEED_OF_FOUR_KEYS).writer(case.vocabulary))
    assert run.commands.count(Fork(TRUNK, (1,))) == 4
    assert trace("optional_first", case.request, Replay(run.record())).commands == run.commands
