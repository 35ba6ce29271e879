"""The schema of one argument as it is enforced, and what of it is not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import ToolError
from engine.json_path import child
from engine.notation import JSON
from engine.schemas.faults import Fault, locate, problem_of, recursion_problem
from engine.schemas.keywords import tying
from engine.schemas.layout import guidance
from engine.schemas.reading import ROOT, Reader
from engine.tools import Tool

_UNSATISFIABLE = ("Unsatisfiable schema", "no value")
_MOST_FAULTS = 100


@dataclass(frozen=True, slots=True)
class Enforced:
    """A self-contained JSON Schema, and one sentence for each thing that it leaves out of the tool's own.

    `x-guidance` stands at its outermost level.
    """

    schema: Mapping[str, Any]
    warnings: tuple[str, ...] = ()


def value_schema(tool: Tool, argument: str) -> dict[str, Any]:
    """The schema of one argument as it is enforced.

    Raises ToolError for what cannot be enforced.
    """
    return dict(enforce(tool, argument).schema)


def untried_schema(tool: Tool, argument: str) -> Mapping[str, Any]:
    """The schema of one argument with all left out that is known not to be enforced: enough to read a value back."""
    return _read(tool, argument, argument_path(argument), True, {}).schema


def enforce(tool: Tool, argument: str, lenient: bool = False) -> Enforced:
    """The schema of one argument as it is enforced.

    Objects that declare properties and do not mention others get no others: fixed text could not place them. Local
    references are relative to the tool's whole schema, and the definitions come along. Raises ToolError, with the path
    down to the keyword, for what cannot be enforced; with `lenient` that is left out and named in the warnings. What
    no value can satisfy is refused all the same. Patterns, and schemas that are combined, are only tried out where
    `lenient` asks for it: where they are not, llguidance refuses the grammar, and `explain` says why.
    """
    path = argument_path(argument)
    if not lenient:
        enforced = _read(tool, argument, path, False, {})
        if recursion_problem(enforced.schema):
            raise _located(tool, argument)
        return enforced
    leave_out: dict[str, str] = {}
    for _ in range(_MOST_FAULTS):
        enforced = _read(tool, argument, path, True, leave_out)
        if problem_of(enforced.schema) is None:
            return enforced
        fault = locate(tool.name, tool.parameters, tool.properties[argument], path, leave_out)
        if fault is None or fault.keyword is None or fault.problem.startswith(_UNSATISFIABLE):
            raise _tool_error(tool, path, fault)
        relaxed = f"{fault.where} as anyOf" if fault.keyword == "oneOf" else fault.where
        leave_out[relaxed] = fault.problem
    raise ToolError(tool.name, path, f"more than {_MOST_FAULTS} faults")


def explain(tool: Tool, argument: str) -> ToolError | None:
    """The error of an argument whose schema llguidance refuses, with the path of the fault; None where it does not."""
    return None if problem_of(enforce(tool, argument).schema) is None else _located(tool, argument)


def tying_keywords(tool: Tool, lenient: bool = False) -> tuple[str, ...]:
    """A warning for each keyword that ties a tool's arguments together, which is not enforced.

    Each argument is decoded by its own schema. Raises ToolError for the first one unless `lenient`.
    """
    problem = "not supported here, where it ties arguments together"
    wheres = [child(ROOT, keyword) for keyword in tying(tool.parameters)]
    if wheres and not lenient:
        raise ToolError(tool.name, wheres[0], problem)
    return tuple(f"tool {tool.name!r}: {where}: {problem}; not enforced" for where in wheres)


def argument_path(argument: str) -> str:
    """The JSON path of an argument's schema."""
    return child(f"{ROOT}.properties", argument)


def _read(tool: Tool, argument: str, path: str, lenient: bool, leave_out: Mapping[str, str]) -> Enforced:
    reader = Reader(tool.name, tool.parameters, lenient, leave_out)
    try:
        schema = reader.read(tool.properties[argument], path)
    except RecursionError:
        raise ToolError(tool.name, path, "nested too deeply") from None
    if schema is False:
        raise ToolError(tool.name, path, "no value is allowed")
    definitions = {"$defs": reader.definitions} if reader.definitions else {}
    whole = {**({} if schema is True else schema), **definitions, "x-guidance": guidance(JSON)}
    return Enforced(whole, tuple(dict.fromkeys(reader.warnings)))


def _located(tool: Tool, argument: str) -> ToolError:
    path = argument_path(argument)
    return _tool_error(tool, path, locate(tool.name, tool.parameters, tool.properties[argument], path, {}))


def _tool_error(tool: Tool, path: str, fault: Fault | None) -> ToolError:
    if fault is None:
        return ToolError(tool.name, path, "llguidance refuses the schema")
    return ToolError(tool.name, fault.where, fault.problem)
