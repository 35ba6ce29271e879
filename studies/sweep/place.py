"""One device under conditions, as the questions of `break-even` name it."""

from collections.abc import Collection, Sequence

from engine.errors import InputError
from studies.sweep.axes import read_axis
from studies.sweep.point import Point


def place_at(device: str, conditions: Sequence[str], allowed: Collection[str]) -> Point:
    """The point on `device` under `conditions`, each as `bus=676`, on axes that are `allowed`.

    Raises InputError for an axis that is not, comes twice, or has more than one value.
    """
    point = Point(device=device)
    for text in conditions:
        name, values = read_axis(text)
        if name not in allowed:
            raise InputError(f"--at {text}: {name} is no condition of this question; choose of: {', '.join(allowed)}")
        if len(values) != 1:
            raise InputError(f"--at {text}: {len(values)} values; expected one, as in {name}={values[0]}")
        if point.value(name) is not None:
            raise InputError(f"--at {text}: {name} has a value already; give it once")
        point = point.with_values({name: values[0]})
    if point.bus_mhz is not None and point.bandwidth_gb_s is not None:
        raise InputError("--at: of bus and bandwidth the one follows from the other; give one of them")
    return point
