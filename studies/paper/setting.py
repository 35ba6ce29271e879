"""What the exhibits are computed from: devices, passes of whole workloads, and draws of calls from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cost_models import CostModel
from cost_models.conditions import Conditions
from cost_models.device import Device
from cost_models.models import read_model
from cost_models.protocol import FloatArray
from engine.errors import InputError
from sim.distinct_passes import IntArray
from sim.pass_prices import Latencies, extrapolated, price
from sim.pass_table import PassTable
from studies.families import family
from studies.paper.estimate import Estimate, geometric_means, over_draws
from studies.paper.reading import Reading
from studies.paper.workload import Workload

PHONES = ("oneplus-12r", "pixel-7")
ONEPLUS, PIXEL = PHONES
BASE_MODEL = "Qwen3-1.7B-Q8_0"
"""The model that both phones were measured with."""


@dataclass(frozen=True, eq=False)
class Setting:
    """Devices by name, under which readings of the paper are computed.

    `costs`, by device and model, are taken in place of the devices' own, at the bus that these were measured with.
    """

    devices: Mapping[str, Device]
    reading: Reading = field(default_factory=Reading)
    costs: Mapping[tuple[str, str], CostModel] = field(default_factory=dict)

    def read(self, **changed: Any) -> "Setting":
        """The same devices under another reading."""
        return replace(self, reading=replace(self.reading, **changed))

    def device(self, name: str) -> Device:
        """The device called `name`; raises InputError that lists the names."""
        if name not in self.devices:
            raise InputError(f"unknown device {name!r}; choose one of: {', '.join(self.devices)}")
        return self.devices[name]

    def cost(self, device: str, model: str = BASE_MODEL, bus_mhz: float | None = None) -> CostModel:
        """What passes of `model` cost on the device."""
        if bus_mhz is None and (device, model) in self.costs:
            return self.costs[device, model]
        shape = None if model == self.device(device).model.name else read_model(model)
        return self.device(device).cost(Conditions(model=shape, bus_mhz=bus_mhz)).model

    def passes(self, model: str, schedule: str) -> PassTable:
        """The passes of BFCL's calls by `schedule`, in the model's own tokens and format and the reading's layout.

        Calls are numbered as in `Workload`; those that may get an optional argument are there without and with it.
        """
        return Workload(family(model), self.reading).passes(schedule)

    def draws(self, model: str) -> IntArray:
        """Numbers of calls, shape (draws, calls), into what `passes` gives for any schedule: the reading's shares of
        them get an optional argument."""
        return Workload(family(model), self.reading).draws()

    def latencies(self, device: str, model: str, schedule: str, bus_mhz: float | None = None) -> Latencies:
        """Of every call, shape (calls,)."""
        return price(self.passes(model, schedule), self.cost(device, model, bus_mhz))

    def tool_start(self, device: str, model: str, schedule: str, bus_mhz: float | None = None) -> Estimate:
        """The paper's latency: the geometric mean until the tool starts, in milliseconds."""
        return over_draws(self.drawn_tool_starts(device, model, schedule, bus_mhz))

    def drawn_tool_starts(self, device: str, model: str, schedule: str, bus_mhz: float | None = None) -> FloatArray:
        """The same in each draw, shape (draws,), so that ratios can be taken draw by draw."""
        latencies = self.latencies(device, model, schedule, bus_mhz)
        return geometric_means(latencies.tool_start_ms, self.draws(model))

    def is_extrapolated(self, device: str, model: str, schedule: str, bus_mhz: float | None = None) -> bool:
        """Whether most of the calls have a pass past what was measured."""
        past = extrapolated(self.passes(model, schedule), self.cost(device, model, bus_mhz))
        return bool(past.mean() > 0.5)
