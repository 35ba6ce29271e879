"""Ways to write the arguments of a call that a JSON Schema validator takes, and a constraint may not.

A constraint writes a call in one layout, as its format has it. What else a schema would allow is refused, kind by kind,
and each kind says why.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.numbers import MAX_INTEGER_DIGITS

_NEW_KEY = "zz_undeclared"


class NumberText(str):
    """A number in a spelling of its own."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Spelling:
    """A way to write arguments: what it is called, why a constraint may refuse it, and how it is made.

    `change` turns the arguments into those that are written, or gives None where it does not apply. `separators` stand
    between items and behind keys, None for the format's own.
    """

    name: str
    reason: str
    change: Callable[[Mapping[str, Any]], dict[str, Any] | None]
    separators: tuple[str, str] | None = None
    ascii_only: bool = False


def write_json(value: Any, separators: tuple[str, str] = (", ", ": "), ascii_only: bool = False) -> str:
    """JSON with numbers in their own spelling where they have one."""
    item, key = separators
    if isinstance(value, NumberText):
        return str(value)
    if isinstance(value, Mapping):
        entries = (
            f"{json.dumps(name, ensure_ascii=ascii_only)}{key}{write_json(each, separators, ascii_only)}"
            for name, each in value.items()
        )
        return "{" + item.join(entries) + "}"
    if isinstance(value, list | tuple):
        return "[" + item.join(write_json(each, separators, ascii_only) for each in value) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)


def _as_it_is(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return dict(arguments)


def _reversed_arguments(arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    return dict(reversed(list(arguments.items()))) if len(arguments) > 1 else None


def _at_object(change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> Callable[[Any], dict[str, Any] | None]:
    """`change` at the first argument that is an object, or holds one."""
    return lambda arguments: _first_changed(arguments, lambda v: change(v) if isinstance(v, dict) and v else None)


def _first_changed(arguments: Mapping[str, Any], change: Callable[[Any], Any]) -> dict[str, Any] | None:
    """The arguments with the first value changed, at any depth, for which `change` gives something."""
    for name, value in arguments.items():
        changed = _changed(value, change)
        if changed is not None:
            return {**arguments, name: changed}
    return None


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    changed = change(value)
    if changed is not None:
        return changed
    if isinstance(value, Mapping):
        return _first_changed(value, change)
    for index, item in enumerate(value if isinstance(value, list) else ()):
        inner = _changed(item, change)
        if inner is not None:
            return [*value[:index], inner, *value[index + 1 :]]
    return None


def _number(spell: Callable[[int | float], str | None]) -> Callable[[Mapping[str, Any]], dict[str, Any] | None]:
    def change(value: Any) -> NumberText | None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        text = spell(value) if is_number else None
        return None if text is None else NumberText(text)

    return lambda arguments: _first_changed(arguments, change)


def _text(ending: str) -> Callable[[Mapping[str, Any]], dict[str, Any] | None]:
    return lambda arguments: _first_changed(arguments, lambda v: v + ending if isinstance(v, str) else None)


SPELLINGS = (
    Spelling("as the format writes it", "a fault of ours, or a value that a limit below leaves out", _as_it_is),
    Spelling("arguments in another order", "required ones come first, in declared order", _reversed_arguments),
    Spelling(
        "keys of an object in another order",
        "keys come in declared order; objects that declare none take any order",
        _at_object(lambda value: dict(reversed(list(value.items()))) if len(value) > 1 else None),
    ),
    Spelling(
        "an argument that is not declared",
        "a call has declared arguments only, unless none is declared",
        lambda arguments: {**arguments, _NEW_KEY: 1},
    ),
    Spelling(
        "a key that an object does not declare",
        "an object that declares properties and says nothing of others gets no others",
        _at_object(lambda value: {**value, _NEW_KEY: 1}),
    ),
    Spelling(
        "a whole number as 5.0",
        "an integer has no fraction, so that no receiver takes it for a float; numbers may have one",
        _number(lambda value: f"{value}.0" if isinstance(value, int) else None),
    ),
    Spelling("a number as 1e2", "an integer has no exponent, nor has a number within bounds", _number(lambda _: "1e2")),
    Spelling(
        "a number of more digits than the limit",
        f"no bound in the schema: {MAX_INTEGER_DIGITS} digits, so that every number ends",
        _number(lambda _: "1" * (MAX_INTEGER_DIGITS + 1)),
    ),
    Spelling(
        "no space behind commas and colons", "separators are those of the call format", _as_it_is, separators=(",", ":")
    ),
    Spelling(
        "letters as \\u escapes", "a character is written as itself where JSON allows it", _text("é"), ascii_only=True
    ),
    Spelling("the character DEL as itself", "DEL is written as \\u007f", _text("\x7f")),
)
