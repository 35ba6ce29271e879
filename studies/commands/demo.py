"""`schemaweaver demo`: the whole path, from measuring this machine to a report."""

from pathlib import Path
from typing import Annotated

import typer

from calibration import write_measurement
from cost_models import write_profile, write_whole
from engine.llamacpp import BackendOptions, load_model, open_decoder
from engine.schedules import SCHEDULES
from studies.comparison import compare
from studies.console import OUT, print_text_table, step, warn
from studies.fitting import error_table, fit_measurement, fit_sentences
from studies.ground import extrapolation_warning
from studies.measured_runs import RunPlan
from studies.measuring import measure_machine
from studies.models import find_model
from studies.options import ContextOption, MaxTokensOption, ModelOption, SeedOption, ThreadsOption, WorkloadOption
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

  schemaweaver demo --model qwen2.5-coder.gguf --workload bfcl:24 --repeats 5 --out qwen
"""


@app.command(epilog=EPILOG)
def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for everything that is written.")] = Path("out"),
    workload: WorkloadOption = "bfcl:12",
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Runs of each call by each schedule.")] = 3,
    budget: Annotated[float, typer.Option("--budget", min=1, help="Seconds to measure pass costs for.")] = 40.0,
    model: ModelOption = None,
    max_tokens: MaxTokensOption = 128,
    context: ContextOption = 4096,
    threads: ThreadsOption = None,
    seed: SeedOption = 0,
) -> None:
    """Measure this machine, fit a cost model, run real calls, simulate them, and compare."""
    calls = load_workload(workload, seed)
    out.mkdir(parents=True, exist_ok=True)
    decoder = open_decoder(load_model(find_model(model)), BackendOptions(context_tokens=context, threads=threads))
    try:
        provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
        step(f"1 of 4  Measuring what passes of {provenance.model_file_name} cost here ({provenance.threads} threads)")
        measurement = measure_machine(decoder, provenance, budget, seed)
        write_measurement(measurement, out / "measurement.json")
        step("2 of 4  Fitting a cost model")
        fitted = fit_measurement(measurement, "this machine")
        write_profile(fitted.profile, out / "profile.json")
        print_text_table(error_table(fitted), "Error of predicted pass times")
        OUT.print(fit_sentences(fitted), soft_wrap=True)
        step(f"3 of 4  Decoding {workload} by {', '.join(SCHEDULES)}, {repeats} times each")
        plan = RunPlan(tuple(SCHEDULES), repeats, fitted.profile.table.tile_rows, max_call_tokens=max_tokens)
        measured = run_stage(decoder, calls, plan)
        step("4 of 4  Simulating the same calls with the same schedules")
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
