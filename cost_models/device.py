"""A device: what passes cost on it, under the conditions that it was measured at and under others."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from cost_models.bus_scaled import BusScaled
from cost_models.chip import Chip
from cost_models.conditions import AS_MEASURED, Conditions
from cost_models.energy import Energy, Power, pass_energy
from cost_models.errors import CostModelError
from cost_models.figure import Figure, chip_of, power_of, read_figures
from cost_models.files import write_whole
from cost_models.fit_errors import FitErrors
from cost_models.interval import Interval, Uncertain, call_interval, ratio_interval
from cost_models.json_node import JsonNode, json_text, read_json
from cost_models.measured_range import MeasuredRange
from cost_models.model_shape import ModelShape
from cost_models.passes import Passes
from cost_models.peak_memory import PeakMemory, peak_memory
from cost_models.phones import phone_names, read_phone
from cost_models.protocol import CostModel, Numbers
from cost_models.rescaled import Rescaled
from cost_models.roofline import Roofline
from cost_models.scaled import Scaled
from cost_models.table import MeasuredTable

DEVICE_FORMAT = "schemaweaver-device-1"
PROCESSORS = ("cpu", "gpu", "npu")

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A processor of a phone or computer, as measured with one model.

    `name` is a key such as `oneplus-12r`, `cores` says which of its cores in words. `model` was measured: `figures` are
    what its timed passes tell of the chip and its memory, each with its source, `errors` what they leave open (None:
    nothing is known of that), `measured` the passes that they were (None: none of that size alone tells the costs).
    `table` holds measured costs that need no roofline; where `phone` names one, it is that phone's
    (`cost_models.phones`). `bus_part` is what of a pass waits for the memory bus at the chip's `bus_mhz`, told apart by
    levels from `measured_mhz[0]` to `measured_mhz[1]`. `source` says where the numbers were published (empty: measured
    by this software), `date` when, as an ISO date or month; `assumed` are sentences. Raises CostModelError, starting
    with the field's name, on anything that is no such device.
    """

    name: str
    title: str
    processor: str
    cores: str
    model: ModelShape
    figures: tuple[Figure, ...]
    measured: MeasuredRange | None = None
    errors: FitErrors | None = None
    table: MeasuredTable | None = None
    phone: str = ""
    bus_part: MeasuredTable | None = None
    measured_mhz: tuple[float, float] | None = None
    date: str = ""
    source: str = ""
    assumed: tuple[str, ...] = ()
    notes: str = ""

    def __post_init__(self) -> None:
        if self.processor not in PROCESSORS:
            raise CostModelError(f"processor: found {self.processor!r}, expected one of {', '.join(PROCESSORS)}")
        if self.table is not None and self.value("host_ms") is not None:
            raise CostModelError("figures.host_ms: expected none, since the table has one")
        self._check_bus()

    def _check_bus(self) -> None:
        given = [each is not None for each in (self.bus_part, self.measured_mhz)]
        if any(given) and not (all(given) and self.bus is not None):
            raise CostModelError("bus_part: expected it with measured_mhz, a table and the figure bus_mhz, or neither")

    @property
    def chip(self) -> Chip:
        """The processor and its memory; the host's time is the table's, where there is one."""
        chip = chip_of(self.title, self.figures)
        return chip if self.table is None else replace(chip, host_ms=self.table.host_ms)

    @property
    def power(self) -> Power | None:
        """What the device draws, None where unknown."""
        return power_of(self.figures)

    @property
    def bus(self) -> BusScaled | None:
        """The table with its part that waits for the memory bus, None where levels of it were not measured."""
        if self.bus_part is None or self.measured_mhz is None or self.table is None or self.chip.bus_mhz is None:
            return None
        return BusScaled(
            reference=self.table,
            bus_part=self.bus_part,
            reference_mhz=self.chip.bus_mhz,
            bus_mhz=self.chip.bus_mhz,
            measured_mhz=self.measured_mhz,
        )

    @property
    def roofline(self) -> Roofline:
        """The measured model on the chip."""
        return Roofline(shape=self.model, chip=self.chip, measured=self.measured)

    @property
    def memory_bytes(self) -> float | None:
        """The device's memory, None where unknown."""
        return self.value("memory_bytes")

    def value(self, name: str) -> float | None:
        """The figure called `name`, None where the device has none."""
        return next((each.value for each in self.figures if each.name == name), None)

    def bounds(self) -> dict[str, tuple[float, float]]:
        """The 90 % intervals of the figures that a fit tells, by their names."""
        return {} if self.errors is None else self.errors.bounds(self.chip)

    def with_own_table(self) -> "Device":
        """The same device with its measured costs in its own file, and in no phone's."""
        return replace(self, phone="")

    def cost(self, conditions: Conditions = AS_MEASURED) -> Scaled[CostModel]:
        """What passes cost under `conditions`, with what is assumed for that: nothing where nothing differs.

        A condition that is the device's own changes nothing beside any other. As measured: the table, else the
        roofline. With another bus, where levels of it were measured: the table with the part that waits stretched. For
        all else, costs so far in the ratio of two rooflines, both with that bus; a roofline where there is no table.
        Raises CostModelError where a condition scales one that the device does not know.
        """
        if self.table is None:
            return self.roofline.at(conditions)
        differing, bus = self.roofline.differing(conditions), self.bus
        if bus is None or differing.bus_mhz is None:
            return _rescaled(Scaled(self.table, ()), self.roofline, differing)
        at_bus = self.roofline.at(Conditions(bus_mhz=differing.bus_mhz)).model
        return _rescaled(bus.at(bus_mhz=differing.bus_mhz), at_bus, replace(differing, bus_mhz=None))

    def energy(
        self, rows: Numbers, picks: Numbers, context_tokens: Numbers, conditions: Conditions = AS_MEASURED
    ) -> Energy:
        """The energy of a pass under `conditions`, the cores drawing what they do as measured whatever their clock.

        Raises CostModelError where the device's power is unknown, and on what is no pass.
        """
        if self.power is None:
            raise CostModelError(f"{self.name}: what it draws is unknown")
        target, cost = self.roofline.at(conditions).model, self.cost(conditions).model
        return pass_energy(target, self.power, rows, picks, context_tokens, cost=cost)

    def peak_memory(self, context_tokens: int, conditions: Conditions = AS_MEASURED) -> PeakMemory:
        """What running the model of `conditions` takes at its highest, with room for so much context.

        Weights are there twice, as `cost_models.peak_memory` says of CPUs; buffers are the figure's, else left out.
        """
        shape = self.roofline.at(conditions).model.shape
        return peak_memory(shape, context_tokens, buffer_bytes=self.value("buffer_bytes") or 0.0)

    def fits(self, context_tokens: int, conditions: Conditions = AS_MEASURED) -> bool | None:
        """Whether that is less than the device's memory, all of it; None where that is unknown."""
        total = self.memory_bytes
        return None if total is None else self.peak_memory(context_tokens, conditions).total_bytes <= total

    def interval(self, passes: Passes, conditions: Conditions = AS_MEASURED) -> Interval:
        """The time of a call, the host's included, with its 90 % interval; see `cost_models.interval.call_interval`.

        What the conditions assume may be wrong besides. Raises CostModelError where the device's errors are unknown.
        """
        return call_interval(self.uncertain(conditions), passes)

    def ratio_interval(self, passes: Passes, baseline: Passes, conditions: Conditions = AS_MEASURED) -> Interval:
        """How many times faster calls are by `passes` than by `baseline`, with its 90 % interval; as `interval`."""
        return ratio_interval(self.uncertain(conditions), passes, baseline)

    def uncertain(self, conditions: Conditions = AS_MEASURED) -> Uncertain:
        """The cost under `conditions` with its errors; raises CostModelError where those are unknown."""
        if self.errors is None:
            raise CostModelError(f"{self.name}: its figures were not fitted, so that their errors are unknown")
        return Uncertain(
            cost=self.cost(conditions).model,
            origin=self.roofline,
            errors=self.errors,
            conditions=conditions,
            measured=self.table,
        )

    def to_json(self) -> dict[str, Any]:
        """The device as plain JSON data, with its format's version first."""
        return {
            "format": DEVICE_FORMAT,
            **{name: getattr(self, name) for name in _TEXTS},
            "assumed": list(self.assumed),
            "model": self.model.to_json(),
            "figures": {each.name: {"value": each.value, "source": each.source} for each in self.figures},
            "errors": None if self.errors is None else self.errors.to_json(),
            "measured": None if self.measured is None else self.measured.to_json(),
            "table": None if self.table is None or self.phone else self.table.to_json(),
            "bus_part": None if self.bus_part is None else self.bus_part.to_json(),
            "measured_mhz": self.measured_mhz,
        }

    @classmethod
    def from_json(cls, data: JsonNode) -> "Device":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields("format", *cls.__dataclass_fields__)
        at["format"].exactly(DEVICE_FORMAT)
        texts = {name: at[name].text() for name in _TEXTS}
        figures = read_figures(at["figures"])
        at["figures"].built(chip_of, texts["title"], figures)
        at["figures"].built(power_of, figures)
        return data.built(
            cls,
            **texts,
            assumed=tuple(each.text() for each in at["assumed"].items()),
            model=ModelShape.from_json(at["model"]),
            figures=figures,
            errors=_optional(at["errors"], FitErrors.from_json),
            measured=_optional(at["measured"], MeasuredRange.from_json),
            table=_table(at["table"], at["phone"]),
            bus_part=_optional(at["bus_part"], MeasuredTable.from_json),
            measured_mhz=_optional(at["measured_mhz"], _pair),
        )


def read_device_file(path: Path) -> Device:
    """The device in a file; raises CostModelError naming file, JSON path, value and what is valid."""
    return Device.from_json(read_json(path))


def write_device(device: Device, path: Path) -> None:
    """Write `device` to `path`, whole or not at all; equal devices give equal bytes."""
    write_whole(path, json_text(device.to_json()))


_TEXTS = ("name", "title", "processor", "cores", "phone", "date", "source", "notes")


def _rescaled(known: Scaled[CostModel], origin: Roofline, conditions: Conditions) -> Scaled[CostModel]:
    """`known` costs, those of what `origin` is the roofline of, where `conditions` differ besides."""
    if conditions == AS_MEASURED:
        return known
    scaled = Rescaled(measured=known.model, origin=origin, target=origin).at(conditions)
    return Scaled(scaled.model, (*known.assumed, *scaled.assumed))


def _table(data: JsonNode, phone: JsonNode) -> MeasuredTable | None:
    name = phone.text()
    if not name:
        return _optional(data, MeasuredTable.from_json)
    if name not in phone_names():
        raise phone.wrong(f"one of {', '.join(phone_names())}, or an empty string")
    if data.value is not None:
        raise data.wrong(f"null, since the table is that of the phone {name}")
    return read_phone(name).table


def _pair(data: JsonNode) -> tuple[float, float]:
    values = data.numbers()
    if len(values) != 2:
        raise data.wrong("two numbers, lowest and highest")
    return values[0], values[1]


def _optional(data: JsonNode, read: Callable[[JsonNode], Part]) -> Part | None:
    return None if data.value is None else read(data)
