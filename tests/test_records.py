"""Records as JSON and back, and what they say of a run."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records_builder import PROMPT_TOKENS, make_run, schedule_passes, tool_call

from engine.calls import ToolCall
from engine.commands import Pass, Phase, Row, Status
from engine.records import EmitRecord, PassRecord, RunRecord, ToolRun, run_from_json, run_to_json

times = st.floats(0, 1e9)
counts = st.integers(0, 10**6)
names = st.text(max_size=5)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=5,
)
rows = st.builds(
    Row, counts, counts, st.lists(st.integers(0, 9), min_size=1, max_size=3, unique=True).map(tuple), st.booleans()
)
passes = st.builds(
    PassRecord,
    st.builds(Pass, st.sampled_from(Phase), st.lists(rows, min_size=1, max_size=3).map(tuple)),
    times,
    times,
    st.lists(st.tuples(counts, counts), max_size=3).map(tuple),
)
calls = st.builds(
    ToolCall, names, st.none() | st.dictionaries(names, values, max_size=3), names, st.dictionaries(names, names)
)
runs = st.builds(
    RunRecord,
    call_id=names,
    schedule=names,
    source=st.sampled_from(("measured", "simulated")),
    repeat=counts,
    prompt_tokens=counts,
    reused_tokens=counts,
    passes=st.lists(passes, max_size=3).map(tuple),
    emits=st.lists(st.builds(EmitRecord, calls, st.sampled_from(Status), times), max_size=2).map(tuple),
    tool_runs=st.lists(st.builds(ToolRun, st.sampled_from(Status), times, times, st.booleans()), max_size=2).map(tuple),
    settings=st.dictionaries(names, values, max_size=2),
)
verdicts = st.tuples(st.just(True), st.just("")) | st.tuples(st.just(False), names) | st.just((None, ""))


@given(runs, verdicts, st.none() | times)
def test_a_run_comes_back_from_json_as_it_was(run, verdict, serial_ms):
    run = replace(run, is_right=verdict[0], why_wrong=verdict[1], serial_ms=serial_ms)
    again = run_from_json(json.loads(json.dumps(run_to_json(run))))
    assert again == run
    assert all(isinstance(record.command.phase, Phase) for record in again.passes)
    assert all(isinstance(emit.status, Status) for emit in again.emits)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"passes": None}, TypeError),
        ({"passes": [{"phase": "prompt"}]}, KeyError),
        ({"emits": [{"status": "done"}]}, KeyError),
        ({"tool_runs": [["started", 0.0, 1.0, True]]}, ValueError),
        ({"tool_runs": [["final", 0.0]]}, ValueError),
    ],
)
def test_other_data_is_no_run(change, error):
    data = run_to_json(make_run(schedule_passes("constrained", 2)))
    with pytest.raises(error):
        run_from_json(data | change)


@pytest.mark.parametrize("key", sorted(run_to_json(make_run(schedule_passes("constrained", 2)))))
def test_every_field_has_to_be_there(key):
    data = run_to_json(make_run(schedule_passes("constrained", 2)))
    del data[key]
    with pytest.raises(KeyError, match=key):
        run_from_json(data)


def test_a_call_that_nobody_judged_has_no_verdict_in_its_record():
    data = run_to_json(make_run(schedule_passes("constrained", 2)))
    assert data.keys().isdisjoint({"is_right", "why_wrong", "serial_ms"})
    assert run_from_json(data).is_right is None
    assert run_from_json(data | {"is_right": True}).is_right is True


def row_pass(phase: Phase, width: int) -> Pass:
    return Pass(phase, tuple(Row(7, position) for position in range(width)))


def run_of(*emits: tuple[Status, float], prompt: bool = True) -> RunRecord:
    """A prompt's pass from 1 to 11 ms, and two others from 12 to 17 and from 19 to 22 ms."""
    first = [PassRecord(row_pass(Phase.PROMPT, 4), 1.0, 11.0)] if prompt else []
    others = [PassRecord(row_pass(Phase.JUMP, 2), 12.0, 17.0), PassRecord(row_pass(Phase.WRITE_BACK, 1), 19.0, 22.0)]
    emitted = tuple(EmitRecord(tool_call(str(status)), status, at) for status, at in emits)
    return RunRecord("c", "s", "measured", 0, PROMPT_TOKENS, 0, (*first, *others), emitted)


@pytest.mark.parametrize(
    ("emits", "tool_start_ms", "final_ms"),
    [
        ([(Status.FINAL, 18.0)], 7.0, 7.0),
        ([(Status.PROVISIONAL, 13.0), (Status.CONFIRMED, 18.0)], 2.0, 7.0),
        ([(Status.PROVISIONAL, 13.0), (Status.CORRECTED, 18.0)], 7.0, 7.0),
        ([(Status.INCOMPLETE, 18.0)], 7.0, 7.0),
    ],
)
def test_latency_starts_behind_the_prompt_and_ends_with_the_emission_that_stands(emits, tool_start_ms, final_ms):
    run = run_of(*emits)
    assert (run.prompt_end_ms, run.tool_start_ms, run.final_ms) == (11.0, tool_start_ms, final_ms)
    assert run.call == run.emits[-1].call


def test_without_a_prompt_pass_latency_starts_with_the_run():
    run = run_of((Status.FINAL, 18.0), prompt=False)
    assert (run.prompt_end_ms, run.final_ms) == (0.0, 18.0)
    assert len(run.call_passes) == len(run.passes) == 2


def test_host_time_is_what_is_left_beside_the_passes():
    run = run_of((Status.FINAL, 18.0))
    assert [record.duration_ms for record in run.passes] == [10.0, 5.0, 3.0]
    assert [record.command.phase for record in run.call_passes] == [Phase.JUMP, Phase.WRITE_BACK]
    assert run.host_ms == 22.0 - 18.0
