"""Parity: a run that is replayed has the same passes, row for row."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import HYBRID, TWO, kinds, model, small_cases
from strategies import Case, Whim, all_names, examples, whims
from tracing import trace

from engine.capabilities import ATTENTION, Capabilities
from engine.commands import Drop, Fork, Trim
from engine.tools import Tool
from sim.replay import Replay


@examples(100)
@given(small_cases, whims, kinds, all_names, st.sampled_from((0, 3, 8)))
def test_parity_a_replayed_run_has_the_same_passes_row_for_row(case, whim, kind, schedule, reused):
    request = replace(case.request, reused_tokens=min(reused, len(case.request.prompt)))
    run = trace(schedule, request, model(case, whim, kind))
    again = trace(schedule, request, Replay(run.record()))
    assert again.commands == run.commands
    assert again.record() == run.record()


@pytest.mark.parametrize("memory", [ATTENTION, HYBRID], ids=["attention", "hybrid"])
def test_parity_holds_where_a_guess_was_wrong(memory):
    """The opening quote is guessed; a model that writes it and the first letter as one token makes the branch go back
    to its lead, or start over where the memory cannot be cut."""
    case = Case((TWO,), TWO, {"a": '"/tmp"', "b": '"x"'}, capabilities=memory)
    run = trace("schemaweaver", case.request, Whim(5, (' "/',), bonus=30.0).writer(case.vocabulary))
    back = [type(c) for c in run.commands if isinstance(c, Trim | Drop | Fork)]
    assert back[:3] == ([Fork, Trim, Drop] if memory is ATTENTION else [Fork, Drop, Fork])
    again = trace("schemaweaver", case.request, Replay(run.record()))
    assert again.commands == run.commands


@pytest.mark.parametrize("memory", [Capabilities(removes_part=False), Capabilities(window_tokens=4)])
@pytest.mark.parametrize("schedule", ["verified", "drafted", "jump_drafted", "speculative"])
@pytest.mark.parametrize("seed", range(4))
def test_parity_holds_where_drafts_are_tried_in_a_fork_that_may_become_the_trunk(schedule, memory, seed):
    schema = {"type": "string"}
    tool = Tool("get", "", {"properties": {"a": schema, "ab": schema}, "required": ["a"]})
    case = Case((tool,), tool, {"a": '"Tokyo Tokyo"', "ab": '"Tok"'}, tile_rows=4, capabilities=memory)
    writer = Whim(seed, ('"', '"}')).writer(case.vocabulary) if seed else case.oracle()
    run = trace(schedule, replace(case.request, max_call_tokens=60), writer)
    again = trace(schedule, run.request, Replay(run.record()))
    assert again.commands == run.commands
