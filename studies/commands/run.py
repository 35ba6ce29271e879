"""`schemaweaver run`: a workload on llama.cpp."""

from pathlib import Path
from typing import Annotated

import typer

from engine.llamacpp import BackendOptions, open_decoder
from studies.comparison import compare
from studies.console import print_text_table, say, step, warn
from studies.ground import check_ground
from studies.interrupting import said_how_to_go_on
from studies.measured_runs import RunPlan
from studies.models import open_model
from studies.options import (
    DEFAULT_SCHEDULES,
    ContextOption,
    DraftModelOption,
    DraftTokensOption,
    FormatOption,
    MaxTokensOption,
    ModelOption,
    PricesOption,
    ResumeOption,
    SchedulesOption,
    SeedOption,
    ThreadsOption,
    TileOption,
    ToolTimeOption,
    WorkloadOption,
    out_file,
    schedules_named,
    warn_unpriced,
)
from studies.planned_runs import planned_runs
from studies.profiles import find_profile
from studies.provenance import provenance_of
from studies.resumed_runs import check_no_unfinished
from studies.runs_file import RunsHeader
from studies.stages import record_stage
from studies.summary_table import summary_table
from studies.workloads import load_workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver run --workload bfcl:12 --out out/measured.jsonl

  schemaweaver run --model qwen2.5-coder.gguf --schedule jump_forward,verified

  schemaweaver run --schedule all --workload bfcl:100 --repeats 1 --resume

  schemaweaver run --schedule speculative --draft-model small.gguf

  schemaweaver run --workload droidcall:DroidCall_test.jsonl:20
"""


@app.command(epilog=EPILOG)
def run(
    workload: WorkloadOption = "bfcl:12",
    schedule: SchedulesOption = DEFAULT_SCHEDULES,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the records go (JSON lines).")] = Path(
        "out/measured.jsonl"
    ),
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Runs of each call by each schedule.")] = 3,
    model: ModelOption = None,
    call_format: FormatOption = None,
    context: ContextOption = 4096,
    threads: ThreadsOption = None,
    max_tokens: MaxTokensOption = 512,
    tile: TileOption = None,
    tool_ms: ToolTimeOption = 100.0,
    seed: SeedOption = 0,
    profile: PricesOption = None,
    draft_model: DraftModelOption = None,
    draft_tokens: DraftTokensOption = 4,
    resume: ResumeOption = False,
) -> None:
    """Run a workload through schedules on llama.cpp and write records.

    Each run is written as soon as it is done. The same command with `--resume` goes on where it was interrupted.
    """
    names = schedules_named(schedule)
    warn_unpriced(names, profile)
    if not resume:
        check_no_unfinished(out)
    found = find_profile(profile) if profile else None
    prices = found.profile.table if found else None
    found_tile = tile or (prices.tile_rows if prices else 1)
    plan = RunPlan(names, repeats, found_tile, tool_ms, max_tokens, prices, draft_tokens)
    calls = load_workload(workload, seed)
    options = BackendOptions(context_tokens=context, threads=threads)
    draft = open_model(draft_model) if draft_model else None
    decoder = open_decoder(open_model(model), options, call_format, draft)
    try:
        step(f"Running {workload} on {decoder.preparer.model.name}")
        provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
        warn(*(check_ground(found, provenance, accept=True) if found else ()))
        planned = planned_runs(plan, len(calls), prices, draft)
        header = RunsHeader(workload, seed, decoder.preparer.call_format.name, provenance, planned)
        with said_how_to_go_on(out):
            runs = record_stage(decoder, calls, plan, out_file(out), header, resume)
    finally:
        decoder.close()
    print_text_table(summary_table(compare(runs)), f"{workload}, seed {seed}")
    say(f"{len(runs)} runs written to {out}")
