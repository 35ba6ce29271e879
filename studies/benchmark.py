"""What the project itself costs: host time per pass, time to simulate a call, peak memory."""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from cost_models import AffineCost
from engine.llamacpp import Decoder, Preparer
from engine.records import RunRecord
from engine.schedules import SCHEDULES
from sim.workload import WorkloadCall
from studies.measured_runs import RunPlan
from studies.peak_memory import peak_memory_bytes
from studies.simulated_runs import replay_runs
from studies.stages import run_stage
from studies.text_table import Table, number_cell
from studies.workloads import calls_by_id

MEGABYTE = 1e6
AIMS = "Aims: host below 0.5 ms per pass, simulating a call below 10 ms, less than 20 MB over constrained."
HEADERS = (
    "schedule",
    "llama_decode ms per pass",
    "host ms per pass, mean",
    "median",
    "host share %",
    "simulating a call ms",
    "peak memory MB",
    "over constrained MB",
)


@dataclass(frozen=True, slots=True)
class ScheduleBench:
    """One schedule's own costs; times are over all passes or calls of the workload."""

    schedule: str
    decode_ms_per_pass: float
    host_ms_per_pass: float
    host_ms_per_pass_median: float
    simulate_ms_per_call: float
    peak_bytes: int


def run_bench(
    decoder: Decoder, calls: Sequence[WorkloadCall], workload: str, seed: int, repeats: int
) -> list[ScheduleBench]:
    """Measure all schedules in one go."""
    plan = RunPlan(tuple(SCHEDULES), repeats, tool_ms=0.0, max_call_tokens=128)
    runs = run_stage(decoder, calls, plan)
    model = decoder.preparer.model.path
    return [
        _bench(name, [run for run in runs if run.schedule == name], decoder.preparer, calls, peak)
        for name in SCHEDULES
        for peak in [peak_memory_bytes(name, model, workload, seed)]
    ]


def bench_table(benches: Sequence[ScheduleBench]) -> Table:
    """A row per schedule."""
    base = next(bench.peak_bytes for bench in benches if bench.schedule == "constrained")
    return Table(HEADERS, tuple(_row(bench, base) for bench in benches))


def bench_json(benches: Sequence[ScheduleBench]) -> list[dict[str, Any]]:
    """The benches as plain JSON data."""
    return [asdict(bench) for bench in benches]


def _bench(
    schedule: str, runs: Sequence[RunRecord], preparer: Preparer, calls: Sequence[WorkloadCall], peak_bytes: int
) -> ScheduleBench:
    host = [run.host_ms / len(run.passes) for run in runs]
    return ScheduleBench(
        schedule=schedule,
        decode_ms_per_pass=fmean(record.duration_ms for run in runs for record in run.passes),
        host_ms_per_pass=sum(run.host_ms for run in runs) / sum(len(run.passes) for run in runs),
        host_ms_per_pass_median=median(host),
        simulate_ms_per_call=_simulate_ms(runs, preparer, calls),
        peak_bytes=peak_bytes,
    )


def _simulate_ms(runs: Sequence[RunRecord], preparer: Preparer, calls: Sequence[WorkloadCall]) -> float:
    """Mean time of simulating a recorded run, its prompt and constraints included; the second round counts."""
    first = [run for run in runs if run.repeat == 0]
    cost = AffineCost(base_ms=1.0, row_ms=1.0)
    start_s = 0.0
    for _ in range(2):
        start_s = time.perf_counter()
        list(replay_runs(preparer, calls_by_id(calls), first, cost))
    return (time.perf_counter() - start_s) * 1e3 / len(first)


def _row(bench: ScheduleBench, base_bytes: int) -> tuple[str, ...]:
    share = 100 * bench.host_ms_per_pass / (bench.host_ms_per_pass + bench.decode_ms_per_pass)
    return (
        bench.schedule,
        number_cell(bench.decode_ms_per_pass, 2),
        number_cell(bench.host_ms_per_pass, 3),
        number_cell(bench.host_ms_per_pass_median, 3),
        number_cell(share, 1),
        number_cell(bench.simulate_ms_per_call, 1),
        number_cell(bench.peak_bytes / MEGABYTE, 0),
        number_cell((bench.peak_bytes - base_bytes) / MEGABYTE, 1, sign="+"),
    )
