"""BFCL's way of writing tools, turned into JSON Schema with every change listed.

The types are Python's, Java's or JavaScript's. They are mapped as the benchmark's own table does
(`bfcl_eval/constants/type_mappings.py`): names that it does not know become strings.
"""

from collections.abc import Mapping
from typing import Any

from engine.errors import ToolError
from engine.tools import Tool

_JSON_TYPES = {"string", "number", "integer", "boolean", "array", "object", "null"}
_TYPE_OF = {
    "dict": "object", "hashmap": "object", "hashtable": "object", "map": "object",
    "float": "number", "double": "number",
    "int": "integer", "long": "integer", "short": "integer", "byte": "integer", "bigint": "integer",
    "bool": "boolean",
    "list": "array", "tuple": "array", "arraylist": "array", "set": "array", "queue": "array", "stack": "array",
    "str": "string", "char": "string", "any": "string",
}  # fmt: skip
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


def tool_from_bfcl(definition: Mapping[str, Any]) -> Tool:
    """The tool of one BFCL `function` entry; `Tool.changes` says what was changed, with its JSON path.

    Raises ToolError where the definition lacks a name or parameters.
    """
    name = definition.get("name")
    if not isinstance(name, str) or not isinstance(definition.get("parameters"), Mapping):
        raise ToolError(str(name), "$", "expected 'name' and 'parameters'")
    changes: list[str] = []
    parameters = _schema(definition["parameters"], "$.parameters", changes)
    return Tool(name, str(definition.get("description", "")), parameters, changes=tuple(changes))


def _schema(schema: Any, path: str, changes: list[str]) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    out = {key: _member(key, value, f"{path}.{key}", changes) for key, value in schema.items()}
    _rename_type(out, path, changes)
    _drop_optional_mark(out, path, changes)
    _drop_empty_enum(out, path, changes)
    _reconcile_enum(out, path, changes)
    return out


def _member(key: str, value: Any, path: str, changes: list[str]) -> Any:
    if key in _KEPT_AS_THEY_ARE:
        return value
    if key == "properties" and isinstance(value, Mapping):
        return {name: _schema(item, f"{path}.{name}", changes) for name, item in value.items()}
    if isinstance(value, list):
        return [_schema(item, f"{path}[{index}]", changes) for index, item in enumerate(value)]
    return _schema(value, path, changes)


def _rename_type(schema: dict[str, Any], path: str, changes: list[str]) -> None:
    name = schema.get("type")
    if not isinstance(name, str) or name in _JSON_TYPES:
        return
    lower = name.lower()
    schema["type"] = lower if lower in _JSON_TYPES else _TYPE_OF.get(lower, "string")
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
