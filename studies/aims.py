"""What the project wants to reach, beside what a bench found.

The aims were set for 100 calls of BFCL and a model of half a billion weights; the host's time for the embedded model.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from studies.comparison import Latency
from studies.estimates import Estimate
from studies.speed import DECIDING, JUMP_FORWARD, Speed

HERE = "this machine"

FASTER: Mapping[str, Mapping[tuple[Latency, str], float]] = {
    HERE: {("tool start", JUMP_FORWARD): 2.0, ("final call", JUMP_FORWARD): 1.15},
    "oneplus-12r": {("final call", "constrained"): 2.3},
    "oneplus-12r+read-only": {("tool start", "constrained"): 3.3},
}
"""By place, latency and the other schedule: how many times sooner `auto` is to be.

The paper counts the tool's start at the provisional call, which tools get that are known to be read-only.
"""

MOST_SLOWER_PERCENT = 3.0
"""How much slower than the best of the other exact schedules `auto` may be, anywhere."""

MOST_HOST_MS = 0.3
"""The host's time per pass, by any schedule."""


@dataclass(frozen=True, slots=True)
class Aim:
    """One aim: `found` is to be at least `bound`, or at most where `is_limit`."""

    place: str
    what: str
    unit: str
    bound: float
    is_limit: bool
    found: Estimate

    @property
    def is_reached(self) -> bool:
        return self.found.value <= self.bound if self.is_limit else self.found.value >= self.bound


def aims_of(here: Speed, phones: Mapping[str, Speed]) -> tuple[Aim, ...]:
    """The aims for which there are numbers."""
    places = {HERE: here, **phones}
    found = (aim for place, speed in places.items() for aim in (*_faster(place, speed), *_slower(place, speed)))
    return (*found, *_host(here))


def _faster(place: str, speed: Speed) -> Iterator[Aim]:
    deciding = speed.named(DECIDING)
    for (latency, other), bound in FASTER.get(place, {}).items():
        if deciding and other in deciding.times_faster[latency]:
            what = f"{DECIDING}'s {latency} sooner than {other}'s"
            yield Aim(place, what, "times", bound, is_limit=False, found=deciding.times_faster[latency][other])


def _slower(place: str, speed: Speed) -> Iterator[Aim]:
    for latency, against in speed.against_best.items():
        what = f"{DECIDING}'s {latency} slower than the best exact schedule's ({against.best})"
        yield Aim(place, what, "%", MOST_SLOWER_PERCENT, is_limit=True, found=against.slower_percent)


def _host(here: Speed) -> Iterator[Aim]:
    if here.schedules:
        most = max(here.schedules, key=lambda each: each.host_ms_per_pass)
        what = f"host time per pass of the schedule that has most ({most.schedule})"
        yield Aim(HERE, what, "ms", MOST_HOST_MS, is_limit=True, found=Estimate(most.host_ms_per_pass))
