"""BFCL's way of writing functions, turned into JSON Schema with every change listed.

The types are Python's, Java's or JavaScript's. They are mapped as the benchmark's own table does
(`bfcl_eval/constants/type_mappings.py`): names that it does not know become strings.
"""

from collections.abc import Mapping
from typing import Any

from engine.json_path import child
from engine.tool_forms.definition import OVERRIDE_KEY, Definition, make_tool
from engine.tool_forms.type_names import JSON_TYPES, TYPE_OF, json_type
from engine.tools import Tool

_PYTHON_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}
_KEPT_AS_THEY_ARE = {"enum", "const", "default", "required", "description", "examples"}


def is_bfcl(function: Mapping[str, Any]) -> bool:
    """Whether the arguments are typed as BFCL's are: a `dict` on top, where JSON Schema has an object."""
    parameters = function.get("parameters")
    name = parameters.get("type") if isinstance(parameters, Mapping) else None
    return isinstance(name, str) and TYPE_OF.get(name.lower()) == "object"


def tool_from_bfcl(function: Mapping[str, Any]) -> Tool:
    """The tool of one entry of a row's `function`; raises ToolError."""
    return make_tool(read_bfcl_function(function, "$", function))


def read_bfcl_function(function: Mapping[str, Any], path: str, wrapper: Mapping[str, Any]) -> Definition:
    """The definition of a function at `path`; `wrapper` is the item that holds it, or the function itself."""
    changes: list[str] = []
    parameters_path = f"{path}.parameters"
    parameters = _schema(function.get("parameters"), parameters_path, changes)
    return Definition(
        name=function.get("name"),
        description=function.get("description"),
        parameters=parameters,
        path=path,
        parameters_path=parameters_path,
        annotations=function.get("annotations", wrapper.get("annotations")),
        override=function.get(OVERRIDE_KEY, wrapper.get(OVERRIDE_KEY)),
        changes=tuple(changes),
    )


def _schema(schema: Any, path: str, changes: list[str]) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    out = {key: _member(key, value, child(path, key), changes) for key, value in schema.items()}
    _rename_type(out, path, changes)
    _drop_optional_mark(out, path, changes)
    _drop_empty_enum(out, path, changes)
    _reconcile_enum(out, path, changes)
    return out


def _member(key: str, value: Any, path: str, changes: list[str]) -> Any:
    if key in _KEPT_AS_THEY_ARE:
        return value
    if key == "properties" and isinstance(value, Mapping):
        return {name: _schema(item, child(path, name), changes) for name, item in value.items()}
    if isinstance(value, list):
        return [_schema(item, f"{path}[{index}]", changes) for index, item in enumerate(value)]
    return _schema(value, path, changes)


def _rename_type(schema: dict[str, Any], path: str, changes: list[str]) -> None:
    name = schema.get("type")
    if not isinstance(name, str) or name in JSON_TYPES:
        return
    schema["type"] = json_type(name) or "string"
    changes.append(f"{path}.type: {name!r} became {schema['type']!r}")


def _drop_optional_mark(schema: dict[str, Any], path: str, changes: list[str]) -> None:
    """`optional: true` on an argument is no JSON Schema keyword; `required` says the same."""
    if isinstance(schema.get("optional"), bool):
        del schema["optional"]
        changes.append(f"{path}.optional: dropped")


def _drop_empty_enum(schema: dict[str, Any], path: str, changes: list[str]) -> None:
    if schema.get("enum") == []:
        del schema["enum"]
        changes.append(f"{path}.enum: dropped, it was empty")


def _reconcile_enum(schema: dict[str, Any], path: str, changes: list[str]) -> None:
    """An array's `enum` names its items; where no member has the declared type, the members are what is meant."""
    members, name = schema.get("enum"), schema.get("type")
    if not isinstance(members, list) or not isinstance(name, str) or any(_is_of(name, member) for member in members):
        return
    if name == "array" and isinstance(schema.get("items", {}), Mapping):
        schema["items"] = {**schema.get("items", {}), "enum": schema.pop("enum")}
        changes.append(f"{path}.enum: moved to the array's items")
    else:
        del schema["type"]
        changes.append(f"{path}.type: dropped, no member of 'enum' is of type {name!r}")


def _is_of(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _PYTHON_TYPES[name])
