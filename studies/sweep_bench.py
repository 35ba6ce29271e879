"""How long a sweep of a thousand points takes, and how much of that is work on arrays."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from cost_models.devices import read_device
from sim.pass_file import PassFile
from studies.sweep.asked import BUS_DEVICE, DEFAULT_SCHEDULES
from studies.sweep.axes import Value
from studies.sweep.drawn_passes import DrawnPasses
from studies.sweep.kept_passes import DEFAULT_PASSES, find_passes, kept_passes
from studies.sweep.point import Point, grid
from studies.sweep.prices import BASELINE, Ground, outcomes
from studies.text_table import Table, number_cell

SWEEP_AIM = (
    "Aim: 1,000 points over 100 calls in less than 5 s, on one core, with error bars, energy and memory. Medians of "
    "three sweeps of the Pixel's memory bus; reading the passes' file is left out."
)
HEADERS = ("schedules", "points", "conditions", "calls", "s", "points per s", "work on arrays %")
POINTS = 1000
CALLS = 100
ROUNDS = 3
LOWEST_MHZ, HIGHEST_MHZ = 676.0, 3172.0


@dataclass(frozen=True, slots=True)
class SweepBench:
    """One sweep: `conditions` at each of which `schedules` were priced, over so many calls.

    `array_share` is the part of the time that numpy spends on elements: what is left when the time of the same sweep
    over one call, which is nearly all calls from Python, is taken off.
    """

    schedules: tuple[str, ...]
    conditions: int
    calls: int
    seconds: float
    array_share: float

    @property
    def points(self) -> int:
        """As a sweep counts them."""
        return self.conditions * len(self.schedules)


def bench_sweeps() -> tuple[SweepBench, ...]:
    """A thousand points of the schedules that a sweep prices unless told otherwise, and of one of them alone."""
    file = find_passes(DEFAULT_PASSES)
    choices = (DEFAULT_SCHEDULES, DEFAULT_SCHEDULES[-1:])
    return tuple(bench_sweep(file, schedules, POINTS // len(schedules), CALLS) for schedules in choices)


def bench_sweep(file: PassFile, schedules: Sequence[str], conditions: int, calls: int) -> SweepBench:
    """Price `schedules` at so many clocks of the bus, over so many calls of `file`."""
    axes = {"bus": np.linspace(LOWEST_MHZ, HIGHEST_MHZ, conditions).tolist(), "schedule": tuple(schedules)}
    whole_s, one_s = (_median_s(file, axes, count) for count in (calls, 1))
    return SweepBench(tuple(schedules), conditions, calls, whole_s, max(0.0, 1 - one_s / whole_s))


def sweep_table(benches: Sequence[SweepBench]) -> Table:
    """A row per sweep."""
    return Table(HEADERS, tuple(map(_row, benches)))


def _median_s(file: PassFile, axes: Mapping[str, Sequence[Value]], calls: int) -> float:
    kept = kept_passes(file, (BASELINE, *map(str, axes["schedule"])), calls, seed=0)
    return median(_sweep_s(kept, axes) for _ in range(ROUNDS))


def _sweep_s(kept: DrawnPasses, axes: Mapping[str, Sequence[Value]]) -> float:
    ground = Ground({BUS_DEVICE: read_device(BUS_DEVICE)}, {}, kept, is_sample=True)
    start_s = time.perf_counter()
    for _ in outcomes(grid(axes, Point(device=BUS_DEVICE)), ground):
        pass
    return time.perf_counter() - start_s


def _row(bench: SweepBench) -> tuple[str, ...]:
    counts = (bench.points, bench.conditions, bench.calls)
    return (
        ", ".join(bench.schedules),
        *(number_cell(count, 0) for count in counts),
        number_cell(bench.seconds, 2),
        number_cell(bench.points / bench.seconds, 0),
        number_cell(100 * bench.array_share, 0),
    )
