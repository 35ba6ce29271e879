"""`schemaweaver demo`: the whole path, from measuring this machine to a report."""

from pathlib import Path
from typing import Annotated

import typer

from calibration import Measurement, join, write_measurement
from cost_models import write_profile, write_whole
from engine.llamacpp import BackendOptions, open_decoder
from engine.records import RunRecord
from engine.schedules import BASIC
from studies.comparison import compare
from studies.console import OUT, print_text_table, step, warn
from studies.fitting import error_table, fit_measurement, fit_sentences
from studies.ground import extrapolation_warning
from studies.measured_runs import RunPlan
from studies.measuring import measure_machine
from studies.models import open_model
from studies.options import (
    ContextOption,
    MaxTokensOption,
    ModelOption,
    SeedOption,
    ThreadsOption,
    TileOption,
    WorkloadOption,
)
from studies.provenance import provenance_of
from studies.runs_file import RunsHeader, write_runs
from studies.stages import replay_stage, run_stage
from studies.summary_table import summary_table
from studies.tables import scope_text
from studies.workloads import load_workload
from studies.writing import Study, write_study

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver demo

  schemaweaver demo --model qwen2.5-coder.gguf --workload bfcl:24 --out qwen
"""


@app.command(epilog=EPILOG)
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for everything that is written.")] = Path("out"),
    workload: WorkloadOption = "bfcl:12",
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Turns of measuring and decoding.")] = 3,
    model: ModelOption = None,
    max_tokens: MaxTokensOption = 128,
    context: ContextOption = 4096,
    threads: ThreadsOption = None,
    tile: TileOption = None,
    seed: SeedOption = 0,
) -> None:
    """Measure this machine and decode real calls, fit a cost model to the measurement, simulate the calls, and compare.

    Measuring and decoding take turns, a sweep and a repeat at a time: a machine that others share drifts within
    seconds, and this way it drifts alike for both.
    """
    calls = load_workload(workload, seed)
    out.mkdir(parents=True, exist_ok=True)
    decoder = open_decoder(open_model(model), BackendOptions(context_tokens=context, threads=threads))
    try:
        provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
        sweeps: list[Measurement] = []
        measured: list[RunRecord] = []
        for turn in range(repeats):
            step(f"Turn {turn + 1} of {repeats}: what passes of {provenance.model_file_name} cost here")
            sweeps.append(measure_machine(decoder, provenance, 0.0, seed + turn, least_sweeps=1))
            found_tile = tile or fit_measurement(sweeps[0], "").profile.table.tile_rows
            plan = RunPlan(BASIC, 1, found_tile, max_call_tokens=max_tokens)
            step(f"Turn {turn + 1} of {repeats}: {workload} by {', '.join(BASIC)}")
            measured += run_stage(decoder, calls, plan, first_repeat=turn)
        step("Fitting a cost model to the pass costs")
        measurement = join(sweeps)
        write_measurement(measurement, out / "measurement.json")
        fitted = fit_measurement(measurement, "this machine")
        write_profile(fitted.profile, out / "profile.json")
        print_text_table(error_table(fitted), "Error of predicted pass times")
        OUT.print(fit_sentences(fitted), soft_wrap=True)
        step("Simulating the same calls with the same schedules")
        simulated = replay_stage(decoder.preparer, calls, measured, fitted.profile.table)
        header = RunsHeader(workload, seed, decoder.preparer.call_format.name, provenance)
    finally:
        decoder.close()
    write_runs(out / "measured.jsonl", header, measured)
    write_runs(out / "simulated.jsonl", header, simulated)
    comparison = compare([*measured, *simulated])
    title = f"{workload}, seed {seed}, on {provenance.model_file_name}"
    summary = print_text_table(summary_table(comparison), title)
    write_whole(out / "summary.txt", summary)
    OUT.print(scope_text(comparison), soft_wrap=True)
    warn(extrapolation_warning(simulated, fitted.profile.table))
    study = Study(
        title="Tool calls, measured and predicted",
        command=f"schemaweaver demo --workload {workload} --repeats {repeats} --seed {seed}",
        comparison=comparison,
        runs=[*measured, *simulated],
        provenance=provenance,
        workload=f"{workload}, seed {seed}",
        fitted=fitted,
    )
    for kind, path in write_study(out, study).items():
        OUT.print(f"{kind:<10} {path}")
