"""From how many arguments on values decoded side by side come sooner than those that jump forward one by one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from studies.sweep.bounds import Bounds
from studies.sweep.break_even_point import BreakEven, break_even
from studies.sweep.mean_time import FINAL, TOOL_START
from studies.sweep.point import Point
from studies.sweep.prices import Ground

RIVAL = "jump_forward"
SIDE_BY_SIDE = ("schemaweaver", "verified")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentGains:
    """`schedule` against `RIVAL` to one `latency`: `gains` are how many times sooner with 1, 2, 3 ... arguments."""

    schedule: str
    latency: str
    gains: tuple[Bounds, ...]

    @property
    def break_even(self) -> BreakEven:
        """From how many arguments on it is sooner."""
        return break_even(self.gains, 1)


def argument_gains(point: Point, ground: Ground, most_arguments: int) -> tuple[ArgumentGains, ...]:
    """Each of `SIDE_BY_SIDE` to the tool's start and to the final call, at `point` with up to so many arguments."""
    places = [replace(point, arguments=count) for count in range(1, most_arguments + 1)]
    ratios = [_ratios(place, ground) for place in places]
    return tuple(
        ArgumentGains(schedule=schedule, latency=latency, gains=tuple(each[schedule, latency] for each in ratios))
        for schedule in SIDE_BY_SIDE
        for latency in (TOOL_START, FINAL)
    )


def _ratios(point: Point, ground: Ground) -> Mapping[tuple[str, str], Bounds]:
    priced, _ = ground.priced(point, (RIVAL, *SIDE_BY_SIDE))
    return {
        (schedule, latency): priced.ratio(priced.mean(RIVAL, latency), priced.mean(schedule, latency))
        for schedule in SIDE_BY_SIDE
        for latency in (TOOL_START, FINAL)
    }
