"""`schemaweaver bench`: what the project itself costs."""

from pathlib import Path
from typing import Annotated

import typer

from cost_models import write_whole
from cost_models.json_node import json_text
from engine.llamacpp import load_model, open_decoder
from studies.benchmark import AIMS, bench_json, bench_table, run_bench
from studies.console import OUT, print_text_table, step
from studies.constraint_bench import CONSTRAINT_AIMS, bench_constraints, constraint_json, constraint_table
from studies.models import find_model
from studies.options import ModelOption, SeedOption, WorkloadOption, gguf_files
from studies.provenance import provenance_of
from studies.workloads import load_workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver bench --workload bfcl:4 --repeats 1

  schemaweaver bench --vocabularies .venv/llama.cpp/vocabularies
"""


@app.command(epilog=EPILOG)
def bench(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder that bench.json is written to.")] = Path("out"),
    workload: WorkloadOption = "bfcl:12",
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Runs of each call by each schedule.")] = 3,
    model: ModelOption = None,
    seed: SeedOption = 0,
    vocabularies: Annotated[
        Path | None, typer.Option("--vocabularies", help="Folder of GGUF files to measure constraints on.")
    ] = None,
) -> None:
    """Measure the project's own costs: host time per pass beside llama_decode's, simulator speed, peak memory.

    With `--vocabularies`, also what loading them, building a tool's skeleton and asking its constraints cost.
    """
    if vocabularies:
        gguf_files(vocabularies)
    calls = load_workload(workload, seed)
    decoder = open_decoder(load_model(find_model(model)))
    try:
        provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
        step(f"Benchmarking on {workload}, seed {seed}")
        benches = run_bench(decoder, calls, workload, seed, repeats)
    finally:
        decoder.close()
    constraints = tuple(bench_constraints(vocabularies, calls)) if vocabularies else ()
    out.mkdir(parents=True, exist_ok=True)
    command = f"schemaweaver bench --workload {workload} --repeats {repeats} --seed {seed}"
    data = {
        "command": command + (f" --vocabularies {vocabularies}" if vocabularies else ""),
        "provenance": provenance.to_json(),
        "schedules": bench_json(benches),
        "constraints": constraint_json(constraints),
    }
    write_whole(out / "bench.json", json_text(data))
    print_text_table(
        bench_table(benches), f"{provenance.model_file_name}, {provenance.cpu}, {provenance.threads} threads"
    )
    OUT.print(AIMS)
    if constraints:
        print_text_table(constraint_table(constraints), f"QWEN calls of {workload}'s tools")
        OUT.print(CONSTRAINT_AIMS)
    OUT.print(f"written to {out / 'bench.json'}")
