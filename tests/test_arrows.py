"""The arrows between packages: what may import what."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BROKEN = """
[importlinter]
root_packages =
    studies
    sim
    engine
    cost_models
    calibration

[importlinter:contract:1]
name = upside down
type = layers
layers =
    engine
    sim
"""


def lint(*arguments):
    """Run import-linter as `make test` does."""
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_every_import_follows_an_arrow_of_the_design():
    done = lint()
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_arrow_that_is_not_there_is_found(tmp_path):
    contract = tmp_path / "broken.ini"
    contract.write_text(BROKEN)
    done = lint("--config", str(contract))
    assert done.returncode == 1
    assert "sim is not allowed to import engine" in done.stdout.replace("\n", " ") or "BROKEN" in done.stdout


@pytest.mark.parametrize("package", ["engine", "sim", "cost_models", "calibration", "studies"])
def test_no_import_hides_in_a_function(package):
    """An import inside a function is how cycles are dodged; ruff's PLC0415 refuses it, and nobody waives that."""
    waived = [path for path in (ROOT / package).rglob("*.py") if "PLC0415" in path.read_text(encoding="utf-8")]
    assert not waived
