"""`schemaweaver validate`: predictions beside measurements."""

from pathlib import Path
from typing import Annotated

import typer

from calibration import read_measurement
from cost_models import mismatches
from studies.comparison import compare
from studies.console import OUT, print_text_table, say, warn
from studies.fitting import fit_measurement
from studies.machine.steadiness import Judgement, judge
from studies.runs_file import check_same_ground, read_runs
from studies.summary_table import summary_table
from studies.tables import part_table, scope_text
from studies.writing import Study, write_study

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Example:

  schemaweaver validate out/measured.jsonl out/simulated.jsonl --out out
"""


@app.command(epilog=EPILOG)
def validate(
    measured: Annotated[Path, typer.Argument(help="What run wrote.")] = Path("out/measured.jsonl"),
    simulated: Annotated[Path, typer.Argument(help="What simulate wrote.")] = Path("out/simulated.jsonl"),
    measurement: Annotated[
        Path | None, typer.Option("--measurement", help="What measure wrote, for the fit's error and a verdict.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for tables, timeline and report.")] = Path("out"),
) -> None:
    """Lay measured and simulated records side by side: error per call, by phase, and a report.

    With --measurement, passes of one row before each run tell whether the machine was as fast as when its pass costs
    were measured, and a verdict in words says what the errors are worth.
    """
    files = [(path, read_runs(path)) for path in (measured, simulated)]
    check_same_ground(files)
    header = files[0][1].header
    runs = [run for _, file in files for run in file.runs]
    comparison = compare(runs)
    workload = f"{header.workload}, seed {header.seed}"
    print_text_table(summary_table(comparison), workload)
    print_text_table(part_table(comparison), "Where the time goes")
    OUT.print(scope_text(comparison), soft_wrap=True)
    fitted = fit_measurement(read_measurement(measurement), "this machine") if measurement else None
    differences = mismatches(fitted.profile.provenance, header.provenance) if fitted else ()
    warn(*(f"{measurement}: {sentence}" for sentence in differences))
    judged = judge(comparison, runs, fitted) if fitted and not differences else Judgement((), is_steady=True)
    for sentence in judged.verdict:
        OUT.print(sentence, soft_wrap=True, style="" if judged.is_steady else "yellow")
    command = f"schemaweaver validate {measured} {simulated}"
    title = "Measured and predicted tool calls"
    study = Study(title, command, comparison, runs, header.provenance, workload, fitted, judged.verdict)
    for kind, path in write_study(out, study).items():
        say(f"{kind:<10} {path}")
