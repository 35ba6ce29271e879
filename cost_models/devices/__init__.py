"""Devices by name, as files in this folder: `calibration.devices_from_paper` makes them.

Each figure says where it comes from. A path to a device file works wherever a name does.
"""

from functools import cache
from pathlib import Path

from cost_models.device import Device, read_device_file
from cost_models.errors import CostModelError

_FOLDER = Path(__file__).parent


def device_names() -> tuple[str, ...]:
    """The names, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def read_device(name_or_path: str | Path) -> Device:
    """The device of that name, else in the file at that path; raises CostModelError that lists the names."""
    name = str(name_or_path)
    if name in device_names():
        return _shipped(name)
    path = Path(name_or_path)
    if not path.is_file():
        raise CostModelError(f"{name}: no such device, nor a device file; devices: {', '.join(device_names())}")
    return read_device_file(path)


@cache
def _shipped(name: str) -> Device:
    return read_device_file(_FOLDER / f"{name}.json")
