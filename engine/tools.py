"""A tool as one type, whatever form it was declared in; `engine.tool_forms` reads the forms."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.errors import ToolError
from engine.json_path import child, shown
from engine.read_only import ReadOnlyRule

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Tool:
    """One tool: what the model reads of it, and the JSON Schema that its arguments keep.

    `parameters` is an object schema. Only a call of a `read_only` tool may run provisionally; `read_only_rule` names
    the rule that decided it. `changes` lists what differs in name, description and parameters from the definition
    that the tool was read from, one sentence each. `settled` names the arguments that every call has, all of them and
    no others, where that is settled before they are decoded. Raises ToolError where name or parameters cannot be used.
    """

    name: str
    description: str
    parameters: Schema
    read_only: bool = False
    changes: tuple[str, ...] = ()
    read_only_rule: ReadOnlyRule = "default"
    settled: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        _check_name(self.name)
        _check_json(self.name, self.description, "$.description")
        _check_parameters(self.name, self.parameters)
        _check_json(self.name, self.parameters, "$.parameters")

    @cached_property
    def properties(self) -> Mapping[str, Any]:
        """Argument name to its schema, in declared order or in that of the settled ones."""
        properties: Mapping[str, Any] = self.parameters.get("properties", {})
        return properties if self.settled is None else {name: properties[name] for name in self.settled}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Names of the required arguments, in declared order or as they are settled."""
        wanted = set(self.parameters.get("required", ()))
        return tuple(name for name in self.properties if name in wanted) if self.settled is None else self.settled

    @cached_property
    def optional(self) -> tuple[str, ...]:
        """Names of the other arguments, in declared order."""
        required = set(self.required)
        return tuple(name for name in self.properties if name not in required)

    def with_arguments(self, names: Collection[str]) -> "Tool":
        """This tool with no arguments but `names`, all of them required; those that were so before come first.

        `parameters` stay as they are: schemas may refer to those of arguments that are left out.
        """
        return replace(self, settled=tuple(name for name in (*self.required, *self.optional) if name in names))

    def as_openai(self) -> dict[str, Any]:
        """The definition in the form that chat templates take."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name:
        raise ToolError("", "$.name", f"expected a non-empty string, found {shown(name)}")
    if any(char < " " for char in name):
        raise ToolError(name, "$.name", "control characters are not allowed")
    _check_json(name, name, "$.name")


def _check_json(tool: str, value: Any, path: str) -> None:
    """What no prompt could show is refused here, for this tool alone.

    JSON can escape lone surrogates, which UTF-8 cannot hold, and Python's reader takes NaN.
    """
    if isinstance(value, str):
        if not _is_text(value):
            raise ToolError(tool, path, f"a lone surrogate is no character, found {shown(value)}")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ToolError(tool, path, f"expected text as a key, found {shown(key)}")
            _check_json(tool, key, child(path, key))
            _check_json(tool, item, child(path, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _check_json(tool, item, f"{path}[{index}]")
    elif not (value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value))):
        raise ToolError(tool, path, f"expected a value of JSON, found {shown(value)}")


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_parameters(tool: str, parameters: Any) -> None:
    path = "$.parameters"
    if not isinstance(parameters, Mapping):
        raise ToolError(tool, path, f"expected a JSON Schema object, found {shown(parameters)}")
    if parameters.get("type", "object") != "object":
        raise ToolError(tool, f"{path}.type", f"expected 'object', found {shown(parameters['type'])}")
    properties = parameters.get("properties", {})
    if not isinstance(properties, Mapping):
        raise ToolError(tool, f"{path}.properties", "expected an object of argument name to schema")
    for name, schema in properties.items():
        if not isinstance(schema, Mapping) and schema is not True:
            raise ToolError(tool, child(f"{path}.properties", name), f"expected a schema, found {shown(schema)}")
    _check_required(tool, parameters.get("required", []), properties)


def _check_required(tool: str, required: Any, properties: Mapping[str, Any]) -> None:
    path = "$.parameters.required"
    if not isinstance(required, Sequence) or isinstance(required, str):
        raise ToolError(tool, path, f"expected a list of argument names, found {shown(required)}")
    for name in required:
        if not isinstance(name, str) or name not in properties:
            raise ToolError(tool, path, f"{shown(name)} is not among the properties {sorted(properties)}")
