"""Runs schedules over a workload once, for their passes: those of a fixed schedule are the same on every device."""

from collections.abc import Iterator, Sequence

from cost_models import AffineCost
from engine.errors import InputError
from engine.llamacpp import Preparer
from engine.records import RunRecord
from engine.schedules import SCHEDULES
from sim.head import Head
from sim.workload import WorkloadCall
from studies.measured_runs import RunPlan
from studies.simulated_runs import answer_runs

PRICED = ("auto",)
"""Schedules whose passes follow a device's prices."""

FIXED = tuple(name for name in SCHEDULES if name not in PRICED)

COUNTING = AffineCost(base_ms=1.0, row_ms=0.0)
"""A clock that counts passes."""


def check_fixed(schedules: Sequence[str]) -> None:
    """Raise InputError for a schedule whose passes no table can hold."""
    for name in schedules:
        if name in PRICED:
            raise InputError(f"{name} decides by a device's prices, so its passes are not the same on every device")


def fixed_plan(schedules: Sequence[str], tile_rows: int, max_call_tokens: int, draft_tokens: int) -> RunPlan:
    """A plan without prices, by which even a fixed schedule could fuse the prompt's last pass with its first."""
    check_fixed(schedules)
    return RunPlan(tuple(schedules), 1, tile_rows, 0.0, max_call_tokens, None, draft_tokens)


def pass_runs(
    preparer: Preparer, calls: Sequence[WorkloadCall], plan: RunPlan, head: Head | None = None, seed: int = 0
) -> Iterator[RunRecord]:
    """The runs of `answer_runs`, each pass of which takes one millisecond, but for those of `head`."""
    return answer_runs(preparer, calls, plan, COUNTING, head, seed)
