"""How call formats write values: JSON and the near relatives of it that model families use."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Notation:
    """A way of writing values.

    `string_mark` stands on both sides of a string. A quote means a JSON string with its escapes; anything else is a
    marker of the model's, between which a string stands as it is. With `bare_strings`, a value that is a string stands
    as it is and without marks, and everything in a list or an object is JSON. `true`, `false` and `null` are the words
    for those values.
    """

    name: str
    true: str = "true"
    false: str = "false"
    null: str = "null"
    string_mark: str = '"'
    quotes_keys: bool = True
    item_separator: str = ", "
    key_separator: str = ": "
    bare_strings: bool = False

    @property
    def is_json(self) -> bool:
        """Whether every value is JSON text."""
        words = (self.true, self.false, self.null) == ("true", "false", "null")
        return words and self.string_mark == '"' and self.quotes_keys and not self.bare_strings

    @property
    def escapes_strings(self) -> bool:
        """Whether strings are JSON strings."""
        return self.string_mark == '"'


JSON = Notation("json")
COMPACT_JSON = Notation("compact_json", item_separator=",", key_separator=":")
PYTHON = Notation("python", true="True", false="False", null="None")
BARE = Notation("bare", bare_strings=True)
BARE_PYTHON = Notation("bare_python", true="True", false="False", null="None", bare_strings=True)


def marked(mark: str, null: str = "None") -> Notation:
    """The notation of the Gemma family: strings between markers, keys as they are (Gemma 4's chat template)."""
    return Notation("marked", null=null, string_mark=mark, quotes_keys=False, item_separator=",", key_separator=":")


_ENCODE = json.JSONEncoder(ensure_ascii=False).encode


def quote(text: str) -> str:
    """`text` as the templates' `tojson` prints a string: JSON, nothing escaped that need not be."""
    return _ENCODE(text)


def write_value(notation: Notation, value: Any) -> str:
    """`value` in this notation."""
    if notation.bare_strings:
        return value if isinstance(value, str) else _write_bare(notation, value)
    return _write(notation, value)


def _write_bare(notation: Notation, value: Any) -> str:
    return _write(JSON, value) if isinstance(value, list | dict) else _write(notation, value)


def _write(notation: Notation, value: Any) -> str:
    if isinstance(value, str):
        return quote(value) if notation.escapes_strings else f"{notation.string_mark}{value}{notation.string_mark}"
    if isinstance(value, dict):
        return "{" + notation.item_separator.join(_write_member(notation, *item) for item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + notation.item_separator.join(_write(notation, item) for item in value) + "]"
    if value is None or isinstance(value, bool):
        return {True: notation.true, False: notation.false, None: notation.null}[value]
    return json.dumps(value)


def _write_member(notation: Notation, key: str, value: Any) -> str:
    return (quote(key) if notation.quotes_keys else key) + notation.key_separator + _write(notation, value)
