"""Strings that stand as they are between two fixed texts, as patterns of Rust's regular expressions."""

import re
from collections.abc import Mapping
from typing import Any

from engine.lark import escaped

STRING_KEYWORDS = frozenset({"minLength", "maxLength", "pattern", "format"})

_ANYTHING = "(?s:.*)"
_DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_LABEL = "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?"
_FORMATS = {
    "date": _DATE,
    "time": _TIME,
    "date-time": f"{_DATE}T{_TIME}",
    "uuid": "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    "ipv4": rf"{_BYTE}(\.{_BYTE}){{3}}",
    "hostname": rf"{_LABEL}(\.{_LABEL}){{0,4}}",
    "email": rf"[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*@{_LABEL}(\.{_LABEL}){{1,4}}",
}
"""Parts of what RFC 3339, 4122, 1123 and 5321 allow: everything here is of its format, but not the other way round.
Days end at 28, since no pattern knows the months."""


def string_patterns(schema: Mapping[str, Any]) -> list[str]:
    """Patterns that a string has to match all of.

    Lengths count characters. Raises ValueError for a format that is not known, or a pattern with an anchor inside.
    """
    patterns = []
    if "minLength" in schema or "maxLength" in schema:
        patterns.append(f"(?s:.{{{schema.get('minLength', 0)},{schema.get('maxLength', '')}}})")
    if "pattern" in schema:
        patterns.append(searched(schema["pattern"]))
    if "format" in schema:
        if schema["format"] not in _FORMATS:
            raise ValueError(f"the format {schema['format']!r}; known here are {', '.join(_FORMATS)}")
        patterns.append(_FORMATS[schema["format"]])
    return patterns or [_ANYTHING]


def without(text: str) -> str:
    """A pattern for everything that has `text` in it."""
    return f"{_ANYTHING}{escaped(text)}{_ANYTHING}"


def searched(pattern: str) -> str:
    """A pattern for whole strings that have a match of JSON Schema's `pattern` somewhere in them.

    Raises ValueError for anchors inside.
    """
    starts, ends = pattern.startswith("^"), re.search(r"(?<!\\)(\\\\)*\$$", pattern) is not None
    inner = pattern[starts : len(pattern) - ends]
    if "|" in inner and (starts or ends) and not _is_one_group(inner):
        raise ValueError(f"the pattern {pattern!r}, whose anchors belong to one alternative")
    if re.search(r"(?<![\\\[])[\^]|(?<!\\)\$", inner):
        raise ValueError(f"the pattern {pattern!r}, which has an anchor inside")
    ascii_only = inner.replace(r"\d", "[0-9]").replace(r"\w", "[A-Za-z0-9_]")
    return f"{'' if starts else _ANYTHING}({ascii_only}){'' if ends else _ANYTHING}"


def _is_one_group(pattern: str) -> bool:
    depth = 0
    for match in re.finditer(r"\\.|\[(?:\\.|[^\]\\])*\]|[()]|\|", pattern):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if match.group() == "|" and depth == 0:
            return False
    return True
