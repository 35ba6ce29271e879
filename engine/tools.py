"""Tools as one type, from OpenAI's and MCP's forms."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import InputError, ToolError

Schema = Mapping[str, Any]

_UNSUPPORTED_ON_TOP = (
    *("$ref", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const", "minProperties", "maxProperties"),
    *("patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies"),
)
"""Keywords that tie arguments together; each argument is decoded by its own schema, which could break them."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: what the model reads of it, and the JSON Schema that its arguments keep.

    `parameters` is an object schema. `read_only` is MCP's `readOnlyHint`: only then may a provisional call run.
    `changes` lists what a normaliser changed in the definition, one sentence each.
    """

    name: str
    description: str
    parameters: Schema
    read_only: bool = False
    changes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_name(self.name)
        _check_parameters(self.name, self.parameters)

    @property
    def properties(self) -> Mapping[str, Any]:
        """Argument name to its schema, in declared order."""
        properties: Mapping[str, Any] = self.parameters.get("properties", {})
        return properties

    @property
    def required(self) -> tuple[str, ...]:
        """Names of the required arguments, in declared order."""
        wanted = set(self.parameters.get("required", ()))
        return tuple(name for name in self.properties if name in wanted)

    @property
    def optional(self) -> tuple[str, ...]:
        """Names of the other arguments, in declared order."""
        wanted = set(self.parameters.get("required", ()))
        return tuple(name for name in self.properties if name not in wanted)

    def as_openai(self) -> dict[str, Any]:
        """The definition in the form that chat templates take."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


def read_tools(text: str, source: str) -> tuple[Tool, ...]:
    """The tools in a JSON text: a list or an MCP `tools/list` result, each tool in OpenAI's or MCP's form.

    Raises InputError (naming `source` and the place) or ToolError.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{source}: line {error.lineno}, column {error.colno}: no JSON: {error.msg}") from None
    return parse_tools(data, source)


def parse_tools(data: Any, source: str = "tools") -> tuple[Tool, ...]:
    """As `read_tools`, from data that is already decoded. Names have to differ."""
    items = data.get("tools", [data]) if isinstance(data, dict) else data
    if not isinstance(items, list) or not items:
        raise InputError(
            f"{source}: $: expected a list of tools or an object with a list 'tools', and one tool at least"
        )
    tools = tuple(_parse_tool(item, f"{source}: $[{index}]") for index, item in enumerate(items))
    _check_distinct(tools, source)
    return tools


def _parse_tool(item: Any, where: str) -> Tool:
    if not isinstance(item, dict):
        raise InputError(f"{where}: expected a tool as an object, found {json.dumps(item)[:60]}")
    if "function" in item:
        if not isinstance(item["function"], dict):
            raise InputError(f"{where}.function: expected an object")
        return _parse_openai(item["function"], where + ".function")
    if "inputSchema" in item:
        return _parse_mcp(item, where)
    if "parameters" in item:
        return _parse_openai(item, where)
    raise InputError(f"{where}: no tool: it has neither 'function' or 'parameters' (OpenAI) nor 'inputSchema' (MCP)")


def _parse_openai(function: Mapping[str, Any], where: str) -> Tool:
    name = _text(function, "name", where)
    parameters = function.get("parameters") or {"type": "object", "properties": {}}
    annotations = function.get("annotations")
    return Tool(name, str(function.get("description") or ""), parameters, _read_only_hint(annotations, where))


def _parse_mcp(item: Mapping[str, Any], where: str) -> Tool:
    name = _text(item, "name", where)
    hint = _read_only_hint(item.get("annotations"), where)
    return Tool(name, str(item.get("description") or ""), item["inputSchema"], hint)


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise InputError(f"{where}.{key}: expected a non-empty string, found {json.dumps(value)[:60]}")
    return value


def _read_only_hint(annotations: Any, where: str) -> bool:
    """MCP's `readOnlyHint`; absent means not read-only (MCP specification, tool annotations)."""
    if annotations is None:
        return False
    hint = annotations.get("readOnlyHint", False) if isinstance(annotations, dict) else None
    if not isinstance(hint, bool):
        raise InputError(f"{where}.annotations.readOnlyHint: expected true or false")
    return hint


def _check_name(name: str) -> None:
    if any(ord(char) < 0x20 for char in name):
        raise ToolError(name, "$.name", "control characters are not allowed")


def _check_parameters(tool: str, parameters: Any) -> None:
    path = "$.parameters"
    if not isinstance(parameters, Mapping):
        raise ToolError(tool, path, f"expected a JSON Schema object, found {json.dumps(parameters)[:60]}")
    if parameters.get("type", "object") != "object":
        raise ToolError(tool, f"{path}.type", f"expected 'object', found {json.dumps(parameters['type'])[:60]}")
    for keyword in _UNSUPPORTED_ON_TOP:
        if keyword in parameters:
            raise ToolError(tool, f"{path}.{keyword}", "not supported here, where it ties arguments together")
    properties = parameters.get("properties", {})
    if not isinstance(properties, Mapping):
        raise ToolError(tool, f"{path}.properties", "expected an object of argument name to schema")
    for name, schema in properties.items():
        if not isinstance(schema, Mapping) and schema is not True:
            raise ToolError(tool, f"{path}.properties.{name}", f"expected a schema, found {json.dumps(schema)[:60]}")
    _check_required(tool, parameters.get("required", []), properties)


def _check_required(tool: str, required: Any, properties: Mapping[str, Any]) -> None:
    path = "$.parameters.required"
    if not isinstance(required, Sequence) or isinstance(required, str):
        raise ToolError(tool, path, f"expected a list of argument names, found {json.dumps(required)[:60]}")
    for name in required:
        if not isinstance(name, str) or name not in properties:
            raise ToolError(tool, path, f"{json.dumps(name)} is not among the properties {sorted(properties)}")


def _check_distinct(tools: Sequence[Tool], source: str) -> None:
    names = [tool.name for tool in tools]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{source}: $: tool names appear more than once: {', '.join(twice)}")
