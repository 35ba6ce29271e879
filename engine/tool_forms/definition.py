"""What every form states of a tool, and the steps from there to a `Tool` that all forms share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import ToolError
from engine.json_path import child, shown
from engine.read_only import decide_read_only
from engine.tool_forms.type_names import with_json_types
from engine.tools import Tool

OVERRIDE_KEY = "x-read-only"
"""Key of a definition that says, before any other rule, whether the tool only reads: true or false."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A tool as its form states it, unchecked; paths are JSON paths within the definition.

    `path` is where name and description are, `parameters_path` where the JSON Schema of the arguments is; None there
    stands for no arguments. `annotations` are MCP's, which other forms may carry too. `words_tell` is False in a form
    whose silence on reading means no. `changes` lists what the form's normaliser changed.
    """

    name: Any
    description: Any
    parameters: Any
    path: str = "$"
    parameters_path: str = "$.parameters"
    annotations: Any = None
    override: Any = None
    words_tell: bool = True
    changes: tuple[str, ...] = ()


def make_tool(definition: Definition) -> Tool:
    """The tool of a definition; raises ToolError that names the place in the definition."""
    name = _name(definition)
    description = _description(definition, name)
    changes = list(definition.changes)
    parameters = _parameters(definition, name, changes)
    override = read_flag(definition.override, name, child(definition.path, OVERRIDE_KEY))
    hint = _hint(definition, name)
    decision = decide_read_only(name, description, override=override, hint=hint, words_tell=definition.words_tell)
    try:
        return Tool(name, description, parameters, decision.read_only, tuple(changes), decision.rule)
    except ToolError as error:
        raise ToolError(error.tool, _place(error.path, definition), error.problem) from None


def read_flag(value: Any, tool: str, path: str) -> bool | None:
    """A true or false that may be absent; raises ToolError for anything else."""
    if value is None or isinstance(value, bool):
        return value
    raise ToolError(tool, path, f"expected true or false, found {shown(value)}")


def _place(path: str, definition: Definition) -> str:
    """The place in the definition of what `Tool` calls `$.parameters`, `$.name` and so on."""
    if path.startswith("$.parameters"):
        return definition.parameters_path + path.removeprefix("$.parameters")
    return definition.path + path.removeprefix("$")


def _name(definition: Definition) -> str:
    if not isinstance(definition.name, str) or not definition.name:
        problem = f"expected a non-empty string, found {shown(definition.name)}"
        raise ToolError("", f"{definition.path}.name", problem)
    return definition.name


def _description(definition: Definition, tool: str) -> str:
    if definition.description is None:
        return ""
    if not isinstance(definition.description, str):
        problem = f"expected a string, found {shown(definition.description)}"
        raise ToolError(tool, f"{definition.path}.description", problem)
    return definition.description


def _hint(definition: Definition, tool: str) -> bool | None:
    """MCP's `readOnlyHint`, which is False where there are annotations without it; None without annotations."""
    annotations = definition.annotations
    if annotations is None:
        return None
    path = f"{definition.path}.annotations"
    if not isinstance(annotations, Mapping):
        raise ToolError(tool, path, f"expected an object, found {shown(annotations)}")
    return bool(read_flag(annotations.get("readOnlyHint"), tool, f"{path}.readOnlyHint"))


def _parameters(definition: Definition, tool: str, changes: list[str]) -> Any:
    """The schema of the arguments, with what servers and generators leave odd put right and listed.

    That includes type names of other languages that have one meaning, such as `float` or `OBJECT`.
    """
    path = definition.parameters_path
    if definition.parameters is None:
        return {"type": "object", "properties": {}}
    if not isinstance(definition.parameters, Mapping):
        return definition.parameters
    parameters = dict(_followed(with_json_types(definition.parameters, path, changes), tool, path, changes))
    for key, empty in (("properties", {}), ("required", [])):
        # Servers written in Go write an absent list or map as null.
        if key in parameters and parameters[key] is None:
            parameters[key] = empty
            changes.append(f"{path}.{key}: null became empty")
    _declare_required(parameters, path, changes)
    return parameters


def _followed(parameters: Mapping[str, Any], tool: str, path: str, changes: list[str]) -> Mapping[str, Any]:
    """The schema that a top-level `$ref` names, as generators write it for recursive or named types."""
    seen: set[str] = set()
    while isinstance(reference := parameters.get("$ref"), str):
        target = _target(parameters, reference)
        if target is None or reference in seen:
            raise ToolError(tool, f"{path}.$ref", f"{shown(reference)} names no definition of this schema")
        seen.add(reference)
        beside = {key: value for key, value in parameters.items() if key != "$ref"}
        parameters = {**target, **beside}
        changes.append(f"{path}.$ref: {shown(reference)} was put in its place")
    return parameters


def _target(parameters: Mapping[str, Any], reference: str) -> Mapping[str, Any] | None:
    for key in ("$defs", "definitions"):
        definitions, prefix = parameters.get(key), f"#/{key}/"
        if isinstance(definitions, Mapping) and reference.startswith(prefix):
            target = definitions.get(reference.removeprefix(prefix).replace("~1", "/").replace("~0", "~"))
            return target if isinstance(target, Mapping) else None
    return None


def _declare_required(parameters: dict[str, Any], path: str, changes: list[str]) -> None:
    """JSON Schema lets `required` name what `properties` does not declare: an argument of any value."""
    properties, required = parameters.get("properties", {}), parameters.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list | tuple):
        return
    undeclared = [name for name in dict.fromkeys(map(_key, required)) if name is not None and name not in properties]
    if undeclared:
        parameters["properties"] = {**properties, **{name: {} for name in undeclared}}
        changes += [f"{child(f'{path}.properties', name)}: added, 'required' names it" for name in undeclared]


def _key(name: Any) -> str | None:
    return name if isinstance(name, str) else None
