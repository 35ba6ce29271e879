"""Counts the passes of a workload in several processes, each of which loads the vocabulary for itself."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from engine.llamacpp import BackendOptions, Preparer, load_model, make_preparer
from sim.pass_table import PassTable, pass_table
from sim.workload import WorkloadCall
from studies.measured_runs import RunPlan
from studies.pass_runs import pass_runs, with_template

CALLS_AT_ONCE = 25
"""Calls that a process is given at once: few, as prompts are of very different lengths."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How the model is asked: a GGUF file whose weights are not read, a chat template, a call format, a context.

    None stands for the file's own template, and for the format that is recognised.
    """

    vocabulary: Path
    template: Path | None
    call_format: str | None
    context_tokens: int


def open_preparer(asking: Asking) -> Preparer:
    """Load what `asking` names; raises InputError where it cannot be used. The preparer's model has to be closed."""
    model = load_model(asking.vocabulary, vocabulary_only=True)
    if asking.template is not None:
        model = with_template(model, asking.template)
    return make_preparer(model, BackendOptions(context_tokens=asking.context_tokens), asking.call_format)


def counted_passes(asking: Asking, calls: Sequence[WorkloadCall], plan: RunPlan, jobs: int) -> Iterator[PassTable]:
    """The passes of `calls` in so many processes, in the order of the calls, a table for every few of them."""
    pieces = [calls[start : start + CALLS_AT_ONCE] for start in range(0, len(calls), CALLS_AT_ONCE)]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_count, repeat(asking), pieces, repeat(plan))


def _count(asking: Asking, calls: Iterable[WorkloadCall], plan: RunPlan) -> PassTable:
    return pass_table(pass_runs(_opened(asking), tuple(calls), plan))


@cache
def _opened(asking: Asking) -> Preparer:
    """What a process keeps until its end."""
    return open_preparer(asking)
