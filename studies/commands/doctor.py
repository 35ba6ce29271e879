"""`schemaweaver doctor`: what works on this machine, and what to do about the rest."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer

from studies.console import OUT, spinner
from studies.machine.doctor import Finding, State, examine
from studies.options import ModelOption

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver doctor

  schemaweaver doctor --model qwen2.5-coder.gguf

  schemaweaver doctor --json
"""

STYLES = {State.OK: "", State.NOTE: "yellow", State.FAULT: "bold red"}


@app.command(epilog=EPILOG)
def doctor(
    model: ModelOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Look at Python, packages, processor, memory, load, engine, caches and data, and say what to do about each.

    A pass is tried in a child process, so that an engine that does not work here is told and not met. Exit code 1
    means that something would not work.
    """
    faults = 0
    for finding in _one_by_one(examine(model)):
        faults += finding.state is State.FAULT
        _show(finding, as_json)
    raise typer.Exit(1 if faults else 0)


def _one_by_one(findings: Iterator[Finding]) -> Iterator[Finding]:
    """`findings`, with a sign of life while the next one is looked for, and none while one is printed."""
    while True:
        with spinner("examining"):
            finding = next(findings, None)
        if finding is None:
            return
        yield finding


def _show(finding: Finding, as_json: bool) -> None:
    if as_json:
        print(json.dumps(asdict(finding)), flush=True)
    else:
        OUT.print(str(finding), style=STYLES[finding.state], markup=False, soft_wrap=True)
