"""Which devices can be taken to another clock or number of cores: those that know their own."""

from collections.abc import Mapping

from cost_models.device import Device
from cost_models.devices import device_names, read_device
from engine.errors import InputError
from studies.sweep.asked import Values
from studies.sweep.axes import AXES

SCALED = ("bus", "clock", "cores")
"""Axes of figures that a device needs to know its own value of."""


def check_known(values: Values, devices: Mapping[str, Device]) -> None:
    """Raise InputError for a device that does not know its own value on one of the axes, naming those that do."""
    for axis in SCALED:
        for name, device in devices.items() if axis in values else ():
            if not _knows(device, axis):
                knowing = [each for each in device_names() if _knows(read_device(each), axis)]
                own = f"{name} does not say its own {AXES[axis].meaning}"
                raise InputError(f"--{axis}: {own}; devices that do: {', '.join(knowing) or 'none'}")


def _knows(device: Device, axis: str) -> bool:
    return getattr(device.chip, AXES[axis].field) is not None
