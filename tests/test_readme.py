"""What the README shows: its commands run, and its numbers are those of the committed results."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import run_main
from extent import IN_FULL
from strategies import EXACT
from tiny_models import KINDS, WORDS, write_model

from engine.formats import FORMATS
from engine.schedules import BASIC, SCHEDULES
from engine.tool_forms import read_tools
from studies.cli import COMMANDS, main
from studies.paper.exhibits import EXHIBITS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL_BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
SHELL_LINES = [line for block in SHELL_BLOCKS for line in block.splitlines()]
TOO_LONG = {"measure": ["--budget", "1", "--sweeps", "1"], "study": [] if IN_FULL else ["--draws", "2"]}
"""What to add to a command that would take a minute, for the same work in less time."""
ON_A_TINY_MODEL = () if IN_FULL else ("agree", "measure", "run", "simulate")
"""Commands that decode for a minute and more on the embedded model."""


def test_the_readme_opens_with_its_two_commands():
    opening = README.split("\n## ")[0]
    assert "    make demo\n    make test\n" in opening
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make (\w+)", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_first_table_has_rows_of_the_committed_bench():
    bench = (ROOT / "results" / "bench" / "bench.md").read_text(encoding="utf-8").splitlines()
    shown = [line for line in README.split("\n## ")[0].splitlines() if line.startswith("|")]
    assert [line.split()[1] for line in shown[2:]] == [*BASIC, "verified", "auto"]
    assert set(shown) <= set(bench)


def test_what_the_demo_printed_is_shown_as_it_was():
    printed = (ROOT / "results" / "demo" / "summary.txt").read_text(encoding="utf-8").strip("\n")
    assert f"```\n{printed}\n```" in README


def test_the_printed_table_has_the_numbers_of_the_committed_comparison():
    printed = (ROOT / "results" / "demo" / "summary.txt").read_text(encoding="utf-8")
    comparison = json.loads((ROOT / "results" / "demo" / "comparison.json").read_text(encoding="utf-8"))
    for schedule in comparison["schedules"]:
        (line,) = [line for line in printed.splitlines() if line.split()[:1] == [schedule["schedule"]]]
        start = schedule["tool_start_ms"]
        assert f" {start['measured']:,.0f} " in line
        assert f" {start['predicted']:,.0f} " in line
        assert f" {start['bias_percent']:+.1f} " in line


def test_the_papers_errors_are_those_of_the_committed_study():
    study = json.loads((ROOT / "results" / "paper" / "paper.json").read_text(encoding="utf-8"))
    page = (ROOT / "results" / "paper" / "paper.md").read_text(encoding="utf-8")
    results = (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    for name, errors in study["aims"].items():
        line = f"| {name} | {errors['cells']} | {100 * errors['mean_error']:.1f} |"
        assert line in README, name
        assert line in results, name
        assert line in page, name
    for exhibit in study["exhibits"]:
        (line,) = [line for line in page.splitlines() if line.startswith(f"| {exhibit['title']} |")]
        assert line in results, exhibit["title"]


def test_every_command_is_in_the_readme_or_behind_make():
    shown = {shlex.split(line)[1] for line in SHELL_LINES}
    assert set(COMMANDS) - shown == {"demo", "bench", "audit", "boundaries"}


def test_the_counts_are_those_of_the_committed_audit_and_boundaries():
    audit = json.loads((ROOT / "results" / "audit" / "audit.json").read_text(encoding="utf-8"))
    definitions, written = sum(audit["definitions"].values()), audit["generated"]
    assert sum(audit["built"].values()) == definitions
    assert not audit["invalid_count"]
    said = " ".join(README.split())
    assert f"all {definitions:,} definitions build, {audit['distinct']:,} of them distinct" in said
    assert f"wrote {sum(written.values()):,} calls" in said
    assert f"each of the {written['complete']:,} that were not cut" in said
    boundaries = json.loads((ROOT / "results" / "boundaries" / "boundaries.json").read_text(encoding="utf-8"))
    assert not any(count["differ"] for count in boundaries["counts"])
    assert f"on {len(boundaries['counts'])} vocabularies no run differs" in said


def test_the_schedules_and_formats_are_all_named_and_equal_to_jump_forward_as_the_laws_say():
    rows = re.findall(r"^\| `(\w+)` \| .* \| (yes|no) \|$", README, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(SCHEDULES)
    assert {name for name, equal in rows if equal == "yes"} == {"constrained", *EXACT}
    named = re.search(rf"There are {len(FORMATS)} named formats: (.*?)\.", README, re.DOTALL)
    assert re.findall(r"`(\w+)`", named[1]) == [call_format.name for call_format in FORMATS]


def test_inspect_prints_what_is_shown(monkeypatch, capsys):
    (line,) = [line for line in SHELL_LINES if line.startswith("schemaweaver inspect")]
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    with pytest.raises(SystemExit):
        main()
    shown = re.search(r"```\n(get_weather .*?)```", README, re.DOTALL)
    assert shown[1] in capsys.readouterr().out


def test_the_example_has_a_tool_of_each_form():
    text = (ROOT / "examples" / "forms.json").read_text(encoding="utf-8")
    assert not read_tools(text, "forms.json").refused
    marks = [("function",), ("inputSchema",), ("input_schema",), ("parameters", "name"), ("arguments",), ("id",)]
    for tool, mark in zip(json.loads(text), marks, strict=True):
        assert set(mark) <= tool.keys()


def chains() -> list[list[str]]:
    """The commands block by block; a block that takes a file of one before goes on with it."""
    joined: list[tuple[set[str], list[str]]] = []
    for block in SHELL_BLOCKS:
        files = set(re.findall(r"out/\w+\.\w+", block))
        before = next((each for each in joined if each[0] & files), (set(), []))
        if not before[1]:
            joined.append(before)
        before[0].update(files)
        before[1].extend(block.splitlines())
    return [lines for _, lines in joined]


@pytest.mark.engine
@pytest.mark.parametrize("lines", chains(), ids=lambda lines: " ".join(line.split()[1] for line in lines))
def test_the_commands_run_one_after_another_and_call_prints_what_is_shown(monkeypatch, tmp_path, capsys, lines):
    """In this process but for `call`, which prints what is shown by all that a process of its own prints."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    for line in lines:
        _, command, *arguments = shlex.split(line)
        if command == "call":
            check_call(line, arguments)
        else:
            if command in ON_A_TINY_MODEL:
                arguments += ["--model", str(tiny_model(tmp_path)), "--format", "qwen"]
            code = run_main(monkeypatch, command, *arguments, *TOO_LONG.get(command, []))
            assert code == 0, (line, capsys.readouterr())
        if command == "study":
            check_study(Path("out/paper"))
    for page in Path("out").rglob("*.html"):
        assert not re.search(r"""(src|href)=["']https?://""", page.read_text(encoding="utf-8")), page
    assert Path("out/report.html").exists() or "schemaweaver validate" not in " ".join(lines)


def tiny_model(folder: Path) -> Path:
    path = folder / "tiny.gguf"
    if not path.exists():
        write_model(KINDS["attention"], path, (*WORDS, " "))
    return path


def check_call(line: str, arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "studies", "call", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    shown = re.search(r"```\n(provisional .*?)```", README, re.DOTALL)
    assert done.stdout == shown[1]


def check_study(folder: Path) -> None:
    """The page of the whole study shows every exhibit."""
    exhibits = json.loads((folder / "paper.json").read_text(encoding="utf-8"))["exhibits"]
    page = (folder / "paper.html").read_text(encoding="utf-8")
    assert len(exhibits) == len(EXHIBITS)
    assert all(exhibit["title"].replace("'", "&#39;") in page for exhibit in exhibits)
