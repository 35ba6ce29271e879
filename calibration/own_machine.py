"""The project's own machine as a device: `python -m calibration.own_machine results/bench/profile.json` writes it."""

import sys
import tomllib
from pathlib import Path

from calibration.device_of_profile import device_of_profile
from cost_models import devices as devices_package
from cost_models.device import Device, write_device
from cost_models.json_node import JsonNode
from cost_models.model_shape import ModelShape
from cost_models.profile import read_profile

OWN_MACHINE = Path(__file__).with_suffix(".toml")


def own_device(profile: Path) -> Device:
    """The device of that profile; raises CostModelError naming file, path, value and what is valid."""
    root = JsonNode(tomllib.loads(OWN_MACHINE.read_text(encoding="utf-8")), OWN_MACHINE.name)
    at = root.fields("name", "title", "cores", "model")
    texts = {name: at[name].text() for name in ("name", "title", "cores")}
    return device_of_profile(read_profile(profile), ModelShape.from_json(at["model"]), **texts)


if __name__ == "__main__":
    device = own_device(Path(sys.argv[1]))
    write_device(device, Path(devices_package.__file__).with_name(f"{device.name}.json"))
