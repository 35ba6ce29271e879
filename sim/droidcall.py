"""DroidCall (arXiv 2412.00402) as a workload, from a file that the user has; none comes with this package.

A row is one user's words (`query`), the calls that answer them (`answers`) and the definitions of the called tools
(`tools`), as in `DroidCall_test.jsonl`. Only rows of one call are taken, as the paper does (section 7: 154 calls over
23 tools). Other tools on offer come from the dataset's list of all functions, `api.jsonl`. DroidCall's evaluation
(`evaluate.sh` and `FakeRetriever` in github.com/UbiquitousLearning/DroidCall) draws three of them, so that four tools
are on offer; the paper does not say how many it offers. There the right tool comes first; here all four are shuffled,
so that taking the first is no way to be right.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import InputError, ToolError
from engine.json_path import shown
from engine.tool_forms import read_tool
from engine.tools import Tool
from sim.droidcall_answers import DroidCallAnswer
from sim.json_lines import read_json_lines
from sim.workload import WorkloadCall

TOOLS_ON_OFFER = 4
API_FILE = "api.jsonl"


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a file, and errors that say where in it something is wrong."""

    path: Path
    number: int
    data: Mapping[str, Any]

    def error(self, place: str, expected: str, found: Any) -> InputError:
        return InputError(f"{self.path}: line {self.number}: {place}: expected {expected}, found {shown(found)}")

    def objects(self, key: str) -> Sequence[Mapping[str, Any]]:
        items = self.data.get(key)
        if not isinstance(items, list) or not items or not all(isinstance(item, dict) for item in items):
            raise self.error(f"$.{key}", "a list of objects", items)
        return items

    def tool(self, place: str, definition: Mapping[str, Any]) -> Tool:
        try:
            return read_tool(definition)
        except ToolError as error:
            place = f"line {self.number}: {place}{error.path.removeprefix('$')}"
            raise ToolError(error.tool, place, error.problem, str(self.path)) from None


def read_droidcall(path: Path, seed: int, api: Path | None = None) -> tuple[WorkloadCall, ...]:
    """The rows of `path` that one call answers, each named by its line.

    `api` lists the functions from which other tools are drawn; without it, `api.jsonl` beside `path` does, and where
    there is none, rows offer their own tools alone. Raises InputError that names file, line and place, and where no
    row has one call.
    """
    functions = _functions(path, api)
    rows = [_Row(path, number, data) for number, data in read_json_lines(path)]
    calls = tuple(_call(row, functions, seed) for row in rows if len(row.objects("answers")) == 1)
    if not calls:
        raise InputError(f"{path}: no row with exactly one call in 'answers'")
    return calls


def draw(calls: Sequence[WorkloadCall], count: int, seed: int) -> tuple[WorkloadCall, ...]:
    """`count` of the calls, each as likely as any other, in the file's order; raises InputError where too few are."""
    if count > len(calls):
        raise InputError(f"the workload has only {len(calls)} calls; {count} were asked for")
    chosen = sorted(random.Random(f"droidcall-sample-{seed}").sample(range(len(calls)), count))
    return tuple(calls[index] for index in chosen)


def _functions(path: Path, api: Path | None) -> tuple[Tool, ...]:
    source = api or path.parent / API_FILE
    if api is None and not source.is_file():
        return ()
    return tuple(_Row(source, number, data).tool("$", data) for number, data in read_json_lines(source))


def _call(row: _Row, functions: Sequence[Tool], seed: int) -> WorkloadCall:
    query = row.data.get("query")
    if not isinstance(query, str) or not query:
        raise row.error("$.query", "the user's words", query)
    own = [row.tool(f"$.tools[{index}]", definition) for index, definition in enumerate(row.objects("tools"))]
    answer = _answer(row, own)
    call_id = f"droidcall_{row.number}"
    tools = _on_offer(own, functions, random.Random(f"droidcall-tools-{seed}-{call_id}"))
    accepted = {name: [value] for name, value in answer.arguments.items()}
    return WorkloadCall(call_id, ({"role": "user", "content": query},), tools, answer.tool_name, accepted, answer.judge)


def _answer(row: _Row, tools: Sequence[Tool]) -> DroidCallAnswer:
    (stated,) = row.objects("answers")
    tool = next((tool for tool in tools if tool.name == stated.get("name")), None)
    if tool is None:
        raise row.error("$.answers[0].name", f"one of {', '.join(tool.name for tool in tools)}", stated.get("name"))
    arguments = stated.get("arguments")
    if not isinstance(arguments, dict):
        raise row.error("$.answers[0].arguments", "an object", arguments)
    schemas = {name: schema for name, schema in tool.properties.items() if isinstance(schema, Mapping)}
    defaults = {name: schema["default"] for name, schema in schemas.items() if "default" in schema}
    return DroidCallAnswer(tool.name, arguments, tuple(tool.properties), tool.required, defaults)


def _on_offer(own: Sequence[Tool], functions: Sequence[Tool], rng: random.Random) -> tuple[Tool, ...]:
    names = {tool.name for tool in own}
    others = [tool for tool in functions if tool.name not in names]
    wanted = min(max(TOOLS_ON_OFFER - len(own), 0), len(others))
    tools = [*own, *rng.sample(others, wanted)]
    rng.shuffle(tools)
    return tuple(tools)
