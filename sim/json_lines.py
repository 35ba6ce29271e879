"""Files of one JSON object per line, as datasets come in."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import InputError
from engine.json_path import shown


def read_json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with the number of its line; raises InputError that names the file and the line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, _object(path, number, line)


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        item = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: line {number}: no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: line {number}: {error}") from None
    if not isinstance(item, dict):
        raise InputError(f"{path}: line {number}: expected an object, found {shown(item)}")
    return item
