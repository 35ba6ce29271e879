"""`schemaweaver study`: what was measured elsewhere, computed again."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from studies.console import print_text_table, progress_bar, say, step
from studies.paper.aims import aim_table, in_own_layout
from studies.paper.devices import study_devices
from studies.paper.exhibits import EXHIBITS
from studies.paper.open_points import OPEN_POINTS
from studies.paper.reading import Reading
from studies.paper.setting import Setting
from studies.paper.summary import summary_table
from studies.paper.written_study import Study, write_study

EPILOG = """
Examples:

  schemaweaver study paper

  schemaweaver study paper --device my-oneplus.json --out out/what-if
"""

app = typer.Typer(add_completion=False, rich_markup_mode="rich", epilog=EPILOG, no_args_is_help=True)


@app.callback()
def study() -> None:
    """Compute again what was measured elsewhere, and lay both side by side."""


@app.command(epilog=EPILOG)
def paper(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the page and the data.")] = Path("out/paper"),
    device: Annotated[
        list[Path] | None,
        typer.Option(
            "--device",
            "-d",
            metavar="PATH",
            help="A device's file in place of the one that comes with the project and has its name.",
        ),
    ] = None,
    draws: Annotated[int, typer.Option("--draws", min=1, help="How often a hundred calls are drawn.")] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Which calls are drawn.")] = 0,
) -> None:
    """Predict the paper's tables and figures, and write one page with all of them beside the printed numbers.

    No model is needed: passes of the schedules over BFCL come with the project, and devices price them.
    """
    setting = Setting(devices=study_devices(device or ()), reading=Reading(draws=draws, seed=seed))
    step(f"Predicting what the paper measured, from passes of BFCL's calls and {len(setting.devices)} devices")
    study = _computed(setting, _command(device or (), draws, seed))
    page = write_study(out, study)
    print_text_table(summary_table(study.exhibits), "How far predictions are from the paper")
    print_text_table(aim_table(study.aims), "What was aimed for")
    say(f"Page written to {page}; the same as text and as data beside it")


def _computed(setting: Setting, command: str) -> Study:
    """All exhibits and open points, with progress on stderr."""
    with progress_bar() as bar:
        exhibits = [make(setting) for make in bar.track(EXHIBITS, description="tables and figures")]
        points = [make(setting) for make in bar.track(OPEN_POINTS, description="open points")]
    return Study(setting, tuple(exhibits), in_own_layout(setting), tuple(points), command)


def _command(devices: Sequence[Path], draws: int, seed: int) -> str:
    """What makes the study again."""
    replaced = [part for path in devices for part in ("--device", str(path))]
    return shlex.join(["schemaweaver", "study", "paper", *replaced, "--draws", str(draws), "--seed", str(seed)])
