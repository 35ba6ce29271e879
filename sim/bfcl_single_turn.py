"""All rows of BFCL-v4's single-turn files that have an accepted answer: the 2,501 samples that the paper counts.

The rows of `sim.bfcl` ask for one call in tools whose values are JSON, and come with the dataset's rules. Nobody judges
the calls of the others, which are here for what they cost. Where a row asks for several calls it is the first: the
tools that the samples call are 991 then, as the paper counts. Values that stand for Java's or JavaScript's source text
are written as JSON, as the answers have them.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.errors import InputError
from engine.tool_forms import tool_from_bfcl
from sim.bfcl import read_bfcl
from sim.bfcl_answers import BfclAnswer, DeclaredType
from sim.json_lines import read_json_lines
from sim.workload import WorkloadCall

OTHER_FILES = (
    *("simple_java", "simple_javascript", "parallel", "parallel_multiple"),
    *("live_parallel", "live_parallel_multiple"),
)
"""Files with accepted answers whose rows ask for several calls, or for values in another language."""

# Values that are no objects stay as they are, whatever is declared.
LIST, OBJECT = DeclaredType("array", "dict"), DeclaredType("dict")


def read_single_turn(folder: Path) -> tuple[WorkloadCall, ...]:
    """A call of each row, those that are judged first; raises InputError naming file, line and what is wrong."""
    return (*read_bfcl(folder), *(call for name in OTHER_FILES for call in _first_calls(folder, name)))


def _first_calls(folder: Path, name: str) -> Iterator[WorkloadCall]:
    path = folder / f"BFCL_v4_{name}.json"
    answers = read_json_lines(folder / "possible_answer" / path.name)
    truths = {row["id"]: row["ground_truth"] for _, row in answers}
    for number, row in read_json_lines(path):
        if truth := truths.get(row["id"]):
            try:
                yield _first_call(row, truth[0])
            except InputError as error:
                raise InputError(f"{path}: line {number}: {error}") from error


def _first_call(row: Mapping[str, Any], truth: Mapping[str, Any]) -> WorkloadCall:
    ((tool_name, accepted),) = truth.items()
    tools = tuple(tool_from_bfcl(definition) for definition in row["function"])
    if tool_name not in [tool.name for tool in tools]:
        raise InputError(f"the answer calls {tool_name!r}, but the tools are {', '.join(tool.name for tool in tools)}")
    return WorkloadCall(row["id"], tuple(row["question"][0]), tools, tool_name, _plain(tool_name, accepted))


def _plain(tool_name: str, accepted: Mapping[str, Sequence[Any]]) -> Mapping[str, list[Any]]:
    """`accepted` with objects, alone or in a list, as a model could write them."""
    types = {name: LIST if _has_list(values) else OBJECT for name, values in accepted.items()}
    return BfclAnswer(tool_name, accepted, types).plain()


def _has_list(values: Sequence[Any]) -> bool:
    return any(isinstance(value, list) for value in values)
