"""A setting with a device changed, for experiments."""

from dataclasses import replace

from cost_models import MeasuredTable
from cost_models.device import Device
from cost_models.figure import Figure
from engine.errors import InputError
from studies.paper.setting import Setting


def with_device(setting: Setting, device: Device) -> Setting:
    """`device` in place of the one that has its name."""
    return replace(setting, devices={**setting.devices, device.name: device})


def with_table(setting: Setting, name: str, table: MeasuredTable) -> Setting:
    """The device called `name` with `table` as its measured costs."""
    return with_device(setting, replace(setting.device(name), table=table, phone=""))


def with_figure(setting: Setting, name: str, figure: Figure) -> Setting:
    """The device called `name` with `figure` in place of the one that has its name, or besides."""
    device = setting.device(name)
    others = (each for each in device.figures if each.name != figure.name)
    return with_device(setting, replace(device, figures=(*others, figure)))


def table_of(setting: Setting, name: str) -> MeasuredTable:
    """The measured costs of the device called `name`; raises InputError where it has none."""
    table = setting.device(name).table
    if table is None:
        raise InputError(f"{name} has no table of measured passes")
    return table
