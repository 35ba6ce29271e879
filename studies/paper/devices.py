"""The devices of a study: those that come with the project, or others in their place."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from cost_models.device import Device
from cost_models.devices import device_names, read_device
from engine.errors import InputError


def study_devices(replacing: Iterable[Path]) -> Mapping[str, Device]:
    """All devices by name, each file of `replacing` in place of the one that has its name.

    Raises CostModelError where a file is damaged, InputError where no device has its name.
    """
    devices = {name: read_device(name) for name in device_names()}
    for path in replacing:
        device = read_device(str(path))
        if device.name not in devices:
            raise InputError(f"{path}: $.name: found {device.name!r}, expected one of: {', '.join(devices)}")
        devices[device.name] = device
    return devices
