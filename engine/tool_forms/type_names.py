"""Names that other languages give to JSON's types."""

from collections.abc import Mapping
from typing import Any

from engine.json_path import child

JSON_TYPES = frozenset(("string", "number", "integer", "boolean", "array", "object", "null"))
TYPE_OF: Mapping[str, str] = {
    "dict": "object", "hashmap": "object", "hashtable": "object", "map": "object",
    "float": "number", "double": "number",
    "int": "integer", "long": "integer", "short": "integer", "byte": "integer", "bigint": "integer",
    "bool": "boolean",
    "list": "array", "tuple": "array", "arraylist": "array", "set": "array", "queue": "array", "stack": "array",
    "str": "string", "char": "string",
}  # fmt: skip
"""Python's, Java's and JavaScript's names in lower case, as BFCL maps them (`constants/type_mappings.py`)."""

_HOLDS_SCHEMAS_BY_NAME = {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
_HOLDS_SCHEMAS = {"items", "prefixItems", "additionalProperties", "anyOf", "oneOf", "allOf", "not", "contains"}


def json_type(name: str) -> str | None:
    """JSON's name of a type, in whatever case it is written; None for a name that is not known."""
    lower = name.lower()
    return lower if lower in JSON_TYPES else TYPE_OF.get(lower)


def with_json_types(schema: Any, path: str, changes: list[str]) -> Any:
    """`schema` with known type names turned into JSON's, each listed; unknown ones stay for others to refuse."""
    if isinstance(schema, list):
        return [with_json_types(item, f"{path}[{index}]", changes) for index, item in enumerate(schema)]
    if not isinstance(schema, Mapping):
        return schema
    out = {key: _member(key, value, child(path, key), changes) for key, value in schema.items()}
    name = out.get("type")
    if isinstance(name, str) and name not in JSON_TYPES and (renamed := json_type(name)):
        out["type"] = renamed
        changes.append(f"{path}.type: {name!r} became {renamed!r}")
    return out


def _member(key: str, value: Any, path: str, changes: list[str]) -> Any:
    if key in _HOLDS_SCHEMAS_BY_NAME and isinstance(value, Mapping):
        return {name: with_json_types(item, child(path, name), changes) for name, item in value.items()}
    return with_json_types(value, path, changes) if key in _HOLDS_SCHEMAS else value
