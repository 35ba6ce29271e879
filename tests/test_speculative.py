"""Speculative decoding with a draft model: whatever it drafts, the call is that of constrained decoding."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, cases, examples, memories, whims
from tracing import trace

from cost_models import AffineCost
from engine.capabilities import ATTENTION, Capabilities
from engine.commands import TRUNK, Draft, Drop, Fork, Pass, Phase, Row
from engine.driver import run_blocking
from engine.errors import InputError, ScheduleError
from engine.records import RunRecord, run_from_json, run_to_json
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory
from sim.replay import Replay
from sim.world import Simulated, simulate

LIMIT = 80
CITY = Tool("get", "", {"properties": {"a": {"type": "string"}}, "required": ["a"]})
TOKYO = Case((CITY,), CITY, {"a": '"Tokyo or so"'})


def drafting(case: Case, memory: Capabilities, count: int):
    return replace(case.request, draft_memory=memory, draft_tokens=count)


def backend(writer, memory: Capabilities = ATTENTION) -> SimulatedBackend:
    return SimulatedBackend(writer, SequenceMemory(capabilities=memory))


class Never:
    """A draft model that writes what no schema takes."""

    def next_token(self, tokens, rule):
        return 0


@examples(60)
@given(cases(max_call_tokens=LIMIT), whims, whims, st.booleans(), st.booleans(), memories, st.integers(1, 6))
def test_equality_whatever_the_draft_model_drafts(case, whim, other, is_oracle, knows, memory, count):
    writer = case.oracle() if is_oracle else whim.writer(case.vocabulary)
    drafts = whim.writer(case.vocabulary) if knows else other.writer(case.vocabulary)
    plain = trace("constrained", case.request, writer)
    run = trace("speculative", drafting(case, memory, count), writer, backend(drafts, memory))
    assert run.call == plain.call
    assert run.trunk_call_tokens == plain.trunk_call_tokens


@examples(40)
@given(cases(max_call_tokens=LIMIT), whims, whims, memories, st.integers(1, 6))
def test_memory_of_the_draft_model_holds_what_the_trunk_does_and_drafts_on_it(case, whim, other, memory, count):
    drafts = backend(other.writer(case.vocabulary), memory)
    run = trace("speculative", drafting(case, memory, count), whim.writer(case.vocabulary), drafts)
    assert drafts.memory.sequences <= {TRUNK}
    held, text = drafts.memory.tokens(TRUNK), run.memory.tokens(TRUNK)
    longest = max((n for n in range(len(held) + 1) if held[:n] == text[:n]), default=0)
    assert len(held) - longest < count


@examples(40)
@given(cases(max_call_tokens=LIMIT), whims, whims, memories, st.integers(1, 6))
def test_parity_a_replayed_run_with_a_draft_model_has_the_same_passes(case, whim, other, memory, count):
    request, writer = drafting(case, memory, count), whim.writer(case.vocabulary)
    run = trace("speculative", request, writer, backend(other.writer(case.vocabulary), memory))
    record = run_from_json(run_to_json(run.record()))
    again = trace("speculative", request, Replay(record), backend(Replay(record, drafts=True), memory))
    assert again.commands == run.commands


def phases(run) -> list[tuple[str, int]]:
    return [(str(command.phase), command.width) for command, _ in run.passes if command.phase is not Phase.PROMPT]


@pytest.mark.parametrize("memory", [ATTENTION, Capabilities(removes_part=False), Capabilities(window_tokens=4)])
def test_passes_a_draft_model_that_is_always_right_saves_all_but_one_of_each_draft(memory):
    length = len(trace("constrained", TOKYO.request, TOKYO.oracle()).trunk_call_tokens)
    run = trace("speculative", drafting(TOKYO, memory, 3), TOKYO.oracle(), backend(Eager(TOKYO), memory))
    # The first token is forced; each pass after it decides four.
    checked = -(-(length - 1) // 4)
    assert run.count(Phase.VERIFY, Phase.SERIAL) == checked
    assert run.count(Phase.DRAFT) <= 3 * checked
    prompt = len(TOKYO.request.prompt)
    behind_prompt = phases(run)
    assert behind_prompt[0] == ("draft", prompt + 1)
    assert behind_prompt[3] == ("verify", 4)


class Eager:
    """Writes the case's call without a rule; behind its end anything."""

    def __init__(self, case: Case) -> None:
        self._call, self._prompt = case.oracle().spellings[0], len(case.request.prompt)

    def next_token(self, tokens, rule):
        return (*self._call, 0)[len(tokens) - self._prompt]


def test_passes_a_token_that_the_schema_refuses_ends_the_draft_and_is_not_checked():
    run = trace("speculative", drafting(TOKYO, ATTENTION, 4), TOKYO.oracle(), backend(Never()))
    serial = trace("constrained", TOKYO.request, TOKYO.oracle()).count(Phase.SERIAL)
    assert (run.count(Phase.SERIAL), run.count(Phase.VERIFY), run.count(Phase.DRAFT)) == (serial, 0, serial)


def test_time_draft_passes_cost_what_the_draft_model_says():
    own, draft = AffineCost(base_ms=100.0, row_ms=0.0), AffineCost(base_ms=7.0, row_ms=1.0)
    steps = SCHEDULES["speculative"](drafting(TOKYO, ATTENTION, 3))
    outcome = simulate(steps, backend(TOKYO.oracle()), own, draft=Simulated(backend(Eager(TOKYO)), draft))
    for record in outcome.passes:
        is_draft = record.command.phase is Phase.DRAFT
        assert record.duration_ms == (7.0 + record.command.width if is_draft else 100.0)
    run = RunRecord("c", "speculative", "simulated", 0, 8, 0, outcome.passes, outcome.emits)
    assert run.final_ms == sum(
        p.duration_ms
        for p in outcome.passes
        if p.command.phase is not Phase.PROMPT and p.end_ms <= outcome.emits[-1].at_ms
    )
    assert all(p.command.phase is not Phase.DRAFT for p in run.call_passes)


def test_parity_both_drivers_perform_the_same_commands_of_a_draft_model():
    cost = AffineCost(base_ms=1.0, row_ms=0.0)
    request = drafting(TOKYO, ATTENTION, 3)
    simulated = simulate(
        SCHEDULES["speculative"](request), backend(TOKYO.oracle()), cost, draft=Simulated(backend(Eager(TOKYO)), cost)
    )
    measured = run_blocking(SCHEDULES["speculative"](request), backend(TOKYO.oracle()), draft=backend(Eager(TOKYO)))
    assert [(p.command, p.picks) for p in simulated.passes] == [(p.command, p.picks) for p in measured.passes]


def test_a_request_with_a_draft_model_in_a_run_without_one_is_refused():
    with pytest.raises(InputError, match="none"):
        run_blocking(SCHEDULES["speculative"](drafting(TOKYO, ATTENTION, 3)), backend(TOKYO.oracle()))


def test_a_draft_model_has_passes_of_its_own_phase_alone():
    row = (Row(5, 0),)
    assert Draft(Pass(Phase.DRAFT, row)).command.width == 1
    assert Draft(Fork(0, (1,))) != Draft(Drop(1))
    with pytest.raises(ScheduleError, match="serial"):
        Draft(Pass(Phase.SERIAL, row))
