"""`schemaweaver break-even`: from where on padding, side-by-side decoding or a slower bus pays."""

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Annotated

import typer

from cost_models import ModelShape
from cost_models.devices import device_names, read_device
from engine.errors import InputError
from engine.schedules import schedule_named
from studies.asking import Asking, open_preparer
from studies.console import OUT, print_text_table, warn
from studies.models import find_model
from studies.options import AsPaperOption, FormatOption, SeedOption, TemplateOption
from studies.sweep.answer import Answer
from studies.sweep.arguments_answer import arguments_answer
from studies.sweep.assumed import assumed_once
from studies.sweep.axes import AXES, CONDITION_AXES, read_values
from studies.sweep.bus_answer import bus_answer
from studies.sweep.conditions import conditions_of
from studies.sweep.kept_passes import other_tile
from studies.sweep.mean_time import FINAL, TOOL_START
from studies.sweep.options import KeptPassesOption
from studies.sweep.outcome_table import OUTSIDE_MARK
from studies.sweep.padding import padded_batch
from studies.sweep.padding_answer import padding_answer
from studies.sweep.place import place_at
from studies.sweep.point import Point
from studies.sweep.prices import BASELINE, Ground
from studies.sweep.run_passes import RunPasses, made_calls_of, with_shape
from studies.sweep.shapes import find_shape
from studies.sweep.side_by_side import RIVAL, argument_gains
from studies.sweep.slow_bus import BusRange, bus_range, slow_bus
from studies.sweep.sources import calls_of_model

EPILOG = """
Examples:

  schemaweaver break-even padding --device oneplus-12r --batch 2:12:11

  schemaweaver break-even padding --tile 2,4,8,16

  schemaweaver break-even arguments --device pixel-7 --at value-tokens=4

  schemaweaver break-even bus --device pixel-7 --speedup 3
"""

app = typer.Typer(add_completion=False, rich_markup_mode="rich", epilog=EPILOG, no_args_is_help=True)

CONTEXT_TOKENS = 32768
TILES = 6
BUS_CONDITIONS = tuple(name for name in CONDITION_AXES if name not in ("bus", "bandwidth", "tile"))
"""With another tile passes would be filled up otherwise, and kept ones are not."""

SHAPE_AXES = ("optional", "value-tokens", "prompt-tokens")

DeviceOption = Annotated[
    str, typer.Option("--device", "-d", metavar="NAME|PATH", help=f"One of {', '.join(device_names())}, or a file.")
]
AtOption = Annotated[
    list[str] | None,
    typer.Option(
        "--at", metavar="AXIS=VALUE", help=f"Another condition of the device, of: {', '.join(CONDITION_AXES)}."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]


@app.callback()
def break_even() -> None:
    """Answer a what-if with one number, its error bar, and what it rests on.

    padding: with how many unfinished sequences filling a pass up to a whole tile pays, and from which width on it never
    does. arguments: from how many arguments on side-by-side decoding comes sooner than jump_forward. bus: how slow the
    memory bus has to be for a speedup over constrained. Numbers in brackets are 90 % intervals of the device's fit.
    """


@app.command()
def padding(
    device: DeviceOption = "oneplus-12r",
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch", metavar="VALUES", help=f"Rows that passes are filled up to. Default: {TILES} times the tile."
        ),
    ] = None,
    tile: Annotated[
        str | None,
        typer.Option("--tile", metavar="VALUES", help="In place of it: kernels that compute so many rows at once."),
    ] = None,
    sequences: Annotated[
        int, typer.Option("--sequences", min=2, help="The most unfinished sequences; BFCL's calls have up to 8 values.")
    ] = 8,
    context_tokens: Annotated[int, typer.Option("--context", min=1, help="Context tokens of the passes.")] = 400,
    at: AtOption = None,
    as_json: JsonOption = False,
) -> None:
    """With how many unfinished sequences filling a pass up to a whole batch pays, and when it never does."""
    if batch is not None and tile is not None:
        raise InputError("--batch and --tile: passes are filled up to the one or the other; give one of them")
    place = place_at(device, at or (), [name for name in CONDITION_AXES if tile is None or name != "tile"])
    found, models = read_device(device), _models(place)
    own_rows = max(2, place.tile_rows or found.chip.tile_rows)
    asked = read_values(AXES["batch" if tile is None else "tile"], tile or batch or _multiples(own_rows))
    widths = sorted(int(value) for value in asked)
    conditions = [conditions_of(place if tile is None else replace(place, tile_rows=width), models) for width in widths]
    batches = [
        padded_batch(found, each, width, sequences, context_tokens)
        for each, width in zip(conditions, widths, strict=True)
    ]
    assumed = [sentence for each in conditions for sentence in found.cost(each).assumed]
    _print(f"{found.title}, context {context_tokens}", padding_answer(batches, sequences), assumed, as_json)


@app.command()
def arguments(
    device: DeviceOption = "oneplus-12r",
    most: Annotated[int, typer.Option("--most", min=1, help="Up to how many arguments to look.")] = 12,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at",
            metavar="AXIS=VALUE",
            help=f"Another condition or shape of the calls, of: {', '.join((*CONDITION_AXES, *SHAPE_AXES))}.",
        ),
    ] = None,
    vocabulary: Annotated[
        str | None, typer.Option("--vocabulary", metavar="PATH", help="A GGUF file. Default: the embedded model.")
    ] = None,
    template: TemplateOption = None,
    call_format: FormatOption = None,
    as_json: JsonOption = False,
) -> None:
    """From how many arguments on side-by-side decoding comes sooner than jump_forward, on calls made for it."""
    place = with_shape(place_at(device, at or (), (*CONDITION_AXES, *SHAPE_AXES)))
    found = read_device(device)
    preparer = open_preparer(Asking(find_model(vocabulary), template, call_format, CONTEXT_TOKENS))
    try:
        ground = Ground({device: found}, _models(place), RunPasses(preparer, made_calls_of(preparer)))
        gains = argument_gains(place, ground, most)
        _, assumed = ground.priced(place, ())
    finally:
        preparer.model.close()
    title = f"{found.title}, {_shape_words(place)}: times sooner than {RIVAL}"
    _print(title, arguments_answer(gains), assumed, as_json)


@app.command()
def bus(
    device: DeviceOption = "pixel-7",
    speedup: Annotated[float, typer.Option("--speedup", help="How many times sooner than constrained, above 1.")] = 3.0,
    schedule: Annotated[
        str, typer.Option("--schedule", "-s", metavar="NAME", help="By which schedule.")
    ] = "schemaweaver",
    within: Annotated[
        str | None,
        typer.Option("--within", metavar="FROM:TO", help="MHz, or GB/s where nobody knows the clock, to look in."),
    ] = None,
    passes: KeptPassesOption = None,
    as_paper: AsPaperOption = False,
    calls: Annotated[
        int, typer.Option("--calls", min=1, help="Calls drawn, evenly over the number of arguments.")
    ] = 100,
    seed: SeedOption = 0,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at", metavar="AXIS=VALUE", help=f"Another condition of the device, of: {', '.join(BUS_CONDITIONS)}."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """How slow the memory bus has to be for a speedup over constrained, to the tool's start and to the final call."""
    schedule_named(schedule)
    if not 1 < speedup < inf:
        raise InputError(f"--speedup {speedup:g}: expected a number above 1")
    place = replace(place_at(device, at or (), BUS_CONDITIONS), schedule=schedule)
    found, models = read_device(device), _models(place)
    around = bus_range(found) if within is None else _narrowed(bus_range(found), within)
    model = models[place.model] if place.model else found.model
    source = calls_of_model(model.name, passes, as_paper, (BASELINE, schedule), calls, seed)
    ground = Ground({device: found}, models, source.passes, is_sample=True)
    answers = [slow_bus(place, ground, around, latency, speedup) for latency in (TOOL_START, FINAL)]
    assumed = [sentence for each in answers for sentence in each.assumed]
    _print(f"{found.title}, {source.words}", bus_answer(answers, around), assumed, as_json)
    warn(other_tile(source.tile_rows, [found.chip.tile_rows]))


def _multiples(rows: int) -> str:
    return ",".join(str(rows * times) for times in range(1, TILES + 1))


def _models(place: Point) -> dict[str, ModelShape]:
    return {} if place.model is None else {place.model: find_shape(place.model)}


def _narrowed(around: BusRange, within: str) -> BusRange:
    """`around` from and to other ends; raises InputError where `FROM:TO` are not two positive numbers in this order."""
    try:
        low, high = map(float, within.split(":"))
    except ValueError:
        low = high = 0.0
    if not 0 < low < high < inf:
        raise InputError(f"--within {within}: expected FROM:TO, two numbers above 0 in rising order, as 300:3200")
    return replace(around, low=low, high=high)


def _shape_words(place: Point) -> str:
    return ", ".join(f"{name} {place.value(name)}" for name in SHAPE_AXES)


def _print(title: str, answer: Answer, assumed: Sequence[str], as_json: bool) -> None:
    command = shlex.join(["schemaweaver", *sys.argv[1:]])
    sentences = assumed_once(assumed)
    if as_json:
        data = {"command": command, "title": title, "answer": answer.sentences, **answer.data, "assumed": sentences}
        OUT.print(json.dumps(data, ensure_ascii=False), markup=False, soft_wrap=True)
        return
    for sentence in answer.sentences:
        OUT.print(sentence, markup=False, soft_wrap=True)
    print_text_table(answer.table, title)
    for sentence in sentences:
        OUT.print(f"assumed: {sentence}", markup=False, soft_wrap=True)
    OUT.print(f"in brackets 90 % intervals; {OUTSIDE_MARK} never measured; {command}", markup=False, soft_wrap=True)
