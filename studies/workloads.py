"""Workloads by name, as the command line takes them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from engine.errors import InputError
from sim.bfcl import find_bfcl, read_bfcl, sample
from sim.bfcl_single_turn import read_single_turn
from sim.droidcall import draw, read_droidcall
from sim.workload import WorkloadCall

MOST_TOOL_CHARACTERS = 2500
"""Longest definitions of a call's tools in the samples: about 700 tokens of prompt."""

WORKLOADS = (
    "bfcl:N (N calls of BFCL-v4, drawn evenly over the number of arguments), "
    "bfcl:all (a call of each of its single-turn rows, however long the prompt) "
    "or droidcall:FILE[,API_FILE][:N] (the rows of one call in a file like DroidCall_test.jsonl, or N of them; other "
    "tools on offer come from API_FILE, or api.jsonl beside it); with +read-only behind it, as in bfcl:N+read-only, "
    "every tool is taken for read-only: nothing of these is ever run; with +optional, calls that may have one more "
    "optional argument have it, and the others are left out"
)

READ_ONLY = "+read-only"
"""The end of a workload's name that takes every tool for read-only, so that each call may go out provisionally."""

OPTIONAL = "+optional"
"""The end of a name, before that of `READ_ONLY`, for the calls whose answers may have one more optional argument."""


def load_workload(name: str, seed: int) -> tuple[WorkloadCall, ...]:
    """The calls that `name` means; raises InputError that says what names there are."""
    plain = name.removesuffix(READ_ONLY)
    calls = _load(plain.removesuffix(OPTIONAL), seed)
    if calls is None:
        raise InputError(f"unknown workload {name!r}; expected {WORKLOADS}")
    if plain.endswith(OPTIONAL):
        calls = tuple(more for call in calls if (more := call.with_an_optional_argument()))
    return tuple(call.with_tools_read_only() for call in calls) if name.endswith(READ_ONLY) else calls


def calls_by_id(calls: Sequence[WorkloadCall]) -> dict[str, WorkloadCall]:
    """`calls` by their id."""
    return {call.call_id: call for call in calls}


def _load(name: str, seed: int) -> tuple[WorkloadCall, ...] | None:
    kind, _, rest = name.partition(":")
    if name == "bfcl:all":
        return _single_turn(find_bfcl())
    if kind == "bfcl" and _is_count(rest):
        return sample(_bfcl(find_bfcl()), int(rest), seed, MOST_TOOL_CHARACTERS)
    return _load_droidcall(rest, seed) if kind == "droidcall" and rest else None


@cache
def _bfcl(folder: Path) -> tuple[WorkloadCall, ...]:
    """Read once: a sample of a few calls is drawn from all of them, and a command may ask for several."""
    return read_bfcl(folder)


@cache
def _single_turn(folder: Path) -> tuple[WorkloadCall, ...]:
    return read_single_turn(folder)


def _load_droidcall(rest: str, seed: int) -> tuple[WorkloadCall, ...]:
    before, _, last = rest.rpartition(":")
    files, count = (before, int(last)) if before and _is_count(last) else (rest, None)
    path, _, api = files.partition(",")
    calls = read_droidcall(Path(path), seed, Path(api) if api else None)
    return calls if count is None else draw(calls, count, seed)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) > 0
