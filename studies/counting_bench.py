"""How long the passes of a workload take to count, and to read back from the cache."""

import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sim.pass_table import PassTable
from studies.asking import Asking
from studies.models import embedded_model
from studies.pass_runs import fixed_plan
from studies.text_table import Table, number_cell
from studies.workload_passes import WantedPasses, kept_or_counted, key_of
from studies.workloads import load_workload

COUNTING_AIM = "Aim: the passes of BFCL's 2,501 calls under one schedule in less than 30 s the first time."
HEADERS = ("workload", "schedules", "processes", "runs", "passes", "first time s", "from the cache s")


@dataclass(frozen=True, slots=True)
class CountingBench:
    """One workload: all that `schemaweaver passes` does for it, once with an empty cache and once again."""

    workload: str
    schedules: tuple[str, ...]
    jobs: int
    runs: int
    passes: int
    first_s: float
    again_s: float


def embedded_passes(workload: str, seed: int) -> WantedPasses:
    """Those of the paper's schedule in the embedded model's tokens, in a context that takes any prompt of BFCL."""
    asking = Asking(embedded_model(), None, None, context_tokens=32768)
    plan = fixed_plan(("schemaweaver",), tile_rows=4, max_call_tokens=512, draft_tokens=4)
    return WantedPasses(workload, seed, asking, plan)


def bench_counting(wanted: WantedPasses, jobs: int) -> CountingBench:
    """Count in so many processes, with a cache that is gone afterwards."""
    with TemporaryDirectory() as folder:
        first_s, _ = _timed(wanted, Path(folder), jobs)
        again_s, table = _timed(wanted, Path(folder), jobs)
    schedules = wanted.plan.schedules
    return CountingBench(wanted.workload, schedules, jobs, table.run_count, len(table.runs), first_s, again_s)


def counting_table(bench: CountingBench) -> Table:
    """One row."""
    counts = (bench.jobs, bench.runs, bench.passes)
    row = (
        bench.workload,
        ", ".join(bench.schedules),
        *(number_cell(count, 0) for count in counts),
        *(number_cell(seconds, 1) for seconds in (bench.first_s, bench.again_s)),
    )
    return Table(HEADERS, (row,), label_columns=2)


def _timed(wanted: WantedPasses, folder: Path, jobs: int) -> tuple[float, PassTable]:
    start_s = time.perf_counter()
    calls = load_workload(wanted.workload, wanted.seed)
    table = kept_or_counted(wanted, calls, key_of(wanted, calls), folder, jobs)
    return time.perf_counter() - start_s, table
