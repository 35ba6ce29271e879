"""The command line: what it refuses and how, and what it prints."""

import json
import shlex
import subprocess
import sys

import pytest
import typer
from command_line import run_main

from cost_models.phones import read_phone
from engine.formats import format_names
from engine.schedules import BASIC, SCHEDULES
from studies.cli import COMMANDS, app
from studies.runs_file import read_runs
from tests.embedded import WEATHER

TOOL = {
    "type": "function",
    "function": {**WEATHER.as_openai()["function"], "annotations": {"readOnlyHint": True}},
}


@pytest.fixture
def tools_file(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([TOOL]))
    return path


def refused(monkeypatch, capsys, *arguments):
    """What stderr says about arguments that must be refused with exit code 2, without a traceback."""
    assert run_main(monkeypatch, *arguments) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return " ".join(said.split())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "line 1, column 2: no JSON"),
        ("[]", "$: expected a list of tools"),
        ("[3]", "$[0]: expected a tool as an object, found 3"),
        ('[{"name": "x", "schema": {}}]', "$[0]: no tool: it has neither"),
        ('[{"name": "x", "parameters": {"type": "string"}}]', "tool 'x': $[0].parameters.type: expected 'object'"),
        (
            '[{"name": "x", "parameters": {"properties": {"a": {"type": "frob"}}}}]',
            "tool 'x': $.parameters.properties.a.type:",
        ),
        (
            '[{"name": "x", "inputSchema": {"properties": {"a": {"not": {}}}}}]',
            "tool 'x': $.parameters.properties.a.not:",
        ),
        ('[{"name": "x", "parameters": {"required": [3]}}]', "tool 'x': $[0].parameters.required: 3 is not among"),
    ],
)
def test_tools_that_are_none_are_refused_with_file_and_path(monkeypatch, capsys, tmp_path, text, problem):
    path = tmp_path / "tools.json"
    path.write_text(text)
    said = refused(monkeypatch, capsys, "call", "--tools", path, "hello")
    assert problem in said
    assert str(path) in said or "tool 'x'" in said


def test_a_missing_tools_file_is_named(monkeypatch, capsys, tmp_path):
    assert "none.json: cannot be read" in refused(monkeypatch, capsys, "call", "--tools", tmp_path / "none.json", "hi")


def test_an_unknown_schedule_lists_the_names(monkeypatch, capsys, tools_file):
    said = refused(monkeypatch, capsys, "call", "--tools", tools_file, "--schedule", "warp", "hi")
    assert f"unknown schedule 'warp'; choose one of: {', '.join(SCHEDULES)}" in said
    assert "choose one of" in refused(monkeypatch, capsys, "run", "--schedule", "constrained,warp")


def test_an_unknown_format_lists_the_names(monkeypatch, capsys, tools_file):
    said = refused(monkeypatch, capsys, "call", "--tools", tools_file, "--format", "morse", "hi")
    assert f"unknown call format 'morse'; choose one of: {format_names()}" in said


def test_a_tool_that_cannot_be_used_is_named_with_its_file(monkeypatch, capsys, tmp_path):
    path = tmp_path / "tools.json"
    path.write_text('[{"name": "x", "parameters": {"properties": {"a": {"not": {}}}}}]')
    said = refused(monkeypatch, capsys, "call", "--tools", path, "hi")
    assert f"{path}: tool 'x': $.parameters.properties.a.not: this keyword cannot be enforced" in said
    assert run_main(monkeypatch, "inspect", "--tools", path) == 2
    assert "x  refused: $.parameters.properties.a.not" in capsys.readouterr().out


@pytest.mark.parametrize("command", [("boundaries",), ("bench", "--workload", "bfcl:1")])
def test_a_folder_without_vocabularies_is_named(monkeypatch, capsys, tmp_path, command):
    assert f"{tmp_path}: no GGUF files in it" in refused(monkeypatch, capsys, *command, "--vocabularies", tmp_path)
    missing = tmp_path / "none"
    assert f"{missing}: no such folder" in refused(monkeypatch, capsys, *command, "--vocabularies", missing)


def test_an_unknown_workload_says_what_there_is(monkeypatch, capsys):
    assert "unknown workload 'imagenet'; expected bfcl:N" in refused(
        monkeypatch, capsys, "run", "--workload", "imagenet"
    )


def test_agreement_needs_two_schedules(monkeypatch, capsys):
    said = refused(monkeypatch, capsys, "agree", "--schedule", "constrained,constrained")
    assert "--schedule constrained,constrained: name two schedules or more" in said


def test_a_head_is_refused_that_is_none_or_beside_recorded_runs(monkeypatch, capsys, tmp_path):
    assert "'wings' states no head" in refused(monkeypatch, capsys, "simulate", "--head", "wings")
    said = refused(
        monkeypatch, capsys, "simulate", "--head", "acceptance=1,depth=1,ms=1", "--records", tmp_path / "runs.jsonl"
    )
    assert "--head: recorded runs say what was drafted" in said


@pytest.mark.parametrize("content", [None, b"nothing"])
def test_a_model_that_is_none_is_refused(monkeypatch, capsys, tools_file, tmp_path, content):
    path = tmp_path / "m.gguf"
    if content:
        path.write_bytes(content)
    assert str(path) in refused(monkeypatch, capsys, "call", "--tools", tools_file, "--model", path, "hi")


@pytest.mark.engine
def test_a_prompt_longer_than_the_context_is_refused(monkeypatch, capsys, tools_file):
    said = refused(
        monkeypatch, capsys, "call", "--tools", tools_file, "--context", "256", "--max-tokens", "100", "hi " * 200
    )
    assert "but the context holds 256" in said


@pytest.mark.engine
def test_a_profile_of_another_model_is_refused_unless_asked_for(monkeypatch, capsys, tmp_path):
    profile = tmp_path / "profile.json"
    profile.write_text(json.dumps(other_profile()))
    out = tmp_path / "runs.jsonl"
    schedules = ",".join(BASIC)
    arguments = ("simulate", "--profile", profile, "--workload", "bfcl:2", "--schedule", schedules, "--out", out)
    said = refused(monkeypatch, capsys, *arguments)
    assert "profile.json: The profile was measured with model file other.gguf (sha256 00" in said
    assert not out.exists()
    assert run_main(monkeypatch, *arguments, "--other-model") == 0
    captured = capsys.readouterr()
    assert "warning:" in captured.err
    assert "schemaweaver" in captured.out
    assert len(out.read_text().splitlines()) == 1 + 2 * len(BASIC)


def test_a_profile_that_is_neither_file_nor_phone_lists_the_phones(monkeypatch, capsys):
    said = refused(monkeypatch, capsys, "simulate", "--profile", "nokia")
    assert "nokia: no such profile file, nor a phone; phones by name: oneplus-12r, pixel-7" in said


@pytest.mark.engine
def test_a_phone_by_name_is_a_what_if_that_says_so_in_output_and_records(monkeypatch, capsys, tmp_path):
    out = tmp_path / "runs.jsonl"
    assert run_main(monkeypatch, "simulate", "--profile", "pixel-7", "--workload", "bfcl:2", "--out", out) == 0
    captured = capsys.readouterr()
    assert "warning: a what-if: the passes are those of SmolLM2-135M-Instruct" in captured.err
    assert "predicted for Google Pixel 7" in captured.out
    header = json.loads(out.read_text().splitlines()[0])
    assert header["provenance"]["source"].startswith("arXiv:2610.17436v1")
    assert read_runs(out).header.provenance == read_phone("pixel-7").provenance


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda p: p["table"].update(pick_ms=-1.0), "$.table.pick_ms"),
        (lambda p: p["table"].pop("row_ms"), "row_ms"),
        (lambda p: p.update(format="other"), "$.format"),
    ],
)
def test_a_damaged_profile_is_named_with_the_path(monkeypatch, capsys, tmp_path, change, problem):
    data = other_profile()
    change(data)
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(data))
    said = refused(monkeypatch, capsys, "simulate", "--profile", path)
    assert str(path) in said
    assert problem in said


@pytest.mark.parametrize("command", ["fit", "validate"])
def test_a_missing_record_is_named(monkeypatch, capsys, tmp_path, command):
    assert "nothing.json" in refused(monkeypatch, capsys, command, tmp_path / "nothing.json")


def test_a_line_that_is_no_run_is_named_by_its_number(monkeypatch, capsys, tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text('{"format": "schemaweaver-runs-1"}\n')
    assert "$: lacks workload" in refused(monkeypatch, capsys, "validate", path, path)
    path.write_text("not json\n")
    assert "line 1: no JSON" in refused(monkeypatch, capsys, "validate", path, path)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_in_the_help_of_each_command_are_accepted_and_not_broken(monkeypatch, capsys, command):
    monkeypatch.setenv("COLUMNS", "80")
    assert run_main(monkeypatch, command, "--help") == 0
    shown = capsys.readouterr().out
    parser = typer.main.get_command(app).get_command(None, command)
    examples = [line.strip() for line in parser.epilog.splitlines() if f"schemaweaver {command}" in line]
    assert examples
    for example in examples:
        assert example in shown
        arguments = shlex.split(example.rpartition(f"schemaweaver {command}")[2])
        parser.make_context(command, arguments)


@pytest.mark.parametrize("options", [("--out", "{file}/sweep.parquet"), ("--chart", "{file}/sweep.html")])
def test_a_place_where_nothing_can_be_written_is_named(monkeypatch, capsys, tmp_path, options):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.chdir(tmp_path)
    said = refused(monkeypatch, capsys, "sweep", *(option.format(file=file) for option in options))
    assert str(file) in said


def test_a_seed_is_no_negative_number(monkeypatch, capsys):
    assert run_main(monkeypatch, "sweep", "--seed", "-1") == 2
    assert "--seed" in capsys.readouterr().err


def test_paragraphs_of_help_flow(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "300")
    run_main(monkeypatch, "call", "--help")
    assert "One that cannot be used is left out with a warning; with --lenient" in capsys.readouterr().out


@pytest.mark.engine
@pytest.mark.parametrize("schedule", ["schemaweaver", "jump_forward"])
def test_call_prints_a_valid_call_and_the_provisional_one_first(monkeypatch, capsys, tools_file, schedule):
    message = "What is the weather in Tokyo for 3 days?"
    code = run_main(monkeypatch, "call", "--tools", tools_file, "--schedule", schedule, "--json", "--stats", message)
    assert code == 0
    *calls, stats = map(json.loads, capsys.readouterr().out.splitlines())
    assert [call["status"] for call in calls[:-1]] == (["provisional"] if schedule == "schemaweaver" else [])
    assert calls[-1]["name"] == "get_weather"
    assert (calls[-1]["read_only"], calls[-1]["read_only_rule"]) == (True, "annotation")
    assert stats["stats"]["tools"]["get_weather"]["read_only_rule"] == "annotation"
    assert calls[-1]["arguments"].keys() >= {"city", "days"}
    assert isinstance(calls[-1]["arguments"]["days"], int)
    assert stats["stats"]["passes"] == sum(p["passes"] for n, p in stats["stats"]["phases"].items() if n != "prompt")


@pytest.mark.engine
def test_a_call_that_is_cut_is_incomplete_and_exits_with_1(monkeypatch, capsys, tools_file):
    code = run_main(
        monkeypatch, "call", "--tools", tools_file, "--json", "--max-tokens", "22", "-s", "constrained", "Rain?"
    )
    assert code == 1
    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (line["status"], line["arguments"]) == ("incomplete", None)
    assert "get_weather" in line["text"]


def test_calling_and_measuring_need_no_laptop_package():
    """On a phone there is no polars, simpy, altair or scipy."""
    code = (
        "import sys\n"
        "for name in ('polars', 'simpy', 'altair', 'scipy', 'vl_convert'): sys.modules[name] = None\n"
        "import studies.cli, studies.commands.call, studies.commands.measure, studies.commands.doctor\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_command_whose_package_is_missing_says_what_to_install():
    code = (
        "import sys\n"
        "sys.modules['polars'] = None\n"
        "sys.argv = ['schemaweaver', 'validate', 'a', 'b']\n"
        "from studies.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "validate needs the package polars: pip install 'schemaweaver[laptop]'" in " ".join(done.stderr.split())


def other_profile():
    """A profile of a model that nobody has."""
    return {
        "format": "schemaweaver-profile-1",
        "name": "other",
        "provenance": {
            "model_file_name": "other.gguf",
            "model_sha256": "00" * 32,
            "model_bytes": 1,
            "engine": "llama-cpp-python 0.0.1",
            "engine_build": "",
            "threads": 3,
            "cpu": "none",
            "os": "none",
            "date": "2026-01-01",
            "n_ctx": 4096,
            "context_flags": "",
        },
        "table": {
            "row_counts": [1, 4, 64],
            "row_ms": [50.0, 60.0, 400.0],
            "reference_tokens": 512,
            "context_range_tokens": [32, 1024],
            "max_picks": 8,
            "tile_rows": 4,
            "remainder_ms": 30.0,
            "pick_ms": 1.0,
            "context_ms": 0.001,
            "row_context_ms": 0.001,
            "wide_rows": None,
            "wide_row_context_ms": 0.0,
            "host_ms": 0.3,
        },
        "fit": None,
        "notes": "",
    }
