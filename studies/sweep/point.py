"""One place of a sweep's grid, and the grid as the product of its axes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from engine.errors import InputError
from studies.sweep.axes import AXES, Value

MOST_POINTS = 100_000
"""A grid of more would take hours and many gigabytes; ten times fewer make any curve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What is asked at one place: a device under conditions, a schedule, and what the schedule is run on.

    None stands for the device's own condition, and for what kept passes have. `tool_ms` is how long the tool takes.
    """

    device: str = "oneplus-12r"
    model: str | None = None
    quantisation: str | None = None
    bus_mhz: float | None = None
    bandwidth_gb_s: float | None = None
    clock_mhz: float | None = None
    cores: int | None = None
    tile_rows: int | None = None
    batch_rows: int | None = None
    arguments: int | None = None
    optional_arguments: int | None = None
    value_tokens: int | None = None
    prompt_tokens: int | None = None
    acceptance: float | None = None
    schedule: str = "schemaweaver"
    tool_ms: float = 0.0

    def value(self, axis_name: str) -> Value | None:
        """Where it lies on the axis called so."""
        found: Value | None = getattr(self, AXES[axis_name].field)
        return found

    def with_values(self, values: Mapping[str, Value]) -> "Point":
        """This point at other places on the axes with these names."""
        changed: dict[str, Any] = {AXES[name].field: value for name, value in values.items()}
        return replace(self, **changed)


def grid(values: Mapping[str, Sequence[Value]], base: Point) -> tuple[Point, ...]:
    """`base` with every combination of the values of axes by name, in the order of `AXES`.

    Raises InputError where bus and bandwidth are both given, since each says what the other is, and for more than
    `MOST_POINTS` points.
    """
    if "bus" in values and "bandwidth" in values:
        raise InputError("--bus and --bandwidth: the one follows from the other; give one of them")
    names = [name for name in AXES if name in values]
    count = prod(len(values[name]) for name in names)
    if count > MOST_POINTS:
        each = " times ".join(f"{len(values[name]):,} of {name}" for name in names)
        raise InputError(f"{count:,} points ({each}); expected at most {MOST_POINTS:,}: ask for fewer steps")
    combinations = product(*(values[name] for name in names))
    return tuple(base.with_values(dict(zip(names, chosen, strict=True))) for chosen in combinations)


def varying(points: Sequence[Point]) -> tuple[str, ...]:
    """The names of the axes along which `points` differ."""
    return tuple(name for name in AXES if len({point.value(name) for point in points}) > 1)
