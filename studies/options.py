"""Options that several commands share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cost_models.phones import phone_names
from engine.errors import InputError
from engine.formats import format_names
from engine.schedules import BASIC, SCHEDULES, schedule_named
from studies.console import warn
from studies.workloads import WORKLOADS

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="PATH",
        help="A GGUF file, or owner/repository:file.gguf on Hugging Face. Default: the embedded SmolLM2-135M-Instruct.",
    ),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", help=f"The model's call format ({format_names()}). Default: recognised.")
]
TemplateOption = Annotated[
    Path | None, typer.Option("--template", help="A chat template (Jinja). Default: the vocabulary's, else ChatML.")
]
ThreadsOption = Annotated[
    int | None,
    typer.Option("--threads", "-t", min=1, help="Threads for every pass. Default: all processors, at most 8."),
]
ContextOption = Annotated[int, typer.Option("--context", min=256, help="Tokens that all sequences together may hold.")]
TileOption = Annotated[
    int | None,
    typer.Option(
        "--tile",
        min=1,
        help="Fill passes of the values up to multiples of this many rows. Default: the profile's, else 1: none.",
    ),
]
ScheduleOption = Annotated[
    str,
    typer.Option(
        "--schedule",
        "-s",
        metavar="NAME",
        help=f"One of: {', '.join(name for name in SCHEDULES if name != 'arguments_given')}.",
    ),
]
DEFAULT_SCHEDULES = ",".join(BASIC)
SchedulesOption = Annotated[
    str,
    typer.Option(
        "--schedule",
        "-s",
        metavar="NAMES",
        help=f"Schedules, separated by commas, or all: {', '.join(SCHEDULES)}.",
    ),
]
WorkloadOption = Annotated[str, typer.Option("--workload", "-w", metavar="NAME", help=f"{WORKLOADS}.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Which calls are drawn, and the order of measurements.")]
MaxTokensOption = Annotated[
    int, typer.Option("--max-tokens", min=1, help="Longest call in tokens; a longer one comes back incomplete.")
]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        "-p",
        metavar="PATH|PHONE",
        help=f"What fit wrote, or a phone by name, for a what-if: {', '.join(phone_names())}.",
    ),
]
PricesOption = Annotated[
    str | None,
    typer.Option(
        "--profile",
        "-p",
        metavar="PATH",
        help="What fit wrote on this machine: the schedule auto decides by it. Without one it does what verified does.",
    ),
]
DraftModelOption = Annotated[
    str | None,
    typer.Option(
        "--draft-model",
        metavar="PATH",
        help="A second GGUF with the same vocabulary, which drafts for speculative. Default: the prompt is looked up.",
    ),
]
DraftTokensOption = Annotated[
    int, typer.Option("--draft-tokens", min=1, help="Tokens that speculative drafts at once.")
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on where the same command was interrupted; starts from the beginning where there is no file.",
    ),
]
AsPaperOption = Annotated[
    bool,
    typer.Option(
        "--as-paper",
        help="Draw, answer and lay out calls as the study of the paper does, in place of what the schedules here take.",
    ),
]
ToolTimeOption = Annotated[float, typer.Option("--tool-ms", min=0, help="How long the pretended tool takes.")]


def schedules_named(names: str) -> tuple[str, ...]:
    """The schedules in a list separated by commas, or all for "all"; raises InputError for a name that is none."""
    chosen = tuple(SCHEDULES) if names == "all" else tuple(name.strip() for name in names.split(","))
    for name in chosen:
        schedule_named(name)
    return tuple(dict.fromkeys(chosen))


def warn_unpriced(schedules: Sequence[str], profile: str | None) -> None:
    """Say that `auto` has nothing to decide by, where it is asked for without a profile."""
    if "auto" in schedules and profile is None:
        warn("auto has no profile to decide by, so it does what verified does; --profile names one")


def gguf_files(folder: Path) -> list[Path]:
    """The GGUF files of a folder; raises InputError where there are none."""
    files = sorted(folder.glob("*.gguf"))
    if not files:
        raise InputError(f"{folder}: {'no GGUF files in it' if folder.is_dir() else 'no such folder'}")
    return files


def out_file(path: Path) -> Path:
    """`path`, whose folder exists from now on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
