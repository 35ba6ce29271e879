"""BFCL-v4's single-turn calls as a workload, from the data that PyPI's `bfcl-eval` carries.

The package is looked at as files and never imported: its data needs none of its dependencies.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.errors import InputError
from engine.tool_forms import tool_from_bfcl
from sim.bfcl_answers import read_bfcl_answer
from sim.json_lines import read_json_lines
from sim.workload import WorkloadCall

SINGLE_CALL_FILES = ("simple_python", "multiple", "live_simple", "live_multiple")
"""Files whose rows ask for one call, in tools whose values are JSON."""

SINGLE_TURN_FILES = (
    *("simple_python", "simple_java", "simple_javascript", "multiple", "parallel", "parallel_multiple", "irrelevance"),
    *("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple", "live_irrelevance", "live_relevance"),
)
"""Files whose rows hold the definitions of the tools that they offer."""


def find_bfcl() -> Path:
    """The folder of the installed data; raises InputError that says how to install it."""
    spec = find_spec("bfcl_eval")
    if spec is None or spec.origin is None:
        raise InputError("BFCL's data is not installed: pip install --no-deps bfcl-eval==2026.3.23")
    return Path(spec.origin).parent / "data"


def read_bfcl(folder: Path, files: Sequence[str] = SINGLE_CALL_FILES) -> tuple[WorkloadCall, ...]:
    """All rows of `files` that ask for exactly one call in one turn."""
    return tuple(call for name in files for call in _read_file(folder, name))


def read_definitions(folder: Path, name: str) -> Iterator[Any]:
    """The tool definitions of every row of one of `SINGLE_TURN_FILES`, as the file has them."""
    for _, row in _rows(folder / f"BFCL_v4_{name}.json"):
        yield from row["function"]


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
    answers = {row["id"]: row["ground_truth"] for _, row in _rows(folder / "possible_answer" / f"BFCL_v4_{name}.json")}
    path = folder / f"BFCL_v4_{name}.json"
    for number, row in _rows(path):
        truth = answers.get(row["id"], [])
        if len(truth) == 1 and len(row["question"]) == 1:
            try:
                yield _workload_call(row, truth[0])
            except InputError as error:
                raise InputError(f"{path}: line {number}: {error}") from error


def _workload_call(row: Mapping[str, Any], truth: Mapping[str, Any]) -> WorkloadCall:
    ((tool_name, accepted),) = truth.items()
    tools = tuple(tool_from_bfcl(definition) for definition in row["function"])
    answer = read_bfcl_answer(_function(row["function"], tool_name), tool_name, accepted)
    return WorkloadCall(row["id"], tuple(row["question"][0]), tools, tool_name, answer.plain(), answer.judge)


def _function(functions: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    for function in functions:
        if function["name"] == name:
            return function
    offered = ", ".join(str(function["name"]) for function in functions)
    raise InputError(f"the answer calls {name!r}, but the tools are {offered}")


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if not path.is_file():
        raise InputError(f"{path}: no such file; is bfcl-eval 2026.3.23 installed?")
    return read_json_lines(path)
