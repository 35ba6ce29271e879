"""`schemaweaver passes`: the passes of a workload's calls, for every device at once."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from engine.errors import InputError
from engine.llamacpp import BackendOptions
from sim.head import Head, read_head
from sim.pass_file import PassFile, PassKey, write_passes
from sim.pass_table import PassTable
from sim.workload import WorkloadCall
from studies.asking import Asking
from studies.console import print_text_table, progress_bar, say, step, warn
from studies.counted_passes import CALLS_AT_ONCE
from studies.kept_passes import cache_folder
from studies.models import find_model
from studies.options import (
    DraftTokensOption,
    FormatOption,
    MaxTokensOption,
    SeedOption,
    TemplateOption,
    WorkloadOption,
    out_file,
    schedules_named,
)
from studies.pass_runs import FIXED, fixed_plan
from studies.pass_summary import pass_summary
from studies.workload_passes import WantedPasses, Watch, kept_or_counted, key_of
from studies.workloads import load_workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver passes -w bfcl:100 -s jump_forward,schemaweaver

  schemaweaver passes -w bfcl:all --vocabulary qwen3.gguf --format qwen

  schemaweaver passes -s speculative --head acceptance=0.7,depth=8,ms=1
"""


@app.command(epilog=EPILOG)
def passes(
    workload: WorkloadOption = "bfcl:100",
    vocabulary: Annotated[
        str | None,
        typer.Option(
            "--vocabulary",
            metavar="PATH",
            help="A GGUF file, whose weights are not read. Default: the embedded SmolLM2-135M-Instruct.",
        ),
    ] = None,
    template: TemplateOption = None,
    call_format: FormatOption = None,
    schedule: Annotated[
        str,
        typer.Option(
            "--schedule",
            "-s",
            metavar="NAMES",
            help=f"Schedules, separated by commas, or fixed: all that no prices decide ({', '.join(FIXED)}).",
        ),
    ] = "fixed",
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the passes go (Parquet).")] = Path(
        "out/passes.parquet"
    ),
    tile: Annotated[
        int, typer.Option("--tile", min=1, help="Fill passes of the values up to multiples of this many rows.")
    ] = 4,
    context: Annotated[
        int, typer.Option("--context", min=256, help="Tokens that all sequences together may hold.")
    ] = 32768,
    max_tokens: MaxTokensOption = 512,
    draft_tokens: DraftTokensOption = 4,
    head: Annotated[
        str | None,
        typer.Option(
            "--head",
            metavar="NUMBERS",
            help="A head that drafts for speculative: acceptance=0.7,depth=8,ms=1. What it costs, ms, is for those to "
            "say who price the passes. Default: the prompt is looked up.",
        ),
    ] = None,
    seed: SeedOption = 0,
    cache: Annotated[
        Path | None, typer.Option("--cache", help="Folder for passes that are kept. Default: in the user's cache.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes that count. Default: one for each processor.")
    ] = None,
) -> None:
    """Run each schedule over a workload once, the model writing the accepted answers, and write its passes.

    Passes of these schedules are the same on every device: with them, any profile prices the workload at once, and
    without a model. Schedules whose passes were counted before, by the same code, are taken from the cache.
    """
    names = FIXED if schedule == "fixed" else schedules_named(schedule)
    plan = fixed_plan(names, tile, max_tokens, draft_tokens)
    stated_head = _stated_head(head, names)
    calls = load_workload(workload, seed)
    wanted = WantedPasses(
        workload, seed, Asking(find_model(vocabulary), template, call_format, context), plan, stated_head
    )
    key = key_of(wanted, calls)
    step(f"Passes of {workload} with the vocabulary of {key.vocabulary} in the {key.call_format} format")
    processes = jobs or BackendOptions().thread_count
    table = kept_or_counted(wanted, calls, key, cache or cache_folder(), processes, _with_progress(len(calls)))
    write_passes(out_file(out), PassFile(key, table, _command(key)))
    _print(table, key, calls, out)


def _stated_head(text: str | None, schedules: Sequence[str]) -> Head | None:
    if text is None:
        return None
    if "speculative" not in schedules:
        raise InputError(f"--head drafts for speculative alone, which is not among {', '.join(schedules)}")
    return read_head(text)


def _with_progress(calls: int) -> Watch:
    """Shows on stderr how many of so many calls are counted."""

    def watch(counted: Iterable[PassTable]) -> Iterator[PassTable]:
        with progress_bar() as bar:
            task = bar.add_task("counting passes", total=calls)
            for table in counted:
                yield table
                bar.update(task, advance=CALLS_AT_ONCE)

    return watch


def _command(key: PassKey) -> str:
    """What makes the passes again, given the files that it names."""
    arguments = [
        *("--workload", key.workload, "--seed", key.seed, "--vocabulary", key.vocabulary),
        *(("--template", key.template) if key.template else ()),
        *("--format", key.call_format, "--schedule", ",".join(key.schedules), "--tile", key.tile_rows),
        *("--context", key.context_tokens, "--max-tokens", key.max_call_tokens, "--draft-tokens", key.draft_tokens),
        *(("--head", f"{key.head},ms=1") if key.head else ()),
    ]
    return shlex.join(["schemaweaver", "passes", *map(str, arguments)])


def _print(table: PassTable, key: PassKey, calls: Sequence[WorkloadCall], out: Path) -> None:
    written = set(table.call_ids.tolist())
    unwritten = [call.call_id for call in calls if call.call_id not in written]
    print_text_table(pass_summary(table), f"{key.workload}, {len(written)} of {len(calls)} calls")
    if unwritten:
        warn(f"left out, as their accepted answers break their tools' schemas: {', '.join(unwritten)}")
    say(f"{table.run_count} runs with {len(table.runs)} passes written to {out}")
