"""Workloads by name, as the command line takes them."""

from collections.abc import Sequence

from engine.errors import InputError
from sim.bfcl import WorkloadCall, find_bfcl, read_bfcl, sample

MOST_TOOL_CHARACTERS = 2500
"""Longest definitions of a call's tools in the samples: about 700 tokens of prompt."""

WORKLOADS = "bfcl:N (N calls of BFCL-v4, drawn evenly over the number of arguments)"


def load_workload(name: str, seed: int) -> tuple[WorkloadCall, ...]:
    """The calls that `name` means; raises InputError that says what names there are."""
    kind, _, count = name.partition(":")
    if kind != "bfcl" or not count.isdigit() or int(count) < 1:
        raise InputError(f"unknown workload {name!r}; expected {WORKLOADS}")
    return sample(read_bfcl(find_bfcl()), int(count), seed, MOST_TOOL_CHARACTERS)


def calls_by_id(calls: Sequence[WorkloadCall]) -> dict[str, WorkloadCall]:
    """`calls` by their id."""
    return {call.call_id: call for call in calls}
