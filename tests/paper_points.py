"""The study under its own reading, and columns of its open points, for the tests of what is said about them."""

from studies.paper.devices import study_devices
from studies.paper.open_point import OpenPoint
from studies.paper.setting import Setting

SETTING = Setting(study_devices(()))


def column(point: OpenPoint, measure: str) -> list[float]:
    numbers = [point.number(outcome.reading, measure) for outcome in point.outcomes]
    return [number for number in numbers if number is not None]


def nearest(values: list[float], wanted: float) -> int:
    return min(range(len(values)), key=lambda place: abs(values[place] - wanted))
