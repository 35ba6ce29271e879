"""How slow the memory bus has to be for a speedup."""

from collections.abc import Callable
from dataclasses import dataclass

from cost_models.device import Device
from studies.sweep.bounds import Bounds
from studies.sweep.crossing import last_crossing
from studies.sweep.point import Point
from studies.sweep.prices import BASELINE, Ground

SLOWEST, FASTEST = 1 / 16, 4.0
"""The range that is looked at unless another is asked for, over the device's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BusRange:
    """What is varied, an axis by name, from `low` to `high`; `gb_s_per_unit` turns it into a bandwidth."""

    axis: str
    low: float
    high: float
    gb_s_per_unit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowBus:
    """The fastest bus with which `schedule` reaches `speedup` over `BASELINE` to one `latency`, in the range's unit.

    `value` None: it does not anywhere in the range, or everywhere: `at_low` and `at_high` are the speedups at its ends.
    `low` and `high` are where the bounds of the speedup reach it: it is enough for sure up to `low`, and for sure not
    above `high`. `outside_percent` is the share of the time at `value` in passes that nobody measured, `assumed` what
    is taken for granted there.
    """

    schedule: str
    latency: str
    speedup: float
    value: float | None
    low: float | None
    high: float | None
    at_low: Bounds
    at_high: Bounds
    outside_percent: float = 0.0
    assumed: tuple[str, ...] = ()


def bus_range(device: Device) -> BusRange:
    """The clock of the device's memory bus; its bandwidth where nobody knows the clock."""
    chip = device.chip
    own = chip.bus_mhz or chip.bandwidth_gb_s
    axis = "bus" if chip.bus_mhz else "bandwidth"
    return BusRange(axis=axis, low=SLOWEST * own, high=FASTEST * own, gb_s_per_unit=chip.bandwidth_gb_s / own)


def slow_bus(point: Point, ground: Ground, within: BusRange, latency: str, speedup: float) -> SlowBus:
    """The break-even bus for the point's schedule; its own bus does not count."""
    seen: dict[float, Bounds] = {}

    def found(place: float) -> Bounds:
        if place not in seen:
            priced, _ = ground.priced(point.with_values({within.axis: place}), (point.schedule,))
            seen[place] = priced.ratio(priced.mean(BASELINE, latency), priced.mean(point.schedule, latency))
        return seen[place]

    def crossing(end: Callable[[Bounds], float | None]) -> float | None:
        return last_crossing(lambda place: (end(found(place)) or 0.0) - speedup, within.low, within.high)

    value = crossing(lambda bounds: bounds.value)
    there, assumed = ground.priced(point.with_values({within.axis: value or within.low}), (point.schedule,))
    return SlowBus(
        schedule=point.schedule,
        latency=latency,
        speedup=speedup,
        value=value,
        low=crossing(lambda bounds: bounds.low),
        high=crossing(lambda bounds: bounds.high),
        at_low=found(within.low),
        at_high=found(within.high),
        outside_percent=there.outside_percent(there.mean(point.schedule, latency)),
        assumed=assumed,
    )
