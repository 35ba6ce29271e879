"""Whether no value fits two schemas: only then is `oneOf` the same as `anyOf`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from engine.schemas.keywords import TYPES
from engine.schemas.members import is_of_type

_DEPTH = 8
"""How far references and nested objects are followed; what lies deeper counts as possibly alike."""


def all_disjoint(schemas: Sequence[Any], definitions: Mapping[str, Any]) -> bool:
    """Whether no value fits two of these enforced schemas, as far as types, members and required keys show it."""
    return all(_disjoint(a, b, definitions, _DEPTH) for a, b in combinations(schemas, 2))


def _disjoint(a: Any, b: Any, definitions: Mapping[str, Any], depth: int) -> bool:
    if a is False or b is False:
        return True
    if not (isinstance(a, Mapping) and isinstance(b, Mapping)) or depth == 0:
        return False
    for one, other in ((a, b), (b, a)):
        for alternatives in _alternatives(one, definitions):
            if all(_disjoint(each, other, definitions, depth - 1) for each in alternatives):
                return True
    return _types_differ(a, b) or _members_differ(a, b) or _keys_differ(a, b, definitions, depth)


def _alternatives(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    """Lists of schemas of which a value of this one fits one at least."""
    if "$ref" in schema:
        yield [definitions.get(schema["$ref"].rpartition("/")[2])]
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            yield schema[keyword]
    for part in schema.get("allOf", ()):
        yield [part]


def _types_differ(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return not _types(a) & _types(b)


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The types that a value may have; every integer is a number too."""
    if (members := _members(schema)) is not None:
        return {name for value in members for name in TYPES if is_of_type(value, name)}
    named = schema.get("type", list(TYPES))
    names = {named} if isinstance(named, str) else set(named)
    return names | {"integer"} if "number" in names else names


def _members_differ(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    first, second = _members(a), _members(b)
    return first is not None and second is not None and not {*map(_key, first)} & {*map(_key, second)}


def _members(schema: Mapping[str, Any]) -> Sequence[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    members: Sequence[Any] | None = schema.get("enum")
    return members


def _key(value: Any) -> str:
    """The same for members that are equal: 1 and 1.0 are."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"number {Fraction(value)}" if is_number else json.dumps(value, sort_keys=True)


def _keys_differ(a: Mapping[str, Any], b: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> bool:
    """Two objects that must both have a key whose values never agree, or that one has to have and the other cannot."""
    if "object" not in (a.get("type"), b.get("type")):
        return False
    for one, other in ((a, b), (b, a)):
        for name in one.get("required", ()):
            theirs = other.get("properties", {}).get(name, other.get("additionalProperties", True))
            if _disjoint(one.get("properties", {}).get(name, True), theirs, definitions, depth - 1):
                return True
    return False
