"""JSON paths, as errors and warnings name places in a tool's schema."""

import json
import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[\w$-]+")


def member(path: str, key: str) -> str:
    """The path of an object's member: `$.a.b`, `$.a["x.y"]`."""
    return f"{path}.{key}" if _PLAIN.fullmatch(key) else f"{path}[{json.dumps(key, ensure_ascii=False)}]"


def item(path: str, index: int) -> str:
    """The path of an array's item: `$.a[0]`."""
    return f"{path}[{index}]"


def below(path: str, keys: Iterable[str]) -> str:
    """The path that leads on from `path` through the keys of a JSON pointer."""
    for key in keys:
        path = item(path, int(key)) if key.isdigit() else member(path, key)
    return path


def found(value: object) -> str:
    """A value as an error quotes it: JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
