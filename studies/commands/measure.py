"""`schemaweaver measure`: what passes cost on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from calibration import write_measurement
from calibration.measure import LEAST_SWEEPS
from engine.llamacpp import BackendOptions, open_decoder
from studies.console import say, step
from studies.measuring import measure_machine
from studies.models import open_model
from studies.options import ContextOption, FormatOption, ModelOption, SeedOption, ThreadsOption, out_file
from studies.provenance import provenance_of

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver measure --out out/measurement.json

  schemaweaver measure --threads 4 --budget 120 --out phone.json
"""


@app.command(epilog=EPILOG)
def measure(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the measurement goes (JSON).")] = Path(
        "out/measurement.json"
    ),
    model: ModelOption = None,
    call_format: FormatOption = None,
    context: ContextOption = 4096,
    threads: ThreadsOption = None,
    budget: Annotated[float, typer.Option("--budget", min=1, help="Seconds to measure for.")] = 45.0,
    sweeps: Annotated[
        int, typer.Option("--sweeps", min=1, help="Sweeps to measure whatever they take; fewer than 3 tell little.")
    ] = LEAST_SWEEPS,
    seed: SeedOption = 0,
) -> None:
    """Measure what passes cost on this machine, over rows, picks and context; needs no laptop packages."""
    step("Measuring pass costs")
    decoder = open_decoder(open_model(model), BackendOptions(context_tokens=context, threads=threads), call_format)
    try:
        provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
        measurement = measure_machine(decoder, provenance, budget, seed, sweeps)
    finally:
        decoder.close()
    write_measurement(measurement, out_file(out))
    say(f"{len(measurement.samples)} passes measured in {measurement.sweeps} sweeps; written to {out}")
