"""Which JSON types a schema admits, as far as its keywords tell."""

from collections.abc import Mapping
from typing import Any

from engine.value_text import json_type

JSON_TYPES = frozenset({"string", "integer", "number", "boolean", "null", "array", "object"})


def admitted_types(schema: Any, root: Mapping[str, Any], seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """The JSON Schema types of the values that `schema` may admit; `root` is what local references start from."""
    if not isinstance(schema, Mapping):
        return JSON_TYPES if schema else frozenset()
    admitted = _declared(schema)
    if "$ref" in schema and schema["$ref"] not in seen:
        target = resolve(schema["$ref"], root)
        admitted &= admitted_types(target, root, seen | {schema["$ref"]})
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            admitted &= frozenset().union(*(admitted_types(option, root, seen) for option in schema[keyword]))
    for part in schema.get("allOf", ()):
        admitted &= admitted_types(part, root, seen)
    return admitted


def resolve(reference: str, root: Mapping[str, Any]) -> Any:
    """The schema that a local `reference` (`#`, `#/$defs/Name`, ...) means; raises KeyError where there is none."""
    schema: Any = root
    for part in reference.removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        schema = schema[int(key)] if isinstance(schema, list) else schema[key]
    return schema


def _declared(schema: Mapping[str, Any]) -> frozenset[str]:
    declared = schema.get("type", JSON_TYPES)
    types = frozenset([declared] if isinstance(declared, str) else declared)
    if "number" in types:
        types |= {"integer"}
    members = [schema["const"]] if "const" in schema else schema.get("enum")
    if members is None:
        return types
    return types & frozenset().union(*(json_type(str(member), member) for member in members))
