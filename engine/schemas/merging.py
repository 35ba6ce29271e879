"""Schemas that all apply to one value, written as a single one where that is plain to see."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.schemas.keywords import TYPES
from engine.schemas.members import members_of_type

_GREATEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_LEAST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_APART = (("items", "prefixItems"), ("additionalProperties", "properties"), ("patternProperties", "properties"))
"""Keywords whose meaning depends on the other one beside them: from two schemas they do not simply add up."""


def merged(schemas: Sequence[Any]) -> dict[str, Any] | None:
    """The enforced schema that allows what all of `schemas` allow, None where a converter has to find out."""
    whole: dict[str, Any] = {}
    for schema in schemas:
        if schema is True:
            continue
        if not isinstance(schema, Mapping) or _depend(whole, schema) or not _add(whole, schema):
            return None
    for keyword in ("enum", "const"):
        if keyword in whole:
            members = whole["enum"] if keyword == "enum" else [whole["const"]]
            fitting = members_of_type(members, whole.get("type"))
            if not fitting:
                return None
            whole[keyword] = fitting if keyword == "enum" else fitting[0]
    return whole


def _depend(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return any(
        (one in first and other in second)
        for one, other in _APART
        for first, second in ((a, b), (b, a))
        if first and second
    ) or any(one in a and one in b and a[one] != b[one] for one in ("additionalProperties", "patternProperties"))


def _add(whole: dict[str, Any], schema: Mapping[str, Any]) -> bool:
    """Add a schema's keywords to those of others; whether all of them could be."""
    for keyword, value in schema.items():
        if keyword not in whole or whole[keyword] == value:
            whole[keyword] = value
        else:
            both = _both(keyword, whole[keyword], value)
            if both is None:
                return False
            whole[keyword] = both
    return True


def _both(keyword: str, a: Any, b: Any) -> Any:
    """The value of a keyword that says what two values of it say, None where there is none."""
    if keyword in _GREATEST:
        return max(a, b)
    if keyword in _LEAST:
        return min(a, b)
    if keyword == "required":
        return list(dict.fromkeys((*a, *b)))
    if keyword == "type":
        return _common_types(a, b)
    if keyword == "properties":
        return _common_properties(a, b)
    return merged([a, b]) if keyword == "items" else None


def _common_types(a: Any, b: Any) -> Any:
    first, second = ({types} if isinstance(types, str) else set(types) for types in (a, b))
    common = first & second
    if ("integer" in first and "number" in second) or ("integer" in second and "number" in first):
        common |= {"integer"}
    names = [name for name in TYPES if name in common and not (name == "integer" and "number" in common)]
    return (names[0] if len(names) == 1 else names) if names else None


def _common_properties(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any] | None:
    common = {**a, **b}
    for name in a.keys() & b.keys():
        both = merged([a[name], b[name]])
        if both is None:
            return None
        common[name] = both
    return common
