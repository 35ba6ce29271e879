"""The law of memory in a small context: a call that fits is written, however its values are decoded."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from law_cases import HYBRID, LIMIT, kinds, model, small_cases
from strategies import EXACT, Case, all_names, examples, schedule_names, whims
from tracing import Trace, trace

from engine.commands import TRUNK, Drop, Emit, Pass, Phase
from engine.driver import change_memory, run_blocking
from engine.prompt_reuse import plan_reuse, reusing
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory

ANY = {"type": ["string", "object"]}
"""Of a type whose values may be so long that nobody gives one up before it needs more cells."""

NULL = {"type": "null"}

more_cells = st.integers(0, 60)
"""Cells beside those of the prompt and the longest call: from none to enough for most branches."""


def tight(case: Case, call_tokens: int, more: int):
    """The case's request in a context that has room for its prompt, a call of so many tokens, and little more."""
    cells = len(case.request.prompt) + call_tokens + more
    return replace(case.request, max_call_tokens=call_tokens, max_cells=cells)


def most_cells(run: Trace) -> int:
    """Cells in use behind the fullest of a run's passes."""
    memory, most = SequenceMemory(capabilities=run.request.capabilities), 0
    for command in run.commands:
        if isinstance(command, Pass):
            memory.run(command)
            most = max(most, memory.used_cells)
        elif not isinstance(command, Emit):
            change_memory(memory, command)
    return most


@examples(120)
@given(small_cases, whims, kinds, all_names, st.integers(1, LIMIT), more_cells)
def test_memory_a_context_with_room_for_prompt_and_call_is_never_full(case, whim, kind, schedule, limit, more):
    run = trace(schedule, tight(case, limit, more), model(case, whim, kind))
    assert run.memory.sequences == {TRUNK}


@examples(80)
@given(small_cases, whims, kinds, st.integers(0, 3), st.one_of(st.just(0), more_cells))
def test_equality_exact_schedules_write_the_same_call_in_a_context_that_it_just_fits(case, whim, kind, spare, more):
    limit = len(trace("jump_forward", case.request, model(case, whim, kind)).trunk_call_tokens) + spare
    plain = trace("jump_forward", replace(case.request, max_call_tokens=limit), model(case, whim, kind))
    for schedule in EXACT:
        other = trace(schedule, tight(case, limit, more), model(case, whim, kind))
        assert (schedule, other.call, other.trunk_call_tokens) == (schedule, plain.call, plain.trunk_call_tokens)


@examples(80)
@given(small_cases, schedule_names, st.integers(0, 3), more_cells)
def test_equality_every_schedule_writes_a_call_that_just_fits(case, schedule, spare, more):
    longest = len(trace("jump_forward", replace(case.request, max_call_tokens=4000), case.oracle()).trunk_call_tokens)
    run = trace(schedule, tight(case, longest + spare, more), case.oracle())
    assert (run.call.text, run.call.arguments) == (case.text, case.arguments)


@examples(80)
@given(small_cases, whims, kinds, all_names)
def test_memory_a_context_with_all_the_cells_that_a_run_takes_changes_no_command(case, whim, kind, schedule):
    run = trace(schedule, case.request, model(case, whim, kind))
    needed = most_cells(run)
    event(f"more than prompt and call: {needed > len(run.memory.tokens(TRUNK))}")
    again = trace(schedule, replace(case.request, max_cells=needed), model(case, whim, kind))
    assert again.commands == run.commands


LONG, SHORT = '"' + "a-b " * 6 + '"', '"x"'
OPTIONAL = Tool("get", "", {"properties": dict.fromkeys("abop", ANY), "required": ["a", "b"]})
RIDING = Case((OPTIONAL,), OPTIONAL, {"a": SHORT, "b": LONG}, max_call_tokens=52, said="")
"""A call whose first value ends early, while two optional ones, which it will not have, ride along to the end."""


def drops_before_last_values(run: Trace) -> list[int]:
    """The sequences that were dropped before the last pass of the values."""
    last = max(n for n, c in enumerate(run.commands) if isinstance(c, Pass) and c.phase is Phase.VALUES)
    return [command.sequence for command in run.commands[:last] if isinstance(command, Drop)]


@pytest.mark.parametrize(("fewer", "given_up"), [(0, []), (1, [1]), (20, [1, 4]), (40, [1, 4, 3])])
def test_values_that_have_ended_are_given_up_first_then_those_that_ride_along(fewer, given_up):
    """The required values are branches 1 and 2, the optional ones 3 and 4."""
    free = trace("branched", RIDING.request, RIDING.oracle())
    run = trace("branched", replace(RIDING.request, max_cells=most_cells(free) - fewer), RIDING.oracle())
    assert drops_before_last_values(run) == given_up
    assert run.count(Phase.VALUES) == free.count(Phase.VALUES)
    assert run.call == free.call


REQUIRED = Tool("get", "", {"properties": dict.fromkeys("ab", ANY), "required": ["a", "b"]})
SEEING = Case((REQUIRED,), REQUIRED, {"a": LONG, "b": SHORT}, max_call_tokens=52, said="")


class Blind:
    """Writes a long value for `b` too where it does not see `a`."""

    def __init__(self) -> None:
        self._blind = replace(SEEING, values={"a": LONG, "b": LONG}).oracle()

    def next_token(self, tokens, rule):
        sees = '"a": "a-b' in SEEING.vocabulary.decode(tokens).decode(errors="ignore")
        return (SEEING.oracle() if sees else self._blind).next_token(tokens, rule)


@pytest.mark.parametrize("schedule", ["verified", "branched", "drafted", "schemaweaver", "parallel"])
def test_values_that_find_no_room_go_on_along_the_trunk_from_where_they_stand(schedule):
    free = trace(schedule, SEEING.request, Blind())
    request = replace(SEEING.request, max_cells=len(SEEING.request.prompt) + SEEING.max_call_tokens)
    run, serial = (trace(name, request, Blind()) for name in (schedule, "jump_forward"))
    assert most_cells(free) > request.max_cells
    assert 0 < run.count(Phase.VALUES) < free.count(Phase.VALUES)
    assert len(run.passes) < len(serial.passes)
    assert run.call == serial.call


NULLS = dict.fromkeys("abcdefgh", NULL)


@pytest.mark.parametrize("schedule", ["branched", "drafted"])
def test_leads_that_find_no_room_are_not_prefilled(schedule):
    """A short call whose tool has many optional arguments, of which some may ride along."""
    tool = Tool("get", "", {"properties": NULLS, "required": ["a"]})
    case = Case((tool,), tool, {"a": "null"}, "bytes", said="")
    longest = len(trace("jump_forward", case.request, case.oracle()).trunk_call_tokens)
    free, run = (trace(schedule, request, case.oracle()) for request in (case.request, tight(case, longest, 20)))
    widths = [command.width for each in (free, run) for command, _ in each.passes if command.phase is Phase.SKELETON]
    assert widths[1] < widths[0]
    assert run.call == free.call


@dataclass(frozen=True)
class CheapByEight:
    """A device on which rows cost little, and eight of them least."""

    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float:
        return 20.0 + rows % 8


CHEAP_BY_EIGHT = CheapByEight()


@pytest.mark.parametrize("more", range(8))
@pytest.mark.parametrize("schedule", ["drafted", "auto"])
def test_drafts_and_padding_take_no_more_than_there_is(schedule, more):
    """A tile of eight rows has many to give away, and the words that may go on are many."""
    case = Case((REQUIRED,), REQUIRED, {"a": LONG, "b": LONG}, tile_rows=8, prices=CHEAP_BY_EIGHT, said="a-b " * 20)
    longest = len(trace("jump_forward", case.request, case.oracle()).trunk_call_tokens)
    run = trace(schedule, tight(case, longest, more), case.oracle())
    assert run.call.arguments == case.arguments


@pytest.mark.parametrize("more", range(8))
def test_padding_along_the_trunk_takes_no_more_than_there_is(more):
    """Nor does it make a pass wider than may be."""
    tool = Tool("get", "", {"properties": {"a": ANY}, "required": ["a"]})
    case = Case((tool,), tool, {"a": LONG}, prices=CHEAP_BY_EIGHT, said="")
    plain = trace("jump_forward", case.request.held(), case.oracle())
    widest = max(command.width for command, _ in plain.passes)
    request = replace(tight(case, len(plain.trunk_call_tokens), more), max_rows=widest).held()
    run = trace("auto", request, case.oracle())
    assert run.call == plain.call
    assert max(command.width for command, _ in run.passes) <= widest


def test_a_kept_copy_of_another_prompt_takes_cells_from_the_branches():
    memory = SequenceMemory(max_cells=2 * len(RIDING.request.prompt) + 52, capabilities=HYBRID)
    memory.hold((1,) * len(RIDING.request.prompt), sequence=9)
    request = replace(RIDING.request, max_cells=memory.max_cells, capabilities=HYBRID)
    steps = reusing(request, plan_reuse(memory, request, 9), 9, SCHEDULES["branched"])
    run_blocking(steps, SimulatedBackend(RIDING.oracle(), memory))
    assert memory.sequences == {TRUNK, 9}
