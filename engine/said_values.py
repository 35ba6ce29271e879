"""Values that the user's words have for an argument: members of its enum, numbers, names and quoted texts."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.numbers import MAX_FRACTION_DIGITS, MAX_INTEGER_DIGITS

_NUMBER = re.compile(r"(?<![\w.])-?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?!\w|\.\w)")
"""A number of its own: no part of a word, a date with points, or a version."""

_JSON_NUMBER = re.compile(rf"-?(0|[1-9][0-9]{{0,{MAX_INTEGER_DIGITS - 1}}})(\.[0-9]{{1,{MAX_FRACTION_DIGITS}}})?")
"""What of these a value can be as it is: JSON has no zeros before a number, and the digits are limited."""

_QUOTED = re.compile(r"""(?<!\w)(['"\u2018\u201c])(.+?)['"\u2019\u201d](?!\w)""")

_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*")
"""Words with capitals that start no sentence."""


def said_values(schema: Any, said: str) -> tuple[Any, ...]:
    """What `said` has for a value of this schema, in the order of the words.

    Nothing where the schema names no type of its own, and for a text that has a default: it is seldom said.
    """
    if not isinstance(schema, Mapping):
        return ()
    if "enum" in schema:
        return tuple(_members(schema["enum"], said)) if isinstance(schema["enum"], Sequence) else ()
    kind = said_type(schema)
    if kind in ("integer", "number"):
        return tuple(value for value in _numbers(said) if kind == "number" or isinstance(value, int))
    return tuple(_texts(said)) if kind == "string" and "default" not in schema else ()


def said_type(schema: Mapping[str, Any]) -> Any:
    """The type that the schema declares beside null; None where that is not one."""
    declared = schema.get("type")
    types = [kind for kind in declared if kind != "null"] if isinstance(declared, list | tuple) else [declared]
    return types[0] if len(types) == 1 else None


def _members(members: Sequence[Any], said: str) -> Iterator[Any]:
    """The members that `said` has, each as a word or the start of one; of two at the same place first the longer."""
    found = ((re.search(_as_word(str(member)), said, re.IGNORECASE), member) for member in members)
    places = [(place.start(), -place.end(), member) for place, member in found if place and place[0]]
    return (member for _, _, member in sorted(places, key=lambda each: each[:2]))


def _as_word(text: str) -> str:
    """What finds `text`; behind one of three letters or more the word may go on, as a plural does."""
    is_stem = text.isalpha() and len(text) > 2
    return rf"(?<!\w){re.escape(text)}" + ("" if is_stem else r"(?!\w)")


def _numbers(said: str) -> Iterator[int | float]:
    """Numbers that are written again as they were said."""
    found = (text.replace(",", "") for text in _NUMBER.findall(said))
    read = ((text, json.loads(text)) for text in found if _JSON_NUMBER.fullmatch(text))
    return (number for text, number in read if json.dumps(number) == text)


def _texts(said: str) -> Iterator[str]:
    """Texts in quotes, and names."""
    found = [(match.start(), match[2]) for match in _QUOTED.finditer(said)]
    found += [(match.start(), match[0].rstrip(".'")) for match in _NAME.finditer(said)]
    return (text for _, text in sorted(found))
