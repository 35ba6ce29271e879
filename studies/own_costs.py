"""What the project itself costs: host time per pass, time to simulate a call, peak memory."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from cost_models import CostModel
from engine.llamacpp import Preparer
from engine.records import RunRecord
from sim.workload import WorkloadCall
from studies.comparison import BASELINE
from studies.simulated_runs import replay_runs
from studies.text_table import Table, number_cell
from studies.workloads import calls_by_id

MEGABYTE = 1e6
SIMULATED_CALLS = 12
"""How many calls are simulated by each schedule: enough for a mean."""

OWN_COST_AIMS = "Aims: simulating a call below 10 ms, less than 20 MB over constrained."
HEADERS = (
    "schedule",
    "llama_decode ms per pass",
    "host ms per pass, mean",
    "median over runs",
    "host share %",
    "simulating a call ms",
    "peak memory MB",
    "over constrained MB",
)


@dataclass(frozen=True, slots=True)
class OwnCosts:
    """One schedule's own costs; times are over all passes of its runs, the median over runs of their own means.

    `peak_bytes` is None where nobody measured.
    """

    schedule: str
    decode_ms_per_pass: float
    host_ms_per_pass: float
    host_ms_per_pass_median: float
    simulate_ms_per_call: float
    peak_bytes: int | None


def own_costs(
    runs: Sequence[RunRecord],
    preparer: Preparer,
    calls: Sequence[WorkloadCall],
    cost: CostModel,
    peaks: Mapping[str, int],
) -> tuple[OwnCosts, ...]:
    """What recorded runs of `calls` say of each schedule, and what simulating them takes.

    `cost` is what `auto` decided by, `peaks` the peak memory by schedule in bytes.
    """
    return tuple(
        _of_schedule(name, [run for run in runs if run.schedule == name], preparer, calls, cost, peaks.get(name))
        for name in dict.fromkeys(run.schedule for run in runs)
    )


def own_cost_table(costs: Sequence[OwnCosts]) -> Table:
    """A row per schedule."""
    base = next((each.peak_bytes for each in costs if each.schedule == BASELINE), None)
    return Table(HEADERS, tuple(_row(each, base) for each in costs))


def _of_schedule(
    schedule: str,
    runs: Sequence[RunRecord],
    preparer: Preparer,
    calls: Sequence[WorkloadCall],
    cost: CostModel,
    peak_bytes: int | None,
) -> OwnCosts:
    host = [run.host_ms / len(run.passes) for run in runs]
    return OwnCosts(
        schedule=schedule,
        decode_ms_per_pass=fmean(record.duration_ms for run in runs for record in run.passes),
        host_ms_per_pass=sum(run.host_ms for run in runs) / sum(len(run.passes) for run in runs),
        host_ms_per_pass_median=median(host),
        simulate_ms_per_call=_simulate_ms(runs, preparer, calls, cost),
        peak_bytes=peak_bytes,
    )


def _simulate_ms(
    runs: Sequence[RunRecord], preparer: Preparer, calls: Sequence[WorkloadCall], cost: CostModel
) -> float:
    """Mean time of simulating a recorded run, its prompt and constraints included; the second round counts."""
    first = [run for run in runs if run.repeat == 0][:SIMULATED_CALLS]
    start_s = 0.0
    for _ in range(2):
        start_s = time.perf_counter()
        list(replay_runs(preparer, calls_by_id(calls), first, cost))
    return (time.perf_counter() - start_s) * 1e3 / len(first)


def _row(costs: OwnCosts, base_bytes: int | None) -> tuple[str, ...]:
    share = 100 * costs.host_ms_per_pass / (costs.host_ms_per_pass + costs.decode_ms_per_pass)
    peak = costs.peak_bytes
    over = None if peak is None or base_bytes is None else (peak - base_bytes) / MEGABYTE
    return (
        costs.schedule,
        number_cell(costs.decode_ms_per_pass, 2),
        number_cell(costs.host_ms_per_pass, 3),
        number_cell(costs.host_ms_per_pass_median, 3),
        number_cell(share, 1),
        number_cell(costs.simulate_ms_per_call, 1),
        number_cell(None if peak is None else peak / MEGABYTE, 0),
        number_cell(over, 1, sign="+"),
    )
