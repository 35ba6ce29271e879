"""Files and lists of tools: every tool that can be used, and for each of the others the reason."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import InputError, ToolError
from engine.tool_forms.form import read_tool
from engine.tools import Tool

_HOLDS_TOOLS = ("tools", "functions", "function")


@dataclass(frozen=True, slots=True)
class ReadTools:
    """The tools of a file, one at least, and the errors of those that are refused; names differ."""

    tools: tuple[Tool, ...]
    refused: tuple[ToolError, ...] = ()

    def strict(self) -> tuple[Tool, ...]:
        """All tools, each as it was declared; raises ToolError for the first that was refused or changed."""
        if self.refused:
            raise self.refused[0]
        for tool in self.tools:
            if tool.changes:
                place, _, change = tool.changes[0].partition(": ")
                raise ToolError(tool.name, place, f"only usable with a change: {change}")
        return self.tools


def read_tools(text: str, source: str) -> ReadTools:
    """The tools in a JSON text, or in JSON Lines.

    A text is one tool, a list, an object with a list `tools` or `functions` (an MCP `tools/list` result, a BFCL row),
    or one of these per line; each tool may be in another form (see `engine.tool_forms`). Raises InputError, naming
    `source`, where there is no JSON, no tool that can be used, or a name twice.
    """
    text = text.removeprefix("\ufeff")
    try:
        items = list(_items(json.loads(text), "$"))
    except json.JSONDecodeError as error:
        items = _items_of_lines(text, source, error)
    except RecursionError:
        raise InputError(f"{source}: $: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{source}: $: {error}") from None  # An integer of more digits than Python reads.
    return _read(items, source)


def parse_tools(data: Any, source: str = "tools") -> ReadTools:
    """As `read_tools`, from data that is decoded already; Pydantic models and Python functions may be among it."""
    return _read(list(_items(data, "$")), source)


def _read(items: Sequence[tuple[str, Any]], source: str) -> ReadTools:
    tools: list[Tool] = []
    refused: list[ToolError] = []
    for place, item in items:
        try:
            tools.append(read_tool(item))
        except ToolError as error:
            refused.append(ToolError(error.tool, place + error.path.removeprefix("$"), error.problem, source))
    _check_distinct(tools, source)
    if not items:
        raise InputError(f"{source}: $: expected a list of tools or an object with a list 'tools', and one at least")
    if not tools:
        raise refused[0] if len(refused) == 1 else _none_usable(refused, source)
    return ReadTools(tuple(tools), tuple(refused))


def _items(data: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Each tool of `data` with its JSON path."""
    if isinstance(data, list | tuple):
        for index, item in enumerate(data):
            if item == []:
                yield f"{place}[{index}]", item  # Refused as no tool; it would vanish without a word.
            else:
                yield from _items(item, f"{place}[{index}]")
        return
    if isinstance(data, Mapping):
        if isinstance(data.get("result"), Mapping):
            # MCP's answer as it comes over the wire.
            yield from _items(data["result"], f"{place}.result")
            return
        for key in _HOLDS_TOOLS:
            if isinstance(data.get(key), list) and (data[key] or key != "function"):
                yield from _items(data[key], f"{place}.{key}")
                return
    yield place, data


def _items_of_lines(text: str, source: str, error: json.JSONDecodeError) -> list[tuple[str, Any]]:
    """As `_items`, of a text with one JSON object per line; raises InputError where it is none."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    try:
        is_lines = len(lines) > 1 and isinstance(json.loads(lines[0][1]), dict)
    except json.JSONDecodeError:
        is_lines = False
    if not is_lines:
        raise InputError(f"{source}: line {error.lineno}, column {error.colno}: no JSON: {error.msg}") from None
    items: list[tuple[str, Any]] = []
    for number, line in lines:
        try:
            items += _items(json.loads(line), f"line {number}: $")
        except json.JSONDecodeError as wrong:
            raise InputError(f"{source}: line {number}, column {wrong.colno}: no JSON: {wrong.msg}") from None
        except (ValueError, RecursionError) as wrong:
            raise InputError(f"{source}: line {number}: {wrong}") from None
    return items


def _none_usable(refused: Sequence[ToolError], source: str) -> InputError:
    reasons = "".join(f"\n  {error}" for error in refused)
    return InputError(f"{source}: none of the {len(refused)} tools can be used:{reasons}")


def _check_distinct(tools: Sequence[Tool], source: str) -> None:
    names = [tool.name for tool in tools]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{source}: $: tool names appear more than once: {', '.join(twice)}")
