"""Values that a schema itself suggests, for arguments that nobody gave one."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from engine.schema_types import admitted_types, resolve
from engine.schemas.members import is_of_type

_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")


def plain_values(schema: Any, root: Mapping[str, Any], seen: frozenset[str] = frozenset()) -> Iterator[Any]:
    """Values to try, the likeliest first: the default, the first member, then the shortest value of each type.

    Bounds and lengths are kept; whether a value keeps the other keywords too is for a constraint to say. `root` is what
    local references start from.
    """
    if not isinstance(schema, Mapping):
        schema = {}
    types = admitted_types(schema, root)
    # A default of another type, such as null for a string, stands for none.
    yield from (value for value in _stated(schema, "default") if any(is_of_type(value, name) for name in types))
    yield from (*_stated(schema, "const"), *schema.get("enum", ())[:1])
    yield from (_shortest(name, schema, root) for name in _TYPES if name in types)
    for option in chain(schema.get("anyOf", ()), schema.get("oneOf", ())):
        yield from plain_values(option, root, seen)
    if "$ref" in schema and schema["$ref"] not in seen:
        yield from plain_values(resolve(schema["$ref"], root), root, seen | {schema["$ref"]})


def _stated(schema: Mapping[str, Any], keyword: str) -> tuple[Any, ...]:
    return (schema[keyword],) if keyword in schema else ()


def _shortest(name: str, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """A short value of the type called `name`."""
    if name == "string":
        return "x" * int(schema.get("minLength", 0))
    if name in ("integer", "number"):
        return _nearest_to_0(schema)
    if name == "array":
        item = next(plain_values(schema.get("items"), root), None) if "minItems" in schema else None
        return [item] * int(schema.get("minItems", 0))
    if name == "object":
        properties = schema.get("properties", {})
        return {key: next(plain_values(properties.get(key), root), None) for key in schema.get("required", ())}
    return {"boolean": False, "null": None}[name]


def _nearest_to_0(schema: Mapping[str, Any]) -> Any:
    least = max(schema.get("minimum", 0), schema.get("exclusiveMinimum", -1) + 1)
    return min(least, schema.get("maximum", least), schema.get("exclusiveMaximum", least + 1) - 1)
