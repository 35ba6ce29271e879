"""Prices points: each one's latencies with error bars, and how much of them was never measured."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from cost_models import CostModel, ModelShape
from cost_models.device import Device
from studies.families import other_tokens
from studies.sweep.conditions import conditions_of
from studies.sweep.contest import Contest, contest
from studies.sweep.mean_time import FINAL, RESULT, TOOL_START
from studies.sweep.outcome import Outcome
from studies.sweep.passes import Passes
from studies.sweep.point import Point
from studies.sweep.priced import Priced

BASELINE = "constrained"


@dataclass(frozen=True, slots=True)
class Ground:
    """What points are priced on: devices and models by name, passes, and a draft head's share of the model's time.

    `is_sample`: the calls were drawn, and error bars count that. Passes are kept, so that points which differ in
    conditions only share them.
    """

    devices: Mapping[str, Device]
    models: Mapping[str, ModelShape]
    passes: Passes
    head_share: float = 0.1
    is_sample: bool = False
    contests: dict[Hashable, Contest] = field(default_factory=dict)

    def priced(self, point: Point, schedules: Sequence[str]) -> tuple[Priced, tuple[str, ...]]:
        """`BASELINE` and `schedules` at `point`, whose own schedule does not count, and what is assumed there."""
        device, conditions = self.devices[point.device], conditions_of(point, self.models)
        cost = device.cost(conditions)
        found = self._contest(point, dict.fromkeys((BASELINE, *schedules)), cost.model)
        tokens = other_tokens(self.passes.vocabulary(point), (conditions.model or device.model).name)
        return Priced(found, device, conditions, cost.model, self.head_share, self.is_sample), (*cost.assumed, *tokens)

    def _contest(self, point: Point, schedules: Iterable[str], cost: CostModel) -> Contest:
        width = point.batch_rows or point.tile_rows or self.devices[point.device].chip.tile_rows
        places = [replace(point, schedule=name, batch_rows=width) for name in schedules]
        key = tuple(self.passes.key(place, cost) for place in places)
        if key not in self.contests:
            self.contests[key] = contest({place.schedule: self.passes.table(place, cost) for place in places})
        return self.contests[key]


def outcomes(points: Sequence[Point], ground: Ground) -> Iterator[Outcome]:
    """The outcome of each point, in their order; those that differ in schedule and tool time alone are priced at once.

    Raises CostModelError where a device does not know a condition that a point changes.
    """
    for _, group in groupby(points, _without_schedule):
        yield from _outcomes(list(group), ground)


def _without_schedule(point: Point) -> Point:
    return replace(point, schedule=BASELINE, tool_ms=0.0)


def _outcomes(points: Sequence[Point], ground: Ground) -> Iterator[Outcome]:
    priced, assumed = ground.priced(points[0], tuple(dict.fromkeys(point.schedule for point in points)))
    starts, finals = (priced.mean(BASELINE, latency) for latency in (TOOL_START, FINAL))
    for point in points:
        start, final = (priced.mean(point.schedule, latency) for latency in (TOOL_START, FINAL))
        # A tool that takes no time has ended when the call is final.
        result = priced.mean(point.schedule, RESULT, point.tool_ms) if point.tool_ms else final
        yield Outcome(
            point=point,
            runs=int(priced.contest.of[point.schedule].sum()),
            tool_start_ms=priced.time(start),
            final_ms=priced.time(final),
            result_ms=priced.time(result),
            tool_start_speedup=priced.ratio(starts, start),
            final_speedup=priced.ratio(finals, final),
            outside_percent=priced.outside_percent(final),
            tool_start_energy=priced.energy(point.schedule, TOOL_START),
            final_energy=priced.energy(point.schedule, FINAL),
            peak_memory_bytes=priced.peak_memory_bytes,
            fits=priced.fits,
            assumed=(*assumed, *priced.energy_assumed),
        )
