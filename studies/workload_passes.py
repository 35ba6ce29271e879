"""The passes of a named workload: what they depend on, and themselves, kept from before or counted now."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sim.head import Head
from sim.pass_file import PassKey
from sim.pass_table import PassTable, joined
from sim.workload import WorkloadCall
from studies.asking import Asking, open_preparer
from studies.counted_passes import counted_passes
from studies.kept_passes import kept_or_made
from studies.measured_runs import RunPlan
from studies.pass_key import pass_key

Watch = Callable[[Iterable[PassTable]], Iterable[PassTable]]
"""Goes through tables as they are counted, to show how far it is."""


@dataclass(frozen=True, slots=True)
class WantedPasses:
    """Those of a workload's calls, asked as `asking` says, by the schedules of `plan`; `head` drafts for `speculative`.

    `seed` draws the calls, and which of the head's tokens are right.
    """

    workload: str
    seed: int
    asking: Asking
    plan: RunPlan
    head: Head | None = None


def key_of(wanted: WantedPasses, calls: Sequence[WorkloadCall]) -> PassKey:
    """What the passes of `wanted`, whose workload has these `calls`, depend on."""
    preparer = open_preparer(wanted.asking)
    template = wanted.asking.template
    try:
        return pass_key(wanted.workload, wanted.seed, calls, preparer, wanted.plan, template, wanted.head)
    finally:
        preparer.model.close()


def kept_or_counted(
    wanted: WantedPasses, calls: Sequence[WorkloadCall], key: PassKey, folder: Path, jobs: int, watch: Watch = iter
) -> PassTable:
    """The passes of `key`: those of each schedule from `folder`, else counted in so many processes and kept there."""

    def count(missing: Sequence[str]) -> PassTable:
        plan = replace(wanted.plan, schedules=tuple(missing))
        return joined(list(watch(counted_passes(wanted.asking, calls, plan, jobs, wanted.head, wanted.seed))))

    return kept_or_made(folder, key, count)
