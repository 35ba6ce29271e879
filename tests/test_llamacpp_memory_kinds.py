"""The backend, the schedules and prompt reuse on real llama.cpp, with a tiny model of each kind of memory."""

from dataclasses import replace

import jsonschema
import llama_cpp
import numpy as np
import pytest
from strategies import CONSTRAINED
from tiny_models import KINDS, open_tiny

from engine.commands import TRUNK, Drop, Fork, Pass, Phase, Row, Trim
from engine.driver import run_blocking
from engine.errors import ContextFullError, EngineFatalError, ScheduleError
from engine.llamacpp import Decoder
from engine.llamacpp.backend import MAX_SEQUENCES
from engine.prompt_reuse import WORTH_KEEPING_TOKENS
from engine.records import RunRecord
from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory
from sim.replay import Replay

NOISE = 5e-3
"""How far logits may differ between passes of different widths: memory is of half precision, logits go up to 8.

Measured: up to 1e-3. Two tokens swapped make a difference of 0.1 and more."""

TRIP = Tool(
    "trip",
    "",
    {
        "type": "object",
        "properties": {
            "city": {"enum": ["Tokyo", "Oslo", "Rome"]},
            "days": {"type": "integer", "minimum": 0, "maximum": 99},
            "note": {"type": "string", "maxLength": 4},
            "return": {"type": "boolean"},
        },
        "required": ["city", "days", "note"],
    },
)
STOP = Tool("stop", "", {"type": "object", "properties": {}})
ASK = [{"role": "user", "content": "city user name get"}]

kinds = pytest.mark.parametrize("kind", KINDS)
cut_kinds = pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.capabilities.removes_part])
uncut_kinds = pytest.mark.parametrize(
    "kind", [name for name, kind in KINDS.items() if not kind.capabilities.removes_part]
)


@pytest.fixture(scope="module")
def decoders(tmp_path_factory):
    opened = {kind: open_tiny(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}
    yield opened
    for each in opened.values():
        each.close()


@pytest.fixture
def decoder(decoders, kind) -> Decoder:
    decoders[kind].backend.clear()
    return decoders[kind]


def rows(tokens, start=0, sequence=TRUNK, pick_last=True):
    last = len(tokens) - 1
    return tuple(Row(token, start + i, (sequence,), pick_last and i == last) for i, token in enumerate(tokens))


def logits_of(backend, *passed, row=-1):
    """The logits of a row of a pass."""
    command = Pass(Phase.SERIAL, sum(passed, ()))
    readout = backend.run(command)
    return backend.logits(row % command.width, readout.pass_number).copy()


def fresh_logits(backend, tokens):
    """The logits behind `tokens` in an empty context."""
    backend.clear()
    for start in range(0, len(tokens), 128):
        logits = logits_of(backend, rows(tokens[start : start + 128], start))
    return logits


def difference(one, other):
    return float(np.abs(one - other).max())


def mixed_up(tokens):
    """`tokens` with two of the last ones swapped: memory that is wrong by little."""
    return [*tokens[:-3], tokens[-2], tokens[-3], tokens[-1]]


@kinds
def test_the_capabilities_are_those_of_the_kind(decoder, kind):
    assert decoder.preparer.model.capabilities == KINDS[kind].capabilities


@pytest.mark.parametrize("tools", [[TRIP], [TRIP, STOP]], ids=["one tool", "two tools"])
@pytest.mark.parametrize("schedule", CONSTRAINED)
@kinds
def test_validity_and_parity_and_memory(decoder, kind, schedule, tools):
    """The call validates, a replay in the simulator has the same passes, and the trunk is that of a fresh prefill."""
    request = decoder.preparer.request(ASK, decoder.preparer.toolset(tools), max_call_tokens=150)
    request = replace(request, given_arguments=())
    backend = decoder.backend
    outcome = run_blocking(SCHEDULES[schedule](request), backend)
    run = RunRecord("c", schedule, "measured", 0, len(request.prompt), 0, outcome.passes, outcome.emits)
    jsonschema.validate(dict(run.call.arguments), next(t for t in tools if t.name == run.call.name).parameters)

    simulated = SimulatedBackend(Replay(run), SequenceMemory(capabilities=request.capabilities))
    replayed = run_blocking(SCHEDULES[schedule](request), simulated)
    assert [p.command for p in replayed.passes] == [p.command for p in outcome.passes]

    held = simulated.memory.tokens(TRUNK)
    assert (backend.sequences, backend.tokens(TRUNK)) == ({TRUNK}, held)
    ends = [llama_cpp.llama_memory_seq_pos_max(backend._memory, s) for s in range(backend.options.max_sequences)]
    assert ends == [len(held) - 1, *[-1] * (len(ends) - 1)]
    kept = logits_of(backend, rows([held[-1]], len(held)))
    assert difference(kept, fresh_logits(backend, [*held, held[-1]])) < NOISE
    assert difference(kept, fresh_logits(backend, mixed_up([*held, held[-1]]))) > 10 * NOISE


@kinds
def test_equality_of_the_serial_schedules(decoder, kind):
    toolset = decoder.preparer.toolset([TRIP, STOP])
    texts = set()
    for schedule in ("constrained", "jump_forward"):
        decoder.backend.clear()
        request = decoder.preparer.request(ASK, toolset, max_call_tokens=150)
        texts.add(run_blocking(SCHEDULES[schedule](request), decoder.backend).emits[-1].call.text)
    assert len(texts) == 1


@kinds
def test_isolation_branches_of_unequal_length_do_not_see_each_other(decoder, kind):
    backend, shared = decoder.backend, list(range(40, 70))
    own, sibling = [80, 81, 82], [90, 91, 92, 93, 94]
    backend.run(Pass(Phase.PROMPT, rows(shared)))
    backend.fork(Fork(TRUNK, (1, 2)))
    beside = logits_of(backend, rows(sibling, 30, 2), rows(own, 30, 1))
    backend.drop(Drop(2))
    backend.fork(Fork(TRUNK, (2,)))
    alone_again = logits_of(backend, rows(own, 30, 2))
    trunk = logits_of(backend, rows(own, 30))
    fresh = fresh_logits(backend, [*shared, *own])
    assert max(difference(each, fresh) for each in (beside, alone_again, trunk)) < NOISE


@kinds
def test_rows_are_shared_where_the_memory_can(decoder, kind):
    backend, shared, own = decoder.backend, list(range(40, 70)), [80, 81, 82]
    backend.run(Pass(Phase.PROMPT, rows(shared[:20])))
    backend.fork(Fork(TRUNK, (1, 2)))
    head = tuple(Row(token, 20 + i, (0, 1, 2)) for i, token in enumerate(shared[20:]))
    if not KINDS[kind].capabilities.shares_rows:
        with pytest.raises(
            ScheduleError, match=r"recurrent\.gguf has recurrent memory, in which sequences cannot share"
        ):
            backend.run(Pass(Phase.SKELETON, head))
        return
    branch = logits_of(backend, head, rows([90], 30, 1), rows(own, 30, 2))
    trunk = logits_of(backend, rows(own, 30))
    fresh = fresh_logits(backend, [*shared, *own])
    assert max(difference(each, fresh) for each in (branch, trunk)) < NOISE


@cut_kinds
def test_a_trimmed_sequence_is_as_if_the_end_had_never_been(decoder, kind):
    backend, kept, rejected, others = decoder.backend, list(range(40, 70)), [80, 81, 82], [90, 91]
    backend.run(Pass(Phase.PROMPT, rows(kept[:25])))
    backend.fork(Fork(TRUNK, (1,)))
    backend.run(Pass(Phase.VALUES, rows([*kept[25:], *rejected], 25)))
    backend.trim(Trim(TRUNK, 30))
    assert backend.tokens(TRUNK) == tuple(kept)
    after = logits_of(backend, rows(others, 30))
    branch = logits_of(backend, rows(others, 25, 1))
    assert difference(after, fresh_logits(backend, [*kept, *others])) < NOISE
    assert difference(branch, fresh_logits(backend, [*kept[:25], *others])) < NOISE


@uncut_kinds
def test_a_memory_that_cannot_be_cut_says_so_and_stays_as_it_is(decoder, kind):
    backend, held = decoder.backend, list(range(40, 70))
    backend.run(Pass(Phase.PROMPT, rows(held)))
    with pytest.raises(ScheduleError, match="cannot remove part of a sequence"):
        backend.trim(Trim(TRUNK, 20))
    assert not llama_cpp.llama_memory_seq_rm(backend._memory, TRUNK, 20, -1)
    backend.trim(Trim(TRUNK, 30))
    after = logits_of(backend, rows([80], 30))
    assert difference(after, fresh_logits(backend, [*held, 80])) < NOISE


@pytest.mark.parametrize("kind", ["window"])
def test_a_window_is_not_cut_where_what_it_saw_has_been_used_anew(decoder, kind):
    """A dropped sequence leaves a gap in the pool; what does not fit into it goes where nothing is in sight."""
    backend, held = decoder.backend, list(range(40, 140))
    backend.run(Pass(Phase.VALUES, rows(held[:50], 0, 1)))
    backend.run(Pass(Phase.PROMPT, rows(held)))
    backend.drop(Drop(1))
    assert backend.can_trim(Trim(TRUNK, 10))
    backend.run(Pass(Phase.PROMPT, rows(held[:60], 100)))
    with pytest.raises(ScheduleError, match="what a window of 16 tokens sees there is lost"):
        backend.trim(Trim(TRUNK, 10))
    backend.trim(Trim(TRUNK, 100))
    after = logits_of(backend, rows([151], 100))
    assert difference(after, fresh_logits(backend, [*held, 151])) < NOISE


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (Trim(TRUNK, 9), r"Trim\(sequence=0, tokens=9\): the sequence holds 3 tokens"),
        (Trim(1, 1), "the sequence holds 0 tokens"),
        (Trim(8, 1), "sequence 8: this context has 8, from 0 on"),
    ],
)
@kinds
def test_a_trim_leaves_a_start_of_what_is_held(decoder, kind, command, problem):
    decoder.backend.run(Pass(Phase.PROMPT, rows([40, 41, 42])))
    with pytest.raises(ScheduleError, match=problem):
        decoder.backend.trim(command)


# Prompt reuse


def ask(decoder, messages, schedule="schemaweaver", tools=(TRIP,)):
    return decoder.preparer.request(messages, decoder.preparer.toolset(tools), max_call_tokens=150), schedule


def check_trunk(backend):
    """The memory is that of a fresh prefill of what it is said to hold."""
    held = backend.tokens(TRUNK)
    kept = logits_of(backend, rows([40], len(held)))
    assert difference(kept, fresh_logits(backend, [*held, 40])) < NOISE


@kinds
def test_the_first_call_reuses_nothing(decoder, kind):
    assert decoder.call(*ask(decoder, ASK)).reused_tokens == 0


@pytest.mark.parametrize("schedule", CONSTRAINED)
@kinds
def test_a_conversation_that_goes_on_reuses_all_that_is_held(decoder, kind, schedule):
    request, schedule = ask(decoder, ASK, schedule)
    request = replace(request, given_arguments=())
    decoder.call(request, schedule)
    held = decoder.backend.tokens(TRUNK)
    assert held[: len(request.prompt)] == request.prompt
    second = decoder.call(replace(request, prompt=(*held, *request.prompt)), schedule)
    assert second.reused_tokens == len(held)
    check_trunk(decoder.backend)


@kinds
def test_prompts_with_the_same_start_reuse_it(decoder, kind):
    """Memory that cannot be cut copies the common start on the second prompt, and starts from the copy on the third."""
    common = "user name get city " * 4
    reused, calls = [], []
    for end in ("a", "b", "c", "c"):
        request, schedule = ask(decoder, [{"role": "user", "content": common + end}])
        run = decoder.call(request, schedule)
        reused.append(run.reused_tokens)
        calls.append((request, run.call.text))
    shared = next(
        i for i, pair in enumerate(zip(calls[0][0].prompt, calls[1][0].prompt, strict=True)) if len(set(pair)) > 1
    )
    assert shared > WORTH_KEEPING_TOKENS
    whole = len(request.held().prompt)
    assert reused == ([0, shared, shared, whole] if KINDS[kind].capabilities.removes_part else [0, 0, shared, shared])
    check_trunk(decoder.backend)
    for request, text in calls:
        decoder.backend.clear()
        assert decoder.call(request, "schemaweaver").call.text == text


@kinds
def test_another_prompt_starts_anew(decoder, kind):
    decoder.call(*ask(decoder, ASK))
    run = decoder.call(*ask(decoder, [{"role": "user", "content": "!"}], tools=(STOP,)))
    assert run.reused_tokens <= 1
    check_trunk(decoder.backend)


@kinds
def test_branches_that_a_failed_run_left_are_dropped_with_the_next_call(decoder, kind):
    backend = decoder.backend
    backend.run(Pass(Phase.PROMPT, rows([40, 41])))
    backend.fork(Fork(TRUNK, (1, 2, 3)))
    assert decoder.call(*ask(decoder, ASK)).call.is_complete
    assert backend.sequences == {TRUNK}
    check_trunk(backend)


# What does not fit


@kinds
def test_a_pool_that_is_full_is_an_error_that_leaves_the_memory_as_it_was(kind, tmp_path):
    decoder = open_tiny(kind, tmp_path, context_tokens=256, max_sequences=2)
    try:
        decoder.backend.run(Pass(Phase.PROMPT, rows(range(3, 243))))
        overflow = Pass(Phase.VALUES, rows([40] * 40, 240))
        if kind == "recurrent":
            decoder.backend.run(overflow)  # A state takes no more room for more tokens.
            return
        with pytest.raises(ContextFullError):
            decoder.backend.run(overflow)
        assert len(decoder.backend.tokens(TRUNK)) == 240
        after = logits_of(decoder.backend, rows([40, 41], 240))
        assert difference(after, fresh_logits(decoder.backend, [*range(3, 243), 40, 41])) < NOISE
    finally:
        decoder.close()


@kinds
def test_after_a_failure_in_the_middle_of_a_pass_the_memory_is_empty(decoder, kind, monkeypatch):
    backend = decoder.backend
    backend.run(Pass(Phase.PROMPT, rows([40, 41, 42])))
    with monkeypatch.context() as patched:
        patched.setattr(llama_cpp, "llama_decode", lambda *_: -3)
        with pytest.raises(EngineFatalError):
            backend.run(Pass(Phase.SERIAL, rows([43], 3)))
    assert backend.sequences == frozenset()
    assert llama_cpp.llama_memory_seq_pos_max(backend._memory, TRUNK) == -1
    assert decoder.call(*ask(decoder, ASK)).reused_tokens == 0


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (Pass(Phase.PROMPT, rows([10**6])), r"1 rows as invalid: init: invalid token\[0\] = 1000000"),
        (Pass(Phase.PROMPT, rows([1], 3) + rows([1], 5)), "2 rows as invalid: init: sequence 0 positions are not cont"),
        (Pass(Phase.PROMPT, rows([40] * 257)), "257 rows; this context takes at most 256"),
    ],
)
@kinds
def test_a_refused_pass_says_why(decoder, kind, command, problem):
    with pytest.raises(ScheduleError, match=problem):
        decoder.backend.run(command)
    assert decoder.backend.sequences == frozenset()


@kinds
def test_a_context_of_all_sequences_that_llama_cpp_has(kind, tmp_path):
    """More of them than picks: llama.cpp would abort."""
    decoder = open_tiny(kind, tmp_path, max_sequences=MAX_SEQUENCES, context_tokens=512, max_picks=16)
    try:
        backend, last = decoder.backend, MAX_SEQUENCES - 1
        backend.run(Pass(Phase.PROMPT, rows([40, 41])))
        backend.fork(Fork(TRUNK, tuple(range(1, MAX_SEQUENCES))))
        branch = logits_of(backend, rows([42], 2, 1), rows([43], 2, last))
        assert difference(branch, fresh_logits(backend, [40, 41, 43])) < NOISE
    finally:
        decoder.close()


@pytest.mark.parametrize("count", [0, MAX_SEQUENCES + 1])
def test_a_number_of_sequences_that_llama_cpp_has_not_is_refused(count, tmp_path):
    with pytest.raises(ScheduleError, match=rf"{count} sequences; llama\.cpp has 1 to 256"):
        open_tiny("attention", tmp_path, max_sequences=count)


def test_a_pass_of_more_rows_than_the_context_has_is_refused(tmp_path):
    """llama.cpp would abort, although the context was asked for passes so wide."""
    decoder = open_tiny("attention", tmp_path, context_tokens=256, max_rows=512)
    try:
        with pytest.raises(ScheduleError, match="300 rows; this context takes at most 256"):
            decoder.backend.run(Pass(Phase.PROMPT, rows([40] * 300)))
    finally:
        decoder.close()
