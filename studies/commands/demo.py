"""`schemaweaver demo`: the whole path, from measuring this machine to a report."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from calibration import Measurement, join, write_measurement
from cost_models import Profile, Provenance, write_profile, write_whole
from engine.llamacpp import BackendOptions, Decoder, open_decoder
from engine.records import RunRecord
from engine.schedules import BASIC
from sim.workload import WorkloadCall
from studies.comparison import compare
from studies.console import OUT, print_text_table, say, step, warn
from studies.fitting import Fitted, error_table, fit_measurement, fit_sentences
from studies.ground import extrapolation_warning
from studies.machine.steadiness import judge
from studies.measured_runs import RunPlan
from studies.measuring import measure_machine
from studies.models import open_model
from studies.options import (
    ContextOption,
    FormatOption,
    MaxTokensOption,
    ModelOption,
    SeedOption,
    ThreadsOption,
    TileOption,
    WorkloadOption,
)
from studies.planned_runs import planned_runs
from studies.provenance import provenance_of
from studies.runs_file import RunsHeader, write_runs
from studies.stages import replay_stage, run_stage
from studies.summary_table import summary_table
from studies.tables import scope_text
from studies.workloads import load_workload
from studies.writing import Study, write_study

SCHEDULES = (*BASIC, "verified", "auto")

TOOL_MS = 20.0
"""How long the pretended tool takes: enough to be seen on the timeline."""

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver demo

  schemaweaver demo --model qwen2.5-coder.gguf --workload bfcl:24 --out qwen
"""


@app.command(epilog=EPILOG)
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for everything that is written.")] = Path("out"),
    workload: WorkloadOption = "bfcl:8",
    repeats: Annotated[
        int, typer.Option("--repeats", min=1, help="Runs of each call by each schedule, and turns of measuring.")
    ] = 3,
    model: ModelOption = None,
    call_format: FormatOption = None,
    max_tokens: MaxTokensOption = 128,
    context: ContextOption = 4096,
    threads: ThreadsOption = None,
    tile: TileOption = None,
    seed: SeedOption = 0,
) -> None:
    """Measure this machine and decode real calls, fit a cost model to the measurement, simulate the calls, and compare.

    Measuring takes turns with decoding, a sweep over pass costs and then all runs of a part of the calls: machines that
    others share drift within minutes. Whether the times mean anything is told by passes of one row before each run.
    The schedule auto decides by the first sweep, which prices.json holds.
    """
    calls = load_workload(workload, seed)
    out.mkdir(parents=True, exist_ok=True)
    step(
        f"{workload} by {len(SCHEDULES)} schedules, {repeats} times each, and {repeats} sweeps over pass costs; by "
        "default, with the embedded model, that takes 3 to 5 minutes on two cores"
    )
    options = BackendOptions(context_tokens=context, threads=threads)
    decoder = open_decoder(open_model(model), options, call_format)
    try:
        provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
        taken = _take_turns(decoder, calls, provenance, Turns(repeats, tile, max_tokens, seed))
        step("Fitting a cost model to the pass costs, and simulating the same calls with the same schedules")
        fitted = fit_measurement(taken.measurement, "this machine")
        simulated = replay_stage(decoder.preparer, calls, taken.runs, fitted.profile.table, prices=taken.prices.table)
        header = RunsHeader(workload, seed, decoder.preparer.call_format.name, provenance)
        planned = planned_runs(taken.plan, len(calls), taken.prices.table)
    finally:
        decoder.close()
    write_measurement(taken.measurement, out / "measurement.json")
    write_profile(fitted.profile, out / "profile.json")
    write_profile(taken.prices, out / "prices.json")
    write_runs(out / "measured.jsonl", replace(header, planned=planned), taken.runs)
    write_runs(out / "simulated.jsonl", header, simulated)
    study, is_steady = study_of(workload, seed, repeats, [*taken.runs, *simulated], fitted)
    warn(extrapolation_warning(simulated, fitted.profile.table))
    write_whole(out / "summary.txt", printed_summary(study, fitted, is_steady))
    for kind, path in write_study(out, study).items():
        say(f"{kind:<10} {path}")


@dataclass(frozen=True, slots=True)
class Turns:
    """How measuring and decoding take turns: so many of each, and what the runs are made with."""

    count: int
    tile_rows: int | None
    max_call_tokens: int
    seed: int


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of the turns: all sweeps as one measurement, all runs and their plan, and the prices of `auto`."""

    measurement: Measurement
    runs: tuple[RunRecord, ...]
    plan: RunPlan
    prices: Profile


def _take_turns(decoder: Decoder, calls: Sequence[WorkloadCall], provenance: Provenance, turns: Turns) -> Taken:
    """A sweep over pass costs, then a part of the calls, and so on; the first sweep's fit is what `auto` decides by."""
    started_s = time.monotonic()
    sweeps = [_sweep(decoder, provenance, turns, 0)]
    prices = fit_measurement(sweeps[0], "the first sweep").profile
    tile_rows = turns.tile_rows or prices.table.tile_rows
    plan = RunPlan(SCHEDULES, turns.count, tile_rows, TOOL_MS, turns.max_call_tokens, prices.table)
    runs: list[RunRecord] = []
    for turn in range(turns.count):
        if turn:
            rest_s = (turns.count - turn) * (time.monotonic() - started_s) / turn
            step(f"About {rest_s:.0f} s of measuring and decoding to go")
            sweeps.append(_sweep(decoder, provenance, turns, turn))
        if part := calls[turn :: turns.count]:
            step(f"Turn {turn + 1} of {turns.count}: {len(part)} calls by {', '.join(SCHEDULES)}")
            runs += run_stage(decoder, part, plan)
    return Taken(join(sweeps), tuple(runs), plan, prices)


def _sweep(decoder: Decoder, provenance: Provenance, turns: Turns, turn: int) -> Measurement:
    step(f"Turn {turn + 1} of {turns.count}: what passes of {provenance.model_file_name} cost here")
    return measure_machine(decoder, provenance, 0.0, turns.seed + turn, least_sweeps=1)


def study_of(workload: str, seed: int, repeats: int, runs: Sequence[RunRecord], fitted: Fitted) -> tuple[Study, bool]:
    """The study of all runs, and whether its times mean anything."""
    comparison = compare(runs)
    judged = judge(comparison, runs, fitted)
    study = Study(
        title="Tool calls, measured and predicted",
        command=f"schemaweaver demo --workload {workload} --repeats {repeats} --seed {seed}",
        comparison=comparison,
        runs=runs,
        provenance=fitted.profile.provenance,
        workload=f"{workload}, seed {seed}",
        fitted=fitted,
        verdict=judged.verdict,
    )
    return study, judged.is_steady


def printed_summary(study: Study, fitted: Fitted, with_times: bool) -> str:
    """Print the table and the verdict, and return both as text; times that mean nothing are left out."""
    if with_times:
        print_text_table(error_table(fitted), "Error of predicted pass times")
        OUT.print(fit_sentences(fitted), soft_wrap=True)
    title = f"{study.workload}, on {study.provenance.model_file_name}"
    table = print_text_table(summary_table(study.comparison, with_times), title)
    left_out = () if with_times else ("So no times are printed here; the report has them all the same.",)
    sentences = (scope_text(study.comparison), *study.verdict, *left_out)
    for sentence in sentences:
        say(sentence)
    return "\n".join((table, *sentences, ""))
