"""What a sweep can vary: each axis with its unit and its valid values, and how a text states several of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

import numpy as np

from engine.errors import InputError

MOST_STEPS = 100_000
"""Of a range, which no sweep can have more points than (`point.MOST_POINTS`)."""

Value = float | int | str
Kind = Literal["number", "whole", "name"]


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis. `name` is what the command line calls it, `field` the field of a `Point` and the column of a file.

    Numbers lie from `least` (itself left out where not `has_least`) to `most`; names are checked by who knows them.
    `runs_schedules` says that passes change along it, so that no kept ones can be priced.
    """

    name: str
    field: str
    kind: Kind
    meaning: str
    least: float = 0.0
    most: float = float("inf")
    has_least: bool = False
    runs_schedules: bool = False

    @property
    def form(self) -> str:
        """What its values look like, for messages."""
        if self.kind == "name":
            return "names separated by commas"
        number = "whole numbers" if self.kind == "whole" else "numbers"
        low = f"{'from' if self.has_least else 'above'} {self.least:g}"
        high = "" if self.most == float("inf") else f" to {self.most:g}"
        example = (
            "1:8:8 or 1,2,4" if self.kind == "whole" else "0.5:0.9:5 or 0.5,0.7" if high else "676:3172:8 or 676,1352"
        )
        return f"{number} {low}{high}, as FROM:TO:STEPS or a list ({example})"


def _whole(name: str, field: str, meaning: str, least: int = 1, runs_schedules: bool = True) -> Axis:
    return Axis(name, field, "whole", meaning, least, has_least=True, runs_schedules=runs_schedules)


AXES: Mapping[str, Axis] = {
    axis.name: axis
    for axis in (
        Axis("device", "device", "name", "devices by name or file"),
        Axis("model", "model", "name", "models by name or GGUF file"),
        Axis("quantisation", "quantisation", "name", "quantisations of the weights"),
        Axis("bus", "bus_mhz", "number", "clock of the memory bus, MHz"),
        Axis("bandwidth", "bandwidth_gb_s", "number", "memory bandwidth, GB/s"),
        Axis("clock", "clock_mhz", "number", "clock of the cores, MHz"),
        _whole("cores", "cores", "number of cores", runs_schedules=False),
        _whole("tile", "tile_rows", "rows that the device computes at once; passes are filled up to them"),
        _whole("batch", "batch_rows", "rows that passes of the values are filled up to, if not the tile"),
        _whole("arguments", "arguments", "required arguments of a call"),
        _whole("optional", "optional_arguments", "optional arguments of a call, all of them written", 0),
        _whole("value-tokens", "value_tokens", "tokens of each value"),
        _whole("prompt-tokens", "prompt_tokens", "tokens of the prompt"),
        Axis(
            *("acceptance", "acceptance", "number", "rate at which a draft head is right, for speculative"),
            most=1.0,
            has_least=True,
            runs_schedules=True,
        ),
        Axis("schedule", "schedule", "name", "decoding schedules"),
        Axis("tool-ms", "tool_ms", "number", "how long the tool takes, ms", has_least=True),
    )
}
"""All axes by name, in the order of a file's columns; the later ones change faster over a grid."""

CONDITION_AXES = ("model", "quantisation", "bus", "bandwidth", "clock", "cores", "tile")
"""Those that change what a pass costs on a device."""


def axis_named(name: str) -> Axis:
    """The axis called `name`; raises InputError that lists all."""
    if name not in AXES:
        listed = "; ".join(f"{axis.name} ({axis.meaning})" for axis in AXES.values())
        raise InputError(f"unknown axis {name!r}; choose one of: {listed}")
    return AXES[name]


def read_axis(text: str) -> tuple[str, tuple[Value, ...]]:
    """What `bus=676:3172:8` states: the axis's name, and its values; raises InputError that lists the axes."""
    name, is_stated, values = text.partition("=")
    axis = axis_named(name.strip())
    if not is_stated:
        raise InputError(f"--axis {text}: no values; expected {axis.name}=VALUES, {axis.form}")
    return axis.name, read_values(axis, values)


def read_values(axis: Axis, text: str) -> tuple[Value, ...]:
    """The values that `text` states: a range FROM:TO:STEPS with both ends in it, a list, or one.

    A range of whole numbers has the nearest ones. No value comes twice. Raises InputError naming axis, value and form.
    """
    if axis.kind == "name":
        values: Sequence[Value] = [name.strip() for name in text.split(",")]
        if not all(values):
            raise _wrong(axis, text, "a name is empty")
        return tuple(dict.fromkeys(values))
    numbers = _range(axis, text) if ":" in text else [_number(axis, text, part) for part in text.split(",")]
    for number in numbers:
        _check(axis, text, number)
    return tuple(dict.fromkeys(int(number) if axis.kind == "whole" else number for number in numbers))


def _range(axis: Axis, text: str) -> list[float]:
    parts = text.split(":")
    if len(parts) != 3:
        raise _wrong(axis, text, "a range has three parts" if len(parts) > 3 else "a range needs a number of steps")
    first, last, steps = (_number(axis, text, part) for part in parts)
    for end in (first, last):
        _check_finite(axis, text, end)
    if not 1 <= steps <= MOST_STEPS or steps != int(steps):
        raise _wrong(axis, text, f"{steps:g} steps; a range has a whole number of them, from 1 to {MOST_STEPS:,}")
    values = np.linspace(first, last, int(steps)).tolist()
    return [float(round(value)) for value in values] if axis.kind == "whole" else values


def _number(axis: Axis, text: str, part: str) -> float:
    try:
        return float(part)
    except ValueError:
        raise _wrong(axis, text, f"{part.strip()!r} is no number") from None


def _check_finite(axis: Axis, text: str, number: float) -> None:
    if not isfinite(number):
        raise _wrong(axis, text, f"{number:g} lies outside")


def _check(axis: Axis, text: str, number: float) -> None:
    _check_finite(axis, text, number)
    is_above = number >= axis.least if axis.has_least else number > axis.least
    if not (is_above and number <= axis.most):
        raise _wrong(axis, text, f"{number:g} lies outside")
    if axis.kind == "whole" and number != int(number):
        raise _wrong(axis, text, f"{number:g} is no whole number")


def _wrong(axis: Axis, text: str, problem: str) -> InputError:
    return InputError(f"--{axis.name} {text}: {problem}; expected {axis.form}")
