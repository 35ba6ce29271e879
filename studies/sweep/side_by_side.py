"""From how many arguments on values decoded side by side come sooner than those that jump forward one by one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from studies.sweep.bounds import Bounds
from studies.sweep.break_even_point import BreakEven, break_even
from studies.sweep.mean_time import FINAL, TOOL_START
from studies.sweep.point import Point
from studies.sweep.priced import Priced
from studies.sweep.prices import Ground

RIVAL = "jump_forward"
SIDE_BY_SIDE = ("schemaweaver", "verified")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentGains:
    """`schedule` against `RIVAL` to one `latency`: `gains` are how many times sooner with 1, 2, 3 ... arguments.

    `outside_percent` is the share of the schedule's time in passes that nobody measured, for each number of arguments.
    """

    schedule: str
    latency: str
    gains: tuple[Bounds, ...]
    outside_percent: tuple[float, ...]

    @property
    def break_even(self) -> BreakEven:
        """From how many arguments on it is sooner."""
        return break_even(self.gains, 1)


def argument_gains(point: Point, ground: Ground, most_arguments: int) -> tuple[ArgumentGains, ...]:
    """Each of `SIDE_BY_SIDE` to the tool's start and to the final call, at `point` with up to so many arguments."""
    places = [replace(point, arguments=count) for count in range(1, most_arguments + 1)]
    priced = [ground.priced(place, (RIVAL, *SIDE_BY_SIDE))[0] for place in places]
    return tuple(_gains(priced, schedule, latency) for schedule in SIDE_BY_SIDE for latency in (TOOL_START, FINAL))


def _gains(priced: Sequence[Priced], schedule: str, latency: str) -> ArgumentGains:
    return ArgumentGains(
        schedule=schedule,
        latency=latency,
        gains=tuple(each.ratio(each.mean(RIVAL, latency), each.mean(schedule, latency)) for each in priced),
        outside_percent=tuple(each.outside_percent(each.mean(schedule, latency)) for each in priced),
    )
