"""BFCL-v4's single-turn calls as a workload, from the data that PyPI's `bfcl-eval` carries.

The package is looked at as files and never imported: its data needs none of its dependencies.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.chat import Message
from engine.errors import InputError
from engine.tool_forms import tool_from_bfcl
from engine.tools import Tool

SINGLE_CALL_FILES = ("simple_python", "multiple", "live_simple", "live_multiple")
"""Files whose rows ask for one call, in tools whose values are JSON."""


@dataclass(frozen=True, slots=True)
class WorkloadCall:
    """One request: a conversation, the tools on offer, and the answers that count as right.

    `accepted` maps each argument of the right tool to the values that the dataset accepts; "" among them means that the
    argument may be left out.
    """

    call_id: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    tool_name: str
    accepted: Mapping[str, Sequence[Any]]

    @property
    def argument_count(self) -> int:
        """Arguments that the accepted answer writes."""
        return sum("" not in values for values in self.accepted.values())


def find_bfcl() -> Path:
    """The folder of the installed data; raises InputError that says how to install it."""
    spec = find_spec("bfcl_eval")
    if spec is None or spec.origin is None:
        raise InputError("BFCL's data is not installed: pip install --no-deps bfcl-eval==2026.3.23")
    return Path(spec.origin).parent / "data"


def read_bfcl(folder: Path, files: Sequence[str] = SINGLE_CALL_FILES) -> tuple[WorkloadCall, ...]:
    """All rows of `files` that ask for exactly one call in one turn."""
    return tuple(call for name in files for call in _read_file(folder, name))


def sample(calls: Sequence[WorkloadCall], count: int, seed: int, most_tool_characters: int) -> tuple[WorkloadCall, ...]:
    """`count` calls drawn evenly over the number of arguments (as the paper draws its hundred, section 7).

    Calls whose tools take more than `most_tool_characters` to write are left out, since their prompts take long on a
    slow machine. Raises InputError where too few are left.
    """
    rng = random.Random(f"bfcl-sample-{seed}")
    groups: dict[int, list[WorkloadCall]] = {}
    for call in calls:
        if len(json.dumps([tool.as_openai() for tool in call.tools])) <= most_tool_characters:
            groups.setdefault(call.argument_count, []).append(call)
    for group in groups.values():
        rng.shuffle(group)
    chosen = _deal([groups[size] for size in sorted(groups) if size > 0], count)
    if len(chosen) < count:
        raise InputError(f"BFCL has only {len(chosen)} calls like that; {count} were asked for")
    return tuple(chosen)


def _deal(groups: Sequence[list[WorkloadCall]], count: int) -> list[WorkloadCall]:
    """Take one from each group in turn."""
    chosen: list[WorkloadCall] = []
    while len(chosen) < count and any(groups):
        chosen += [group.pop() for group in groups if group]
    return chosen[:count]


def _read_file(folder: Path, name: str) -> Iterator[WorkloadCall]:
    answers = {row["id"]: row["ground_truth"] for row in _rows(folder / "possible_answer" / f"BFCL_v4_{name}.json")}
    for row in _rows(folder / f"BFCL_v4_{name}.json"):
        truth = answers.get(row["id"], [])
        if len(truth) == 1 and len(row["question"]) == 1:
            yield _workload_call(row, truth[0])


def _workload_call(row: Mapping[str, Any], truth: Mapping[str, Any]) -> WorkloadCall:
    ((tool_name, accepted),) = truth.items()
    tools = tuple(tool_from_bfcl(definition) for definition in row["function"])
    return WorkloadCall(row["id"], tuple(row["question"][0]), tools, tool_name, accepted)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        raise InputError(f"{path}: no such file; is bfcl-eval 2026.3.23 installed?")
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}: line {number}: no JSON: {error.msg}") from None
