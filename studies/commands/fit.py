"""`schemaweaver fit`: from a measurement to a profile."""

from pathlib import Path
from typing import Annotated

import typer

from calibration import read_measurement
from cost_models import write_profile
from studies.console import OUT, print_text_table
from studies.fitting import error_table, fit_measurement, fit_sentences, held_out_table
from studies.options import out_file

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Example:

  schemaweaver fit out/measurement.json --out out/profile.json
"""


@app.command(epilog=EPILOG)
def fit(
    measurement: Annotated[Path, typer.Argument(help="What measure wrote.")] = Path("out/measurement.json"),
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the profile goes (JSON).")] = Path("out/profile.json"),
    name: Annotated[str, typer.Option("--name", help="The profile's name.")] = "this machine",
) -> None:
    """Fit a cost model to a measurement and print its error on passes that it did not see."""
    fitted = fit_measurement(read_measurement(measurement), name)
    write_profile(fitted.profile, out_file(out))
    print_text_table(error_table(fitted), "Error of predicted pass times")
    print_text_table(held_out_table(fitted), "Held-out passes by rows")
    OUT.print(fit_sentences(fitted))
    OUT.print(f"Profile written to {out}")
