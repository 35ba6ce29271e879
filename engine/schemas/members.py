"""Members of `enum` and `const`: which are of a type."""

import math
from collections.abc import Mapping, Sequence
from typing import Any


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
