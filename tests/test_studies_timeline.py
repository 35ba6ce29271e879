import json
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands import Phase, Status
from engine.errors import InputError
from engine.records import EmitRecord, ToolRun
from studies.timeline import GAP_MS, trace, trace_text, write_trace
from tests.records_builder import make_run, schedule_passes, serial_passes, study, tool_call, trunk_pass, values_pass

MEASURED, SIMULATED = 1, 2


def events(runs, kind):
    return [event for event in trace(runs)["traceEvents"] if event["ph"] == kind]


def track_names(runs):
    labels = [e for e in events(runs, "M") if e["name"] == "thread_name"]
    return {(e["pid"], e["tid"]): e["args"]["name"] for e in labels}


def slices(runs, track):
    """The slices on the track of that name, by process."""
    names = track_names(runs)
    found = defaultdict(list)
    for event in events(runs, "X"):
        if names[event["pid"], event["tid"]] == track:
            found[event["pid"]].append(event)
    return found


def assert_no_overlap(runs):
    tracks = defaultdict(list)
    for event in events(runs, "X"):
        tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for spans in tracks.values():
        spans.sort()
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def test_every_pass_is_on_the_pass_track_of_its_process():
    runs = study(2, repeats=2)
    found = slices(runs, "engine passes")
    for process, source in ((MEASURED, "measured"), (SIMULATED, "simulated")):
        asked = [str(p.command.phase) for run in runs if run.source == source for p in run.passes]
        assert sorted(e["name"] for e in found[process]) == sorted(asked)


@settings(deadline=None)
@given(st.lists(st.floats(0.001, 50.0), min_size=4, max_size=4))
def test_slices_of_a_track_never_overlap(factors):
    runs = study(2, 2, measured_factor=lambda c, r: factors[2 * c + r], predicted_factor=lambda c: factors[c])
    assert_no_overlap(runs)


def test_times_are_microseconds():
    run = make_run(serial_passes(Phase.SERIAL, 1), pass_ms=lambda _: 10.0, host_ms=0.5)
    _, event = slices([run], "engine passes")[MEASURED]
    assert (event["ts"], event["dur"]) == (11_000, 10_000)
    assert all(isinstance(e["ts"], int) and isinstance(e["dur"], int) for e in events([run], "X"))


def test_a_pass_shows_what_it_computed():
    run = make_run([values_pass(60, branches=2, padding=2)])
    *_, event = slices([run], "engine passes")[MEASURED]
    assert event["args"] == {"index": 1, "rows": 4, "picks": 2, "context_tokens": 62, "padding_rows": 2}


def test_each_sequence_has_a_track_with_its_tokens():
    run = make_run(schedule_passes("schemaweaver", 2), schedule="schemaweaver")
    names = set(track_names([run]).values())
    assert names == {"run", "engine passes", "tool", "trunk (sequence 0)", "branch 1", "branch 2", "branch 9"}
    skeleton = next(e for e in slices([run], "branch 1")[MEASURED] if e["name"] == "skeleton")
    assert (skeleton["args"]["tokens"], skeleton["args"]["padding"]) == (19, False)
    assert all(e["args"]["padding"] for e in slices([run], "branch 9")[MEASURED])
    assert {e["name"] for e in slices([run], "branch 2")[MEASURED]} == {"skeleton", "values"}


def test_a_run_slice_encloses_everything_of_its_run():
    run = make_run(schedule_passes("schemaweaver", 2), call_id="weather-1", schedule="schemaweaver")
    [whole] = slices([run], "run")[MEASURED]
    assert whole["name"] == "weather-1 · schemaweaver"
    for event in [*events([run], "X"), *events([run], "i")]:
        assert whole["ts"] <= event["ts"]
        assert event["ts"] + event.get("dur", 0) <= whole["ts"] + whole["dur"]


def test_measured_and_simulated_runs_of_a_call_start_together_after_a_gap():
    runs = study(3, repeats=2, predicted_factor=lambda call: 3.0 if call == 1 else 0.5)
    found = slices(runs, "run")
    firsts = {e["name"]: e for e in found[MEASURED] if e["args"]["repeat"] == 0}
    twins = {e["name"]: e for e in found[SIMULATED]}
    assert {name: e["ts"] for name, e in firsts.items()} == {name: e["ts"] for name, e in twins.items()}
    ends = sorted(e["ts"] + e["dur"] for both in found.values() for e in both)
    for start in sorted(e["ts"] for e in twins.values())[1:]:
        assert start - max(end for end in ends if end <= start) == 1000 * GAP_MS


def test_repeats_follow_each_other():
    runs = study(1, repeats=3, schedules=("constrained",))
    repeats = sorted(slices(runs[::-1], "run")[MEASURED], key=lambda e: e["ts"])
    assert [e["args"]["repeat"] for e in repeats] == [0, 1, 2]


def test_emissions_are_instants_on_the_tool_track():
    run = make_run(schedule_passes("schemaweaver", 2), schedule="schemaweaver", call=tool_call("Oslo"))
    early, last = events([run], "i")
    assert (early["name"], last["name"]) == ("emit provisional", "emit confirmed")
    assert early["ts"] == round(1000 * run.emits[0].at_ms)
    assert early["args"] == {"tool": "get_weather", "call": tool_call("Oslo").text}
    assert track_names([run])[early["pid"], early["tid"]] == "tool"


def test_a_discarded_tool_run_is_marked_and_may_overlap_the_kept_one():
    run = make_run(schedule_passes("schemaweaver", 2), schedule="schemaweaver")
    early, last = run.emits
    corrected = EmitRecord(tool_call("Rome"), Status.CORRECTED, last.at_ms)
    tools = (
        ToolRun(Status.PROVISIONAL, early.at_ms, last.at_ms + 30, kept=False),
        ToolRun(Status.CORRECTED, last.at_ms, last.at_ms + 50, kept=True),
    )
    run = replace(run, emits=(early, corrected), tool_runs=tools)
    [discarded] = slices([run], "tool, discarded")[MEASURED]
    [kept] = slices([run], "tool")[MEASURED]
    assert (discarded["name"], kept["name"]) == ("tool, provisional, discarded", "tool, corrected")
    assert_no_overlap([run])


def test_processes_are_named_and_sorted():
    labels = [e for e in events(study(1), "M") if e["name"].startswith("process")]
    assert [(e["pid"], e["name"], *e["args"].values()) for e in labels] == [
        (MEASURED, "process_name", "measured"),
        (MEASURED, "process_sort_index", 1),
        (SIMULATED, "process_name", "simulated"),
        (SIMULATED, "process_sort_index", 2),
    ]


def test_a_source_without_runs_has_no_process():
    runs = [run for run in study(1) if run.source == "simulated"]
    assert {event["pid"] for event in trace(runs)["traceEvents"]} == {SIMULATED}
    assert trace([])["traceEvents"] == []


def test_the_text_is_json_and_the_same_each_time(tmp_path):
    runs = study(2)
    text = trace_text(runs)
    assert json.loads(text) == trace(runs)
    assert trace_text(study(2)) == text
    write_trace(tmp_path / "trace.json", runs)
    assert (tmp_path / "trace.json").read_text(encoding="utf-8") == text


def test_a_run_of_another_source_is_refused():
    with pytest.raises(InputError, match="guessed"):
        trace([make_run(serial_passes(Phase.SERIAL, 1), source="guessed")])


def test_a_draft_model_has_a_track_of_its_own_and_none_of_the_trunk():
    passes = [trunk_pass(Phase.DRAFT, 0, 41), trunk_pass(Phase.VERIFY, 40, 2), trunk_pass(Phase.DRAFT, 41, 2)]
    runs = [make_run(passes, schedule="speculative")]
    assert [event["name"] for event in slices(runs, "draft model")[MEASURED]] == ["draft", "draft"]
    for track in ("engine passes", "trunk (sequence 0)"):
        assert [event["name"] for event in slices(runs, track)[MEASURED] if event["name"] != "prompt"] == ["verify"]
