"""Recording a workload on llama.cpp, with a tiny model: interrupted anywhere, gone on with, and nothing twice."""

from itertools import islice

import pytest
from tiny_models import open_tiny

from engine.errors import EngineError
from engine.tools import Tool
from sim.workload import WorkloadCall
from studies import stages
from studies.measured_runs import RunPlan, run_workload
from studies.peak_memory import peak_memory_bytes
from studies.planned_runs import planned_runs
from studies.provenance import provenance_of
from studies.resumed_runs import missing_runs
from studies.runs_file import RunsHeader, read_runs
from studies.stages import record_stage

TOOL = Tool("get", "", {"properties": {"city": {"enum": ["Tokyo", "Rome"]}}, "required": ["city"]})
CALLS = [
    WorkloadCall(f"c{n}", ({"role": "user", "content": f"city {n}"},), (TOOL,), "get", {"city": ["Rome"]})
    for n in range(3)
]
PLAN = RunPlan(("constrained", "jump_forward", "verified"), 2, 1, 0.0, 64)
RUNS_OF_A_CALL = 6


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    opened = open_tiny("attention", tmp_path_factory.mktemp("tiny"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def header(decoder):
    provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
    return RunsHeader("toy", 0, "qwen", provenance, planned_runs(PLAN, len(CALLS), None))


def names(runs):
    return [(run.call_id, run.schedule, run.repeat) for run in runs]


@pytest.mark.parametrize("done", [0, 1, RUNS_OF_A_CALL, 2 * RUNS_OF_A_CALL + 5])
def test_going_on_makes_the_runs_that_are_missing_and_no_others(tmp_path, monkeypatch, decoder, header, done):
    path = tmp_path / "runs.jsonl"
    asked = []

    def interrupted(*arguments):
        yield from islice(run_workload(*arguments), done)
        raise KeyboardInterrupt

    def watched(decoder, calls, plan):
        asked.extend(call.call_id for call in calls)
        return run_workload(decoder, calls, plan)

    monkeypatch.setattr(stages, "run_workload", interrupted)
    with pytest.raises(KeyboardInterrupt):
        record_stage(decoder, CALLS, PLAN, path, header, resume=False)
    before = read_runs(path).runs
    assert len(before) == done

    monkeypatch.setattr(stages, "run_workload", watched)
    runs = record_stage(decoder, CALLS, PLAN, path, header, resume=True)
    kept = done // RUNS_OF_A_CALL
    assert asked == [call.call_id for call in CALLS[kept:]]
    assert runs[: kept * RUNS_OF_A_CALL] == list(before[: kept * RUNS_OF_A_CALL])
    assert sorted(names(runs)) == sorted(
        (call.call_id, schedule, repeat) for call in CALLS for schedule in PLAN.schedules for repeat in range(2)
    )
    assert list(read_runs(path).runs) == runs
    assert missing_runs(path) == 0


def test_a_finished_file_leaves_nothing_to_run(tmp_path, decoder, header):
    path = tmp_path / "runs.jsonl"
    runs = record_stage(decoder, CALLS, PLAN, path, header, resume=False)
    again = record_stage(decoder, CALLS, PLAN, path, header, resume=True)
    assert again == runs


def test_peak_memory_is_that_of_a_process_of_its_own_and_its_failure_is_told(decoder, header):
    model = decoder.preparer.model.path
    bfcl = RunsHeader("bfcl:1", 0, "qwen", header.provenance)
    assert peak_memory_bytes("constrained", model, bfcl) > model.stat().st_size
    with pytest.raises(EngineError, match=r"(?s)measures constrained's memory failed: .*unknown workload 'toy'"):
        peak_memory_bytes("constrained", model, header)


def test_each_run_says_how_fast_the_machine_was_right_before_it_and_starts_on_the_prompt_alone(decoder):
    run, again = run_workload(decoder, CALLS[:1], RunPlan(("constrained",), 2, 1, 0.0, 64))
    assert min(run.serial_ms, again.serial_ms) > 0
    commands = [record.command for record in run.passes]
    assert commands == [record.command for record in again.passes]
    assert commands[0].rows[0].position == run.reused_tokens
