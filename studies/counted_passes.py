"""Counts the passes of a workload in several processes, each of which loads the vocabulary for itself."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from itertools import repeat
from multiprocessing import get_context

from engine.errors import EngineCrashError
from engine.llamacpp import Preparer
from sim.head import Head
from sim.pass_table import PassTable, pass_table
from sim.workload import WorkloadCall
from studies.asking import Asking, open_preparer
from studies.measured_runs import RunPlan
from studies.pass_runs import pass_runs

CALLS_AT_ONCE = 25
"""Calls that a process is given at once: few, as prompts are of very different lengths."""


def counted_passes(
    asking: Asking, calls: Sequence[WorkloadCall], plan: RunPlan, jobs: int, head: Head | None = None, seed: int = 0
) -> Iterator[PassTable]:
    """The passes of `calls` in so many processes, in the order of the calls: a table for each `CALLS_AT_ONCE` of them.

    Raises what `open_preparer` and `answer_runs` raise, and EngineCrashError where one of the processes dies.
    """
    pieces = [calls[start : start + CALLS_AT_ONCE] for start in range(0, len(calls), CALLS_AT_ONCE)]
    # Forked, a process would share what llama.cpp has open.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            yield from pool.map(_count, repeat(asking), pieces, repeat(plan), repeat(head), repeat(seed))
        except BrokenProcessPool as error:
            raise EngineCrashError(
                f"one of the {jobs} processes that count passes died, most likely for want of memory: try --jobs 1"
            ) from error


def _count(asking: Asking, calls: Sequence[WorkloadCall], plan: RunPlan, head: Head | None, seed: int) -> PassTable:
    return pass_table(pass_runs(_opened(asking), calls, plan, head, seed))


@cache
def _opened(asking: Asking) -> Preparer:
    """What a process keeps until its end."""
    return open_preparer(asking)
