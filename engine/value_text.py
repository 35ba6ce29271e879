"""Values as text, read back: where a value ends, and what it is."""

import json
import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from engine.errors import ScheduleError
from engine.notation import Notation

_JSON_STRING = r'"(?:[^"\\]|\\.)*"'
_NUMBER = re.compile(r"-?[0-9][0-9.eE+-]*|-")
_WHOLE_NUMBER = re.compile(r"-?\d+")


def value_end(notation: Notation, text: str, start: int = 0, close: str = "") -> int | None:
    """Where the value that starts at `start` ends, once that is certain; None before.

    A string, a list, an object and a word end with their last character, a number with the first one behind it that
    cannot continue it, and a bare string where `close` begins.
    """
    if notation.bare_strings:
        end = text.find(close, start)
        return None if end < 0 else end
    if text.startswith(notation.string_mark, start):
        string = _string(notation).match(text, start)
        return string.end() if string else None
    if text[start : start + 1] in ("[", "{"):
        return _bracket_end(notation, text, start)
    for word in (notation.true, notation.false, notation.null):
        if text.startswith(word, start):
            return start + len(word)
    number = _NUMBER.match(text, start)
    return number.end() if number and number.end() < len(text) else None


def finished_value(notation: Notation, text: str, close: str = "") -> str | None:
    """The value that `text` starts with, once it is certain that it has ended; None before."""
    end = value_end(notation, text, 0, close)
    return None if end is None else text[:end]


def read_value(notation: Notation, text: str, types: Collection[str]) -> Any:
    """The value that `text` says; `types` are the JSON types that its schema admits.

    A bare text is what it says as JSON where that is of one of `types`, and a string otherwise. Raises ScheduleError
    for a text that is no value, which the constraints make impossible.
    """
    try:
        if notation.bare_strings:
            return _read_bare(notation, text, types)
        return json.loads(text if notation.is_json else _as_json(notation, text))
    except ValueError as error:
        raise ScheduleError(f"no value in {notation.name} notation: {text[:80]!r}: {error}") from error


def _read_bare(notation: Notation, text: str, types: Collection[str]) -> Any:
    words = {notation.true: True, notation.false: False, notation.null: None}
    try:
        value = words[text] if text in words else json.loads(text)
    except ValueError:
        return text
    return value if json_type(text, value) & set(types) else text


def json_type(text: str, value: Any) -> set[str]:
    """The JSON Schema types of `value`, which is written as `text`."""
    if isinstance(value, bool):
        return {"boolean"}
    if isinstance(value, int | float):
        return {"integer", "number"} if _WHOLE_NUMBER.fullmatch(text) else {"number"}
    names = {str: "string", list: "array", dict: "object", type(None): "null"}
    return {names[type(value)]}


def _bracket_end(notation: Notation, text: str, start: int) -> int | None:
    depth = 0
    for match in _structure(notation).finditer(text, start):
        if match["unfinished"]:
            return None
        depth += bool(match["open"]) - bool(match["close"])
        if depth == 0:
            return match.end()
    return None


def _as_json(notation: Notation, text: str) -> str:
    """`text` in a notation that marks its strings, as JSON."""
    words = {notation.true: "true", notation.false: "false", notation.null: "null"}
    size = len(notation.string_mark)

    def translate(match: re.Match[str]) -> str:
        if match["string"]:
            return match["string"] if notation.escapes_strings else json.dumps(match["string"][size:-size])
        return json.dumps(match["key"]) + ":" if match["key"] is not None else words[match["word"]]

    return _pieces(notation).sub(translate, text)


@lru_cache
def _string(notation: Notation) -> re.Pattern[str]:
    return re.compile(_string_pattern(notation), re.DOTALL)


def _string_pattern(notation: Notation) -> str:
    if notation.escapes_strings:
        return _JSON_STRING
    mark = re.escape(notation.string_mark)
    return f"{mark}.*?{mark}"


@lru_cache
def _structure(notation: Notation) -> re.Pattern[str]:
    """What tells how deep a list or an object is: whole strings, the start of an unfinished one, brackets."""
    mark = re.escape(notation.string_mark)
    pattern = rf"(?:{_string_pattern(notation)})|(?P<unfinished>{mark})|(?P<open>[\[{{])|(?P<close>[\]}}])"
    return re.compile(pattern, re.DOTALL)


@lru_cache
def _pieces(notation: Notation) -> re.Pattern[str]:
    """What has to change to make JSON: strings, keys without quotes, words."""
    words = "|".join(re.escape(word) for word in (notation.true, notation.false, notation.null))
    key = r"(?P<key>(?!))" if notation.quotes_keys else r"(?<=[{,])(?P<key>[^:{}\[\],]*):"
    return re.compile(rf"(?P<string>{_string_pattern(notation)})|{key}|(?P<word>{words})", re.DOTALL)
