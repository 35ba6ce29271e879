"""Values that tokenizers find hard, in the place of ordinary ones."""

import random
from collections.abc import Mapping
from typing import Any

from engine.tools import Tool

ODD_TEXTS = (
    *("", " ", "  two words", "-5", "/usr/bin", "C:\\dir", 'say "hi"', "don't", "'s", "12345678", "1,000.50", "..."),
    *("](", "a\n\n b", "\t", "}}", '", "', "京都", "naïve café", "привет", "👍🏽 ok", "한국", "{", "[1]", "#1"),
    "</tool_call>",
)
ODD_INTEGERS = (0, -1, -17, 7, 42, 100, 12345678, -2000000)
_TYPES = {"string": ODD_TEXTS, "integer": ODD_INTEGERS}


def with_odd_values(values: Mapping[str, Any], tool: Tool, rng: random.Random) -> dict[str, Any]:
    """`values` of a call of `tool`, with odd ones for every argument that may be any string or any integer."""
    return {name: _odd_value(value, tool.properties[name], rng) for name, value in values.items()}


def _odd_value(value: Any, schema: Any, rng: random.Random) -> Any:
    described = {"type", "description", "title", "default"}
    is_free = isinstance(schema, Mapping) and schema.keys() <= described and schema.get("type") in _TYPES
    return rng.choice(_TYPES[schema["type"]]) if is_free else value
