"""What the README shows: its commands run, and its numbers are those of the committed results."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from studies.cli import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL_LINES = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
TOO_LONG = {"measure": ["--budget", "1", "--sweeps", "1"]}
"""What to add to a command that would take a minute, for the same work in less time."""


def test_the_readme_opens_with_its_two_commands():
    opening = README.split("\n## ")[0]
    assert "    make demo\n    make test\n" in opening
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make (\w+)", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_table_is_what_the_run_printed():
    printed = (ROOT / "results" / "demo" / "summary.txt").read_text(encoding="utf-8").strip("\n")
    assert f"```\n{printed}\n```" in README


def test_the_table_has_the_numbers_of_the_committed_comparison():
    printed = (ROOT / "results" / "demo" / "summary.txt").read_text(encoding="utf-8")
    comparison = json.loads((ROOT / "results" / "demo" / "comparison.json").read_text(encoding="utf-8"))
    for schedule in comparison["schedules"]:
        (line,) = [line for line in printed.splitlines() if line.split()[:1] == [schedule["schedule"]]]
        start = schedule["tool_start_ms"]
        assert f" {start['measured']:,.0f} " in line
        assert f" {start['predicted']:,.0f} " in line
        assert f" {start['bias_percent']:+.1f} " in line


def test_every_command_is_in_the_readme_or_behind_make():
    shown = {shlex.split(line)[1] for line in SHELL_LINES}
    assert set(COMMANDS) - shown == {"demo", "bench", "audit", "boundaries"}


@pytest.mark.engine
def test_the_commands_run_one_after_another_and_call_prints_what_is_shown(tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for line in SHELL_LINES:
        _, command, *arguments = shlex.split(line)
        done = subprocess.run(
            [sys.executable, "-m", "studies", command, *arguments, *TOO_LONG.get(command, [])],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        if command == "call":
            shown = re.search(r"```\n(provisional .*?)```", README, re.DOTALL)
            assert done.stdout == shown[1]
    html = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)=["']https?://""", html)
