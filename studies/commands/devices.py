"""`schemaweaver devices`: what is known of each device, and where from."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

import typer

from cost_models.device import Device
from cost_models.devices import device_names, read_device
from cost_models.json_node import json_text
from engine.errors import InputError
from studies.console import OUT, print_text_table
from studies.device_details import device_data, device_lines, figure_table, pass_table
from studies.device_table import device_table

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver devices

  schemaweaver devices pixel-7

  schemaweaver devices out/device.json --json

  schemaweaver devices oneplus-12r --file
"""


@app.command(epilog=EPILOG)
def devices(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME|PATH]", help="One device, or a file that fit --device wrote.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print plain data.")] = False,
    as_file: Annotated[
        bool, typer.Option("--file", help="Print the device's own file, measured costs inside, for a what-if of yours.")
    ] = False,
) -> None:
    """List the devices that what-ifs can be asked of, or show every figure of one, with its error and its source.

    Each was measured with one model. What-ifs of others, such as the paper's, which gives no costs of passes for them,
    follow from a model's shape: `--model` of `sweep` and `break-even`.
    """
    found = [read_device(each) for each in (device_names() if name is None else (name,))]
    today = date.today()
    if as_file:
        typer.echo(json_text(_one(found).with_own_table().to_json()), nl=False)
    elif as_json:
        data = [device_data(each, today) for each in found]
        typer.echo(json_text(data if name is None else data[0]), nl=False)
    elif name is None:
        print_text_table(device_table(found, today), "Devices")
    else:
        _show(found[0], today)


def _one(devices: Sequence[Device]) -> Device:
    if len(devices) != 1:
        raise InputError(f"--file prints one device's file; name one of: {', '.join(device_names())}")
    return devices[0]


def _show(device: Device, today: date) -> None:
    for line in device_lines(device, today):
        OUT.print(line, soft_wrap=True, markup=False)
    print_text_table(figure_table(device), "Figures")
    passes = pass_table(device)
    if passes is not None:
        print_text_table(passes, "Passes")
