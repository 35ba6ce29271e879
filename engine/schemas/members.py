"""Members of `enum` and `const`: which are of a type."""

import math
from collections.abc import Callable, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import Any

LIMITS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "minimum": ("number", ge),
    "maximum": ("number", le),
    "exclusiveMinimum": ("number", gt),
    "exclusiveMaximum": ("number", lt),
    "minLength": ("string", ge),
    "maxLength": ("string", le),
    "minItems": ("array", ge),
    "maxItems": ("array", le),
    "minProperties": ("object", ge),
    "maxProperties": ("object", le),
}
"""What a keyword binds, and how."""


def members_of_type(members: Sequence[Any], types: Any) -> list[Any]:
    """The members that are of one of `types`, None for any; a whole number in the spelling of its type."""
    if types is None:
        return list(members)
    names = [types] if isinstance(types, str) else types
    fitting = []
    for value in members:
        if "number" not in names and "integer" in names and _is_whole(value):
            fitting.append(int(value))
        elif any(is_of_type(value, name) for name in names):
            fitting.append(value)
    return fitting


def members_within(members: Sequence[Any], limits: Mapping[str, Any]) -> list[Any]:
    """The members that keep bounds and lengths; a limit binds the values of its own type alone."""
    return [value for value in members if all(_keeps(value, key, limit) for key, limit in limits.items())]


def _keeps(value: Any, keyword: str, limit: Any) -> bool:
    kind, compare = LIMITS[keyword]
    if not is_of_type(value, kind):
        return True
    size = value if kind == "number" else len(value)
    return bool(compare(size, limit))


def is_of_type(value: Any, name: str) -> bool:
    """Whether a decoded JSON value is of a JSON Schema type; 3.0 is an integer, as the specification has it."""
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, int | float):
        return name == "number" or (name == "integer" and _is_whole(value))
    kinds: Mapping[str, type | tuple[type, ...]] = {
        "string": str, "array": (list, tuple), "object": Mapping, "null": type(None)
    }  # fmt: skip
    return name in kinds and isinstance(value, kinds[name])


def _is_whole(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and value == int(value)
