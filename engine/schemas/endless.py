"""Schemas whose values have no end, as a node that must have a node in it, and those that only lead to themselves."""

from collections.abc import Mapping
from typing import Any


def is_endless(schema: Any) -> bool:
    """Whether every value of an enforced schema would hold another one without end."""
    definitions = schema.get("$defs", {}) if isinstance(schema, Mapping) else {}
    ending: set[str] = set()
    while True:
        more = {name for name, each in definitions.items() if name not in ending and _ends(each, ending)}
        if not more:
            return not _ends(schema, ending)
        ending |= more


def is_circular(schema: Any) -> bool:
    """Whether a value of an enforced schema has to fit that schema itself before anything is known of it.

    JSON Schema leaves the meaning open: a validator would not come to an end (core specification, section 9.4.1).
    """
    definitions = schema.get("$defs", {}) if isinstance(schema, Mapping) else {}
    return any(name in _reached(definitions[name], definitions) for name in definitions)


def _reached(schema: Any, definitions: Mapping[str, Any]) -> set[str]:
    """The definitions that describe the same value as `schema`."""
    reached: set[str] = set()
    pending = _referred_in_place(schema)
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending += _referred_in_place(definitions[name])
    return reached


def _referred_in_place(schema: Any) -> list[str]:
    if not isinstance(schema, Mapping):
        return []
    names = [schema["$ref"].rpartition("/")[2]] if "$ref" in schema else []
    parts = (part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ()))
    return [*names, *(name for part in parts for name in _referred_in_place(part))]


def _ends(schema: Any, ending: set[str]) -> bool:
    """Whether a value exists whose references are all among the definitions that are known to end."""
    if not isinstance(schema, Mapping):
        return schema is not False
    if "$ref" in schema and schema["$ref"].rpartition("/")[2] not in ending:
        return False
    if not all(_ends(part, ending) for part in schema.get("allOf", ())):
        return False
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema and not any(_ends(part, ending) for part in schema[keyword]):
            return False
    return all(_ends(part, ending) for part in _held(schema))


def _held(schema: Mapping[str, Any]) -> list[Any]:
    """The schemas of what a value has to hold; nothing where it may be of several types."""
    kind = schema.get("type")
    if "enum" in schema or "const" in schema:
        return []
    if kind == "object":
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        return [properties.get(name, others) for name in schema.get("required", ())]
    if kind == "array":
        first = schema.get("prefixItems", [])
        least = schema.get("minItems", 0)
        return [*first[:least], *([schema.get("items", True)] if least > len(first) else [])]
    return []
