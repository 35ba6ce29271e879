"""How fast a table of passes is priced for many devices, and how much of that is work on arrays."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from cost_models import CostModel, MeasuredTable
from cost_models.phones import read_phone
from sim.pass_data import read_pass_data
from sim.pass_prices import price
from sim.pass_table import PassTable
from studies.text_table import Table, number_cell

PRICING_AIM = "Aim: a million pricings of a call on a device in less than a second, on one core."
HEADERS = (
    "schedules",
    "calls",
    "passes",
    "kinds of passes",
    "devices",
    "pricings",
    "s",
    "pricings per s",
    "work on arrays %",
)
SHIPPED = "bfcl-read-only-qwen"
SCHEDULES = ("constrained", "schemaweaver")
PRICINGS = 1_000_000
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class PricingBench:
    """One table priced for many devices, the first time apart; `kinds` are the passes that differ in their cost.

    `array_share` is the part of the time that numpy spends on elements: what is left when the time of a table with one
    run, which is all calls from Python, is taken off.
    """

    schedules: tuple[str, ...]
    runs: int
    passes: int
    kinds: int
    devices: int
    seconds: float
    array_share: float

    @property
    def pricings(self) -> int:
        """Latencies that were computed: one per run and device, to tool start and final call together."""
        return self.runs * self.devices


def bench_shipped() -> tuple[PricingBench, ...]:
    """Passes that come with the project, priced a million times for each of two schedules."""
    table = read_pass_data(SHIPPED).table
    tables = [table.of_schedule(name) for name in SCHEDULES]
    phone = read_phone("oneplus-12r").table
    return tuple(bench_pricing(each, scaled_devices(phone, ceil(PRICINGS / each.run_count))) for each in tables)


def bench_pricing(table: PassTable, costs: Sequence[CostModel]) -> PricingBench:
    """Price all runs of `table` by each of `costs`; the best of three rounds counts."""
    alone = table.chosen(np.arange(table.run_count) == 0)
    calls_s, all_s = _best_s(alone, costs), _best_s(table, costs)
    return PricingBench(
        schedules=tuple(dict.fromkeys(table.schedules.tolist())),
        runs=table.run_count,
        passes=len(table.runs),
        kinds=len(table.distinct.rows),
        devices=len(costs),
        seconds=all_s,
        array_share=max(0.0, 1 - calls_s / all_s),
    )


def scaled_devices(table: MeasuredTable, count: int) -> tuple[MeasuredTable, ...]:
    """So many devices whose passes take half to twice as long as those of `table`."""
    factors = np.geomspace(0.5, 2.0, count).tolist()
    return tuple(replace(table, row_ms=tuple(factor * ms for ms in table.row_ms)) for factor in factors)


def pricing_table(benches: Sequence[PricingBench]) -> Table:
    """A row per bench."""
    return Table(HEADERS, tuple(map(_row, benches)))


def _best_s(table: PassTable, costs: Sequence[CostModel]) -> float:
    # What a table works out once, and keeps, is not in the time.
    price(table, costs[0])
    return min(_round_s(table, costs) for _ in range(_ROUNDS))


def _round_s(table: PassTable, costs: Sequence[CostModel]) -> float:
    start_s = time.perf_counter()
    for cost in costs:
        price(table, cost)
    return time.perf_counter() - start_s


def _row(bench: PricingBench) -> tuple[str, ...]:
    counts = (bench.runs, bench.passes, bench.kinds, bench.devices, bench.pricings)
    return (
        ", ".join(bench.schedules),
        *(number_cell(count, 0) for count in counts),
        number_cell(bench.seconds, 3),
        number_cell(bench.pricings / bench.seconds, 0),
        number_cell(100 * bench.array_share, 0),
    )
