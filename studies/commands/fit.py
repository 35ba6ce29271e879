"""`schemaweaver fit`: from a measurement to a profile."""

from pathlib import Path
from typing import Annotated

import typer

from calibration import read_measurement
from cost_models import write_profile
from cost_models.device import write_device
from studies.console import OUT, print_text_table, say
from studies.device_fitting import fitted_device
from studies.fitting import error_table, fit_measurement, fit_sentences, held_out_table
from studies.models import find_model
from studies.options import out_file

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver fit out/measurement.json --out out/profile.json

  schemaweaver fit out/measurement.json --device mine.json --model m.gguf
"""


@app.command(epilog=EPILOG)
def fit(
    measurement: Annotated[Path, typer.Argument(help="What measure wrote.")] = Path("out/measurement.json"),
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the profile goes (JSON).")] = Path("out/profile.json"),
    name: Annotated[str, typer.Option("--name", help="The profile's name.")] = "this machine",
    device: Annotated[
        Path | None, typer.Option("--device", help="Where a device for what-ifs goes (JSON); see schemaweaver devices.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="PATH", help="What was measured with, for --device. Default: embedded."),
    ] = None,
) -> None:
    """Fit a cost model to a measurement and print its error on passes that it did not see."""
    fitted = fit_measurement(read_measurement(measurement), name)
    write_profile(fitted.profile, out_file(out))
    print_text_table(error_table(fitted), "Error of predicted pass times")
    print_text_table(held_out_table(fitted), "Held-out passes by rows")
    OUT.print(fit_sentences(fitted))
    say(f"Profile written to {out}")
    if device is not None:
        write_device(fitted_device(fitted.profile, find_model(model), device.stem), out_file(device))
        say(f"Device written to {device}")
