"""Calls as schedules leave them on the trunk, with what was picked behind the tokens before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, cases, examples, whims
from tracing import trace

from engine.commands import TRUNK
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory
from studies.written_call import write_call

TOOL = Tool("get", "", {"properties": {n: {"type": "string"} for n in ("a", "b", "o")}, "required": ["a", "b"]})
CASE = Case((TOOL,), TOOL, {"a": '"x y"', "b": '"Tokyo"', "o": '"z"'})


def written(schedule, case, writer):
    """The call, and a backend that has run it."""
    backend = SimulatedBackend(writer, SequenceMemory(capabilities=case.request.capabilities))
    return write_call(schedule, case.request, backend), backend


@examples(60)
@given(cases(max_call_tokens=120), whims, st.sampled_from(sorted(SCHEDULES)), st.booleans())
def test_a_watched_schedule_does_what_it_does_unwatched(case, whim, schedule, is_oracle):
    def writer():
        return case.oracle() if is_oracle else whim.writer(case.vocabulary)

    call, backend = written(schedule, case, writer())
    run = trace(schedule, case.request, writer())
    assert call.call == run.call
    assert call.tokens == run.trunk_call_tokens == backend.tokens(TRUNK)[len(case.request.prompt) :]


@examples(40)
@given(cases(max_call_tokens=120), whims)
def test_every_token_of_constrained_decoding_is_picked_but_a_forced_first_one(case, whim):
    call, _ = written("constrained", case, whim.writer(case.vocabulary))
    is_forced = len(case.request.toolset.call_constraint().forced()[:1])
    assert call.picked.keys() == set(range(is_forced, len(call.tokens)))
    assert all(call.could_pick(number, call.tokens[number]) for number in call.picked)


def value_tokens(call, case, argument):
    """The numbers of the tokens that have a character of an argument's value."""
    start = case.text.index(f'"{argument}": ') + len(f'"{argument}": "')
    end = start + len(case.values[argument]) - 2
    ends = [len(case.vocabulary.decode(call.tokens[: number + 1])) for number in range(len(call.tokens))]
    return {number for number, last in enumerate(ends) if last > start and (ends[number - 1] if number else 0) < end}


@pytest.mark.parametrize(
    ("schedule", "unseen"), [("jump_forward", ()), ("verified", ()), ("branched", ()), ("schemaweaver", ("b",))]
)
def test_a_branch_picks_in_place_only_where_nothing_stands_between_it_and_the_head(schedule, unseen):
    """Only the first argument's branch has before it what the call has; a check picks the others in place."""
    call, _ = written(schedule, CASE, CASE.oracle())
    assert call.call.text == CASE.text
    for argument in CASE.values:
        numbers = value_tokens(call, CASE, argument)
        assert numbers
        assert bool(numbers & call.picked.keys()) == (argument not in unseen)
        if argument in unseen:
            assert not numbers & call.picked.keys()


def test_what_a_token_was_picked_among_is_what_the_rule_allowed_there():
    call, _ = written("constrained", CASE, CASE.oracle())
    constraint = CASE.request.toolset.call_constraint()
    for number, token in enumerate(call.tokens):
        if number in call.picked:
            mask = constraint.mask()
            assert [call.could_pick(number, other) for other in range(mask.size)] == mask.tolist()
        constraint.advance(token)
    assert not call.could_pick(len(call.tokens), call.tokens[0])
