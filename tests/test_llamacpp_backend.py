"""The llama.cpp backend on the embedded model: its rules, and the laws that need real logits."""

from dataclasses import replace
from functools import cache

import jsonschema
import llama_cpp
import numpy as np
import pytest
from extent import in_turn
from strategies import CONSTRAINED

from engine.commands import TRUNK, Drop, Fork, Pass, Phase, Row, Status
from engine.driver import run_blocking
from engine.errors import ContextFullError, EngineError, EngineFatalError, PassAbortedError, ScheduleError
from engine.llamacpp import BackendOptions, load_model, open_backend
from engine.llamacpp.return_codes import check_decode
from engine.records import RunRecord
from engine.schedules import SCHEDULES
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory
from sim.replay import Replay
from studies.models import embedded_model
from tests.embedded import ALARM, ASK, WEATHER, decoder

pytestmark = pytest.mark.engine

NOISE = 0.5
"""How far logits may differ, root mean square, between passes of different widths: other kernels, other rounding.

Measured on x86: 0.1 to 0.3. A trunk that holds the call's tokens in the wrong order is off by 4 to 5."""


@pytest.fixture(scope="module")
def small():
    """A context of 256 cells and 4 sequences, passes of 64 rows with 8 picks."""
    model = load_model(embedded_model())
    backend = open_backend(model, BackendOptions(256, 4, 64, 8))
    yield backend
    backend.close()
    model.close()


@pytest.fixture(autouse=True)
def _empty(small):
    small.clear()
    decoder().backend.clear()


def rows(count, start=0, sequences=(TRUNK,), pick_last=False):
    return tuple(Row(100 + i, start + i, sequences, pick_last and i == count - 1) for i in range(count))


def logits_after(backend, tokens):
    """The logits behind `tokens`, prefilled into an empty trunk."""
    backend.clear()
    return fill(backend, tokens)


@cache
def reference():
    """A context of the embedded model in which no schedule runs: its prompts, by the sequence that holds each."""
    backend = open_backend(decoder().preparer.model, BackendOptions(context_tokens=2048, max_sequences=16))
    return backend, {}


@cache
def fresh_logits(prompt, call):
    """The logits behind a prompt and a call's tokens in a context where both were prefilled; a prompt once for all."""
    backend, held = reference()
    if prompt not in held:
        held[prompt] = len(held) + 1
        fill(backend, prompt, sequence=held[prompt])
    backend.fork(Fork(held[prompt], (TRUNK,)))
    logits = fill(backend, call, len(prompt))
    backend.drop(Drop(TRUNK))
    return logits


def fill(backend, tokens, start=0, sequence=TRUNK):
    """The logits behind `tokens`, prefilled from position `start` on."""
    end = start + len(tokens)
    every = [Row(token, start + n, (sequence,), start + n == end - 1) for n, token in enumerate(tokens)]
    for rows_of_pass in (every[n : n + 256] for n in range(0, len(every), 256)):
        readout = backend.run(Pass(Phase.PROMPT, tuple(rows_of_pass)))
    return backend.logits(len(rows_of_pass) - 1, readout.pass_number).copy()


def rms(difference):
    return float(np.sqrt(np.mean(difference**2)))


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (Pass(Phase.PROMPT, rows(65)), "65 rows; this context takes at most 64"),
        (Pass(Phase.PROMPT, rows(1, sequences=(4,))), "sequence 4: this context has 4"),
        (Pass(Phase.PROMPT, tuple(Row(1, i, pick=True) for i in range(9))), "9 picks; this context takes 8"),
        (Pass(Phase.PROMPT, rows(1, start=3) + rows(1, start=5)), "refused a pass of 2 rows as invalid"),
        (Pass(Phase.PROMPT, (Row(10**6, 0),)), "refused a pass of 1 rows as invalid"),
    ],
)
def test_what_would_abort_the_process_is_an_error_instead(small, command, problem):
    with pytest.raises(ScheduleError, match=problem):
        small.run(command)


def test_a_fork_goes_to_empty_sequences_within_range(small):
    small.run(Pass(Phase.PROMPT, rows(3)))
    small.fork(Fork(TRUNK, (1,)))
    with pytest.raises(ScheduleError, match="fork to sequence 1, which is not empty"):
        small.fork(Fork(TRUNK, (1,)))
    with pytest.raises(ScheduleError, match="sequence 9"):
        small.fork(Fork(TRUNK, (9,)))
    with pytest.raises(ScheduleError, match="sequence 9"):
        small.drop(Drop(9))
    small.drop(Drop(1))
    small.fork(Fork(TRUNK, (1,)))


def test_a_full_context_is_an_error_that_leaves_the_memory_as_it_was(small):
    for start in range(0, 240, 60):
        small.run(Pass(Phase.PROMPT, rows(60, start)))
    with pytest.raises(ContextFullError) as raised:
        small.run(Pass(Phase.PROMPT, rows(60, 240)))
    assert raised.value.code == 1
    small.run(Pass(Phase.PROMPT, rows(10, 240)))


def test_a_pick_needs_a_row_that_asked_and_the_last_pass(small):
    toolset = decoder().preparer.toolset([WEATHER])
    first = small.run(Pass(Phase.PROMPT, rows(2, pick_last=True)))
    with pytest.raises(ScheduleError, match="row 0 was not asked for a pick"):
        first.pick(0, toolset.call_constraint())
    assert first.pick(-1, toolset.call_constraint()) == toolset.call_constraint().forced()[0]
    small.run(Pass(Phase.PROMPT, rows(1, 2)))
    constraint = toolset.call_constraint()
    constraint.advance_all(constraint.forced())
    with pytest.raises(ScheduleError, match="not the last one"):
        first.pick(1, constraint)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (1, ContextFullError),
        (2, PassAbortedError),
        (-1, ScheduleError),
        (-2, EngineFatalError),
        (-7, EngineFatalError),
        (5, EngineError),
    ],
)
def test_each_return_code_has_its_own_error(code, error):
    with pytest.raises(error):
        check_decode(code, 3, "a reason")
    check_decode(0, 3, "")


def test_passes_of_any_width_run_on_the_same_threads(small):
    counts = {llama_cpp.llama_n_threads(small._context), llama_cpp.llama_n_threads_batch(small._context)}
    assert counts == {small.options.thread_count}


EARLY = {
    *("skeleton", "parallel", "schemaweaver"),
    *("verified", "branched", "drafted", "auto"),
}
"""Schedules that hand a read-only tool its required arguments before the optional ones are decided."""


OFFERED = {"one tool": [WEATHER], "two tools": [WEATHER, ALARM]}


@pytest.mark.parametrize(("name", "offered"), in_turn(CONSTRAINED, tuple(OFFERED)))
def test_validity_and_parity_and_memory_on_the_real_engine(name, offered):
    """The call validates, a replay has the same passes, and the trunk is that of a fresh prefill.

    Tiny models have every schedule with one tool and with two.
    """
    tools = OFFERED[offered]
    preparer, backend = decoder().preparer, decoder().backend
    request = replace(preparer.request(ASK, preparer.toolset(tools), max_call_tokens=96), tile_rows=2)
    request = replace(request, given_arguments=())
    outcome = run_blocking(SCHEDULES[name](request), backend)
    run = RunRecord("c", name, "measured", 0, len(request.prompt), 0, outcome.passes, outcome.emits)
    assert run.call.name == "get_weather"
    jsonschema.validate(dict(run.call.arguments), WEATHER.parameters)
    statuses = [emit.status for emit in run.emits]
    early = [Status.PROVISIONAL] if name in EARLY else []
    # The pick that ends a number may also say that nothing follows: then there is nothing to be early for.
    assert statuses[:-1] == early or (name, statuses[:-1]) == ("jump_forward_provisional", [Status.PROVISIONAL])

    simulated = SimulatedBackend(Replay(run), SequenceMemory())
    replayed = run_blocking(SCHEDULES[name](request), simulated)
    assert [p.command for p in replayed.passes] == [p.command for p in outcome.passes]
    assert [p.picks for p in replayed.passes] == [p.picks for p in outcome.passes]

    held = simulated.memory.tokens(TRUNK)
    ends = [llama_cpp.llama_memory_seq_pos_max(backend._memory, s) for s in range(backend.options.max_sequences)]
    assert ends == [len(held) - 1, *[-1] * (len(ends) - 1)]
    assert preparer.model.vocabulary.decode(held[len(request.prompt) :]) == run.call.text.encode()
    next_row = Row(held[-1], len(held), pick=True)
    after_schedule = backend.run(Pass(Phase.SERIAL, (next_row,)))
    kept = backend.logits(0, after_schedule.pass_number).copy()
    call = held[len(request.prompt) :]
    assert rms(kept - fresh_logits(request.prompt, (*call, held[-1]))) < NOISE
    assert rms(kept - fresh_logits(request.prompt, (*call[::-1], held[-1]))) > 4 * NOISE


def test_a_branch_does_not_see_its_siblings():
    """Isolation: the logits of a branch are those of its own text alone, whatever a sibling in the same pass holds."""
    backend = decoder().backend
    shared = list(range(1000, 1020))

    def branch_logits(sibling_tokens):
        backend.clear()
        backend.run(Pass(Phase.PROMPT, tuple(Row(t, i) for i, t in enumerate(shared))))
        backend.fork(Fork(TRUNK, (1, 2)))
        own = [Row(2000 + i, 20 + i, (1,), i == 3) for i in range(4)]
        sibling = [Row(t, 20 + i, (2,)) for i, t in enumerate(sibling_tokens)]
        readout = backend.run(Pass(Phase.VALUES, (*own, *sibling)))
        return backend.logits(3, readout.pass_number).copy()

    one, other = branch_logits([3000, 3001, 3002]), branch_logits([4000, 4001, 4002])
    assert np.abs(one - other).max() < 1e-3
    alone = logits_after(backend, [*shared, 2000, 2001, 2002, 2003])
    assert rms(one - alone) < NOISE


def test_padding_changes_no_call_on_the_real_engine_beyond_noise():
    """The padded pass is wider, so logits may round otherwise; the call of this clear request stays the same."""
    preparer, backend = decoder().preparer, decoder().backend
    toolset = preparer.toolset([WEATHER])
    calls = []
    for tile in (1, 4, 8):
        backend.clear()
        request = preparer.request(ASK, toolset, max_call_tokens=96, tile_rows=tile)
        calls.append(run_blocking(SCHEDULES["schemaweaver"](request), backend).emits[-1].call.text)
    assert len(set(calls)) == 1
