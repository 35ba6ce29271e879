"""Places in JSON, written as `$.tools[2].name`."""

import json
import re
from typing import Any

_PLAIN = re.compile(r"[\w$-]+")
_LONGEST = 60
"""Characters of a value that a message shows."""


def child(path: str, key: Any) -> str:
    """The path of a member; keys that a reader could mistake are quoted: `$["a.b"]`."""
    return f"{path}.{key}" if isinstance(key, str) and _PLAIN.fullmatch(key) else f"{path}[{shown(key)}]"


def shown(value: Any) -> str:
    """A value as a message shows it: JSON in ASCII, cut when long; Python's notation where JSON has none."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = ascii(type(value).__name__)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
