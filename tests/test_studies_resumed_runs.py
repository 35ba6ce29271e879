"""Files of runs that grow: cut anywhere, gone on with, and refused where the command is another."""

import sys
from dataclasses import replace

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from cost_models.phones import read_phone
from engine.errors import InputError
from studies.cli import main
from studies.interrupting import EXIT_CODE, said_how_to_go_on
from studies.planned_runs import PlannedRuns, prices_digest
from studies.resumed_runs import appended, missing_runs, runs_to_resume, start_runs
from studies.runs_file import RunsHeader, read_runs, read_runs_so_far, write_runs
from tests.records_builder import make_run, schedule_passes, tool_call

SCHEDULES = ("constrained", "jump_forward")
PHONE = read_phone("pixel-7")
PLANNED = PlannedRuns(
    calls=3,
    schedules=SCHEDULES,
    repeats=2,
    tile_rows=4,
    tool_ms=100.0,
    max_call_tokens=64,
    draft_tokens=4,
    prices=prices_digest(PHONE.table),
    draft_model="",
)
HEADER = RunsHeader("bfcl:3", 0, "qwen", PHONE.provenance, PLANNED)
ZURICH = tool_call("Zürich")
RUNS = [
    make_run(schedule_passes(schedule, 1), call_id=f"c{call}", schedule=schedule, repeat=repeat, call=ZURICH)
    for call in range(PLANNED.calls)
    for repeat in range(PLANNED.repeats)
    for schedule in SCHEDULES
]


def written(path, runs=RUNS):
    start_runs(path, HEADER)
    assert list(appended(path, runs)) == list(runs)
    return path.read_bytes()


def gone_on_with(path):
    """The file after the calls that `runs_to_resume` leaves were run again."""
    done = {run.call_id for run in runs_to_resume(path, HEADER)}
    list(appended(path, [run for run in RUNS if run.call_id not in done]))
    return path.read_bytes()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_file_that_is_cut_anywhere_and_gone_on_with_is_the_one_that_was_not_cut(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("cut") / "runs.jsonl"
    whole = written(path)
    header_bytes = whole.index(b"\n") + 1
    cut = data.draw(st.integers(header_bytes, len(whole)))
    path.write_bytes(whole[:cut])
    kept = runs_to_resume(path, HEADER)
    assert len(kept) % len(PLANNED.of_a_call) == 0
    assert [run for run in RUNS if run.call_id in {k.call_id for k in kept}] == list(kept)
    assert gone_on_with(path) == whole


def test_every_run_is_in_the_file_before_the_next_is_made(tmp_path):
    path = tmp_path / "runs.jsonl"
    start_runs(path, HEADER)
    for count, _ in enumerate(appended(path, RUNS), 1):
        assert len(read_runs(path).runs) == count
        assert missing_runs(path) == PLANNED.count - count
    assert read_runs(path).header == HEADER


def test_going_on_without_a_file_starts_one(tmp_path):
    path = tmp_path / "runs.jsonl"
    assert runs_to_resume(path, HEADER) == ()
    assert read_runs(path).header == HEADER


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"workload": "bfcl:4"}, "workload bfcl:3 in the file, bfcl:4 here"),
        ({"seed": 1}, "seed 0 in the file, 1 here"),
        ({"call_format": "hermes"}, "call format qwen in the file, hermes here"),
        ({"model_sha256": "ab"}, "model sha256 none in the file, ab here"),
        ({"cpu": "Z80"}, "in the file, Z80 here"),
        ({"threads": 9}, "threads 4 in the file, 9 here"),
        ({"repeats": 3}, "repeats 2 in the file, 3 here"),
        ({"tile_rows": 1}, "tile rows 4 in the file, 1 here"),
        ({"max_call_tokens": 65}, "max call tokens 64 in the file, 65 here"),
        ({"prices": ""}, f"prices {PLANNED.prices} in the file, none here"),
        ({"schedules": ("skeleton",)}, "schedules constrained,jump_forward in the file, skeleton here"),
    ],
)
def test_another_command_is_refused_with_what_differs_and_the_file_stays(tmp_path, changed, said):
    path = tmp_path / "runs.jsonl"
    before = written(path, RUNS[:3])
    ((name, _),) = changed.items()
    if hasattr(HEADER, name):
        other = replace(HEADER, **changed)
    elif hasattr(PLANNED, name):
        other = replace(HEADER, planned=replace(PLANNED, **changed))
    else:
        other = replace(HEADER, provenance=replace(HEADER.provenance, **changed))
    with pytest.raises(InputError) as raised:
        runs_to_resume(path, other)
    assert f"{path}: cannot be gone on with" in str(raised.value)
    assert said in str(raised.value)
    assert path.read_bytes() == before


def test_the_day_and_the_place_of_the_model_may_be_others(tmp_path):
    path = tmp_path / "runs.jsonl"
    written(path, RUNS[:4])
    moved = replace(HEADER.provenance, date="2030-01-01", model_file_name="moved.gguf", os="newer")
    assert len(runs_to_resume(path, replace(HEADER, provenance=moved))) == 4


def test_a_file_without_a_plan_is_none_to_go_on_with(tmp_path):
    path = tmp_path / "runs.jsonl"
    write_runs(path, replace(HEADER, planned=None), RUNS[:1])
    with pytest.raises(InputError, match="does not say which runs were planned"):
        runs_to_resume(path, HEADER)


def test_an_unfinished_file_is_not_thrown_away_and_a_finished_one_is_made_anew(tmp_path):
    path = tmp_path / "runs.jsonl"
    before = written(path, RUNS[:5])
    with pytest.raises(InputError, match=r"lacks 7 of its planned runs: go on with --resume"):
        start_runs(path, HEADER)
    assert path.read_bytes() == before
    gone_on_with(path)
    start_runs(path, HEADER)
    assert read_runs(path).runs == ()


@pytest.mark.parametrize("content", [b"", b"no runs\n", b"\xff\xfe", b"{}\n"])
def test_what_is_no_file_of_runs_is_replaced(tmp_path, content):
    path = tmp_path / "runs.jsonl"
    path.write_bytes(content)
    start_runs(path, HEADER)
    assert read_runs(path).header == HEADER


def test_only_a_line_without_an_end_may_be_damaged(tmp_path):
    path = tmp_path / "runs.jsonl"
    whole = written(path)
    path.write_bytes(whole[:-5])
    assert read_runs_so_far(path).runs == tuple(RUNS[:-1])
    with pytest.raises(InputError, match=f"line {1 + len(RUNS)}: no JSON"):
        read_runs(path)
    path.write_bytes(whole[:-5] + b"\n")
    with pytest.raises(InputError, match=f"line {1 + len(RUNS)}: no JSON"):
        read_runs_so_far(path)


@pytest.mark.parametrize("odd", ["\u2028", "\x85", "\x0b", "a\nb", "\r"])
def test_characters_that_end_lines_elsewhere_end_none_here(tmp_path, odd):
    path = tmp_path / "runs.jsonl"
    run = make_run(schedule_passes("constrained", 1), call=tool_call(f"To{odd}kyo"))
    write_runs(path, HEADER, [run, run])
    assert read_runs(path).runs == (run, run)


def test_ctrl_c_ends_with_one_line_that_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/bin/schemaweaver", "run", "--workload", "droidcall:my file", "--resume"])
    with pytest.raises(typer.Exit) as raised, said_how_to_go_on(tmp_path):
        raise KeyboardInterrupt
    assert raised.value.exit_code == EXIT_CODE
    (line,) = capsys.readouterr().err.splitlines()
    assert f"finished runs are in {tmp_path}" in line
    assert line.endswith("schemaweaver run --workload 'droidcall:my file' --resume")


@pytest.mark.parametrize("command", ["run", "bench"])
def test_commands_refuse_to_throw_away_an_unfinished_file_before_any_work(tmp_path, monkeypatch, capsys, command):
    path = tmp_path / "bench.jsonl"
    before = written(path, RUNS[:5])
    out = path if command == "run" else tmp_path
    monkeypatch.setattr(
        sys, "argv", ["schemaweaver", command, "--out", str(out), "--model", str(tmp_path / "none.gguf")]
    )
    with pytest.raises(SystemExit) as raised:
        main()
    assert raised.value.code == 2
    assert "lacks 7 of its planned runs" in " ".join(capsys.readouterr().err.split())
    assert path.read_bytes() == before
