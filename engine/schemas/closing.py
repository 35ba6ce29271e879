"""Which objects get no keys beside those that are declared.

An object that declares properties and says nothing of others gets no others: fixed text could not place them. What is
declared counts over all that applies in place, so that two objects in an `allOf` can be merged.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.schemas.references import UnresolvedError, resolve

_SAYS_OF_OTHERS = ("additionalProperties", "unevaluatedProperties")


def closes(schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """Whether an object of this schema is closed, though nothing in it says so, or by `unevaluatedProperties`."""
    if schema.get("unevaluatedProperties") is False:
        return True
    in_place = list(_in_place(schema, root))
    declares = any(part.get("properties") or part.get("patternProperties") for part in in_place)
    return declares and not any(keyword in part for part in in_place for keyword in _SAYS_OF_OTHERS)


def declared_names(schema: Mapping[str, Any], root: Mapping[str, Any]) -> tuple[str, ...]:
    """The names that a schema declares or requires, with all that applies in place, in the order of writing.

    `unevaluatedProperties` leaves room for those that are declared alone.
    """
    names: dict[str, None] = {}
    keywords = ("properties",) if schema.get("unevaluatedProperties") is False else ("properties", "required")
    for part in _in_place(schema, root):
        for keyword in keywords:
            members = part.get(keyword)
            if isinstance(members, Mapping | list):
                names |= dict.fromkeys(name for name in members if isinstance(name, str))
    return tuple(names)


def _in_place(schema: Any, root: Mapping[str, Any], seen: frozenset[tuple[str, ...]] = frozenset()) -> Iterator[Any]:
    """A schema and those that describe the same value."""
    if not isinstance(schema, Mapping):
        return
    yield schema
    if "$ref" in schema:
        yield from _referred(schema["$ref"], root, seen)
    for keyword in ("allOf", "anyOf", "oneOf"):
        parts = schema.get(keyword)
        for part in parts if isinstance(parts, list) else ():
            yield from _in_place(part, root, seen)


def _referred(reference: Any, root: Mapping[str, Any], seen: frozenset[tuple[str, ...]]) -> Iterator[Any]:
    try:
        keys, target = resolve(root, reference)
    except UnresolvedError:
        return
    if keys not in seen:
        yield from _in_place(target, root, seen | {keys})
