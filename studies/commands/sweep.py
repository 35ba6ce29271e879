"""`schemaweaver sweep`: what-ifs over grids of devices, conditions, schedules and calls."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cost_models.devices import device_names, read_device
from cost_models.models import model_names
from cost_models.quantisation import QUANTISATIONS
from studies.asking import Asking
from studies.console import OUT, print_text_table, progress_bar, step, warn
from studies.interrupting import EXIT_CODE
from studies.models import find_model
from studies.options import (
    AsPaperOption,
    DraftTokensOption,
    FormatOption,
    SeedOption,
    TemplateOption,
    out_file,
)
from studies.report import write_report
from studies.sweep.asked import asked_values
from studies.sweep.assumed import assumed_once
from studies.sweep.axes import AXES
from studies.sweep.frame import write_frame
from studies.sweep.kept_passes import other_tile
from studies.sweep.known_conditions import check_known
from studies.sweep.misfits import misfits
from studies.sweep.options import KeptPassesOption
from studies.sweep.outcome import Outcome
from studies.sweep.outcome_table import fixed_values, outcome_table
from studies.sweep.page import sweep_page
from studies.sweep.point import Point, grid
from studies.sweep.prices import Ground, outcomes
from studies.sweep.run_passes import with_shape
from studies.sweep.shapes import find_shape
from studies.sweep.sources import Sources, models_at, opened
from studies.workloads import WORKLOADS

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

MOST_ROWS = 40
"""Rows of the table in the terminal; the file has all points."""

CONTEXT_TOKENS = 32768
SWEEP_FORMAT = "schemaweaver-sweep-1"

EPILOG = """
Examples: a slower memory bus; fewer bits; tiles on a workload; more arguments on two phones.

  schemaweaver sweep --bus 676:3172:8 --chart out/sweep.html

  schemaweaver sweep --quantisation Q8_0,Q4_0 --bandwidth 5:40:8

  schemaweaver sweep --tile 1,2,4,8 -w bfcl:20 -s parallel,schemaweaver

  schemaweaver sweep --arguments 1:8:8 -d oneplus-12r,pixel-7 -s auto
"""


def _axis(name: str, more: str = "", *short: str) -> Any:
    axis = AXES[name]
    meaning = f"{axis.meaning[0].upper()}{axis.meaning[1:]}.{more}"
    metavar = "NAMES" if axis.kind == "name" else "VALUES"
    return typer.Option(f"--{name}", *short, metavar=metavar, help=meaning, rich_help_panel="Axes")


@app.command(epilog=EPILOG)
def sweep(
    context: typer.Context,
    device: Annotated[
        str | None,
        _axis("device", f" By name: {', '.join(device_names())}. Default: oneplus-12r; pixel-7 with --bus.", "-d"),
    ] = None,
    model: Annotated[str | None, _axis("model", f" By name: {', '.join(model_names())}.")] = None,
    quantisation: Annotated[str | None, _axis("quantisation", f" Of: {', '.join(QUANTISATIONS)}.")] = None,
    bus: Annotated[str | None, _axis("bus")] = None,
    bandwidth: Annotated[str | None, _axis("bandwidth")] = None,
    clock: Annotated[str | None, _axis("clock")] = None,
    cores: Annotated[str | None, _axis("cores")] = None,
    tile: Annotated[str | None, _axis("tile", " Default: the device's.")] = None,
    batch: Annotated[str | None, _axis("batch")] = None,
    arguments: Annotated[str | None, _axis("arguments", " Default: 3.")] = None,
    optional: Annotated[str | None, _axis("optional", " Default: 0.")] = None,
    value_tokens: Annotated[
        str | None, _axis("value-tokens", " In turn as many, 1.5 times and half as many. Default: 6.")
    ] = None,
    prompt_tokens: Annotated[str | None, _axis("prompt-tokens", " Default: 400.")] = None,
    acceptance: Annotated[str | None, _axis("acceptance")] = None,
    schedule: Annotated[str | None, _axis("schedule", " Default: jump_forward,schemaweaver.", "-s")] = None,
    tool_ms: Annotated[str | None, _axis("tool-ms", " Default: 0.")] = None,
    axis: Annotated[
        list[str] | None,
        typer.Option(
            "--axis", metavar="AXIS=VALUES", help="Any of the axes, as bus=676:3172:8.", rich_help_panel="Axes"
        ),
    ] = None,
    passes: KeptPassesOption = None,
    calls: Annotated[
        int, typer.Option("--calls", min=1, help="Calls drawn from kept passes, evenly over the number of arguments.")
    ] = 100,
    as_paper: AsPaperOption = False,
    workload: Annotated[
        str | None,
        typer.Option(
            "--workload", "-w", metavar="NAME", help=f"Run schedules on this in place of made calls: {WORKLOADS}."
        ),
    ] = None,
    vocabulary: Annotated[
        str | None,
        typer.Option("--vocabulary", metavar="PATH", help="GGUF for schedules that run. Default: the embedded model."),
    ] = None,
    template: TemplateOption = None,
    call_format: FormatOption = None,
    draft_tokens: DraftTokensOption = 4,
    head_share: Annotated[
        float,
        typer.Option(
            "--head-share", min=0.001, max=1.0, help="What a draft head's pass costs, as a share of the model's own."
        ),
    ] = 0.1,
    seed: SeedOption = 0,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the points go (Parquet).")] = Path(
        "out/sweep.parquet"
    ),
    chart: Annotated[Path | None, typer.Option("--chart", help="Where a page with charts goes (HTML).")] = None,
) -> None:
    """Price schedules over a grid of devices, conditions and calls, with error bars.

    Axes take a list (676,1352,3172) or a range FROM:TO:STEPS (676:3172:8); several make a grid. Conditions of the
    device price passes that were kept; axes that change passes (tile, batch, the shape of calls, acceptance) run the
    schedules, on calls made for it or on a workload. Latencies are geometric means over calls, from the prompt's end
    to the tool's start and to the final call; speedups are over constrained. What was never measured is marked. The
    file has joules of a call by supply rail too, of devices whose power is known (pixel-7), and the peak of memory.
    """
    options = {name: context.params[name.replace("-", "_")] for name in AXES}
    values = asked_values(options, axis or ())
    asking = Asking(find_model(vocabulary), template, call_format, CONTEXT_TOKENS)
    sources = Sources(
        passes=passes,
        as_paper=as_paper,
        workload=workload,
        calls=calls,
        seed=seed,
        asking=asking,
        draft_tokens=draft_tokens,
    )
    points = grid(values, Point())
    devices = {str(name): read_device(str(name)) for name in values["device"]}
    check_known(values, devices)
    models = {str(name): find_shape(str(name)) for name in values.get("model", ())}
    with opened(sources, values, models_at(devices, models)) as source:
        if source.is_made:
            points = tuple(with_shape(point) for point in points)
        step(f"{len(points)} points on {source.words}")
        found = _found(points, Ground(devices, models, source.passes, head_share, not source.is_made))
    command = shlex.join(["schemaweaver", *sys.argv[1:]])
    facts = {"format": SWEEP_FORMAT, "command": command, "passes": source.words}
    _finish(found, facts, out, chart)
    warn(*misfits(found))
    warn(other_tile(source.tile_rows, [device.chip.tile_rows for device in devices.values()]))
    if len(found) < len(points):
        warn(f"interrupted: {len(found)} of {len(points)} points are written")
        raise typer.Exit(EXIT_CODE)


def _found(points: Sequence[Point], ground: Ground) -> list[Outcome]:
    """The outcomes of all points, or of those that were priced before Ctrl-C."""
    found: list[Outcome] = []
    with progress_bar() as bar:
        task = bar.add_task("pricing points", total=len(points))
        try:
            for outcome in outcomes(points, ground):
                found.append(outcome)
                bar.advance(task)
        except KeyboardInterrupt:
            if not found:
                raise
    return found


def _finish(found: Sequence[Outcome], facts: Mapping[str, str], out: Path, chart: Path | None) -> None:
    write_frame(out_file(out), found, facts)
    print_text_table(outcome_table(found, MOST_ROWS), fixed_values(found))
    OUT.print("in brackets 90 % intervals; * all of the time is in passes that nobody measured", markup=False)
    for sentence in assumed_once(sentence for outcome in found for sentence in outcome.assumed):
        OUT.print(f"assumed: {sentence}", markup=False, soft_wrap=True)
    OUT.print(f"{len(found)} points written to {out}", soft_wrap=True)
    if chart is not None:
        write_report(out_file(chart), sweep_page(found, facts["command"], facts))
        OUT.print(f"charts written to {chart}", soft_wrap=True)
