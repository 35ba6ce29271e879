"""Markers in the caller's own words, which reach the model as text.

A tokenizer that looks for `<|im_end|>` finds it in a user's message as well as in the template's text. So each one that
the caller says is broken with a noncharacter before the template sees it, and what the template printed is cut there:
no piece holds the marker, and the pieces put together are the text.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from engine.errors import InputError

_BREAKS = tuple(map(chr, (*range(0xFDD0, 0xFDF0), *range(0xE000, 0xF900))))
"""Noncharacters, which no text should hold, and characters for private use behind them."""


@dataclass(frozen=True, slots=True)
class MarkerBreaker:
    """Puts `character` into markers, behind the first character, by which `markers` are kept."""

    markers: Mapping[str, tuple[str, ...]]
    character: str

    def broken(self, said: Any) -> Any:
        """`said` with each marker broken, in keys as well, where markers overlap, and across the parts of a content."""
        if isinstance(said, str):
            return _insert(said, self.character, _break_offsets(said, self.markers))
        if isinstance(said, Mapping):
            return {self.broken(key): self.broken(value) for key, value in said.items()}
        if not isinstance(said, list):
            return said
        return self._broken_parts(said) if _is_parts(said) else [self.broken(value) for value in said]

    def pieces(self, printed: str) -> tuple[str, ...]:
        """What a template printed, cut at the breaks; it may have escaped them as JSON or Python does."""
        return tuple(re.split(rf"{self.character}|\\+u{ord(self.character):04x}", printed))

    def _broken_parts(self, parts: list[Any]) -> list[Any]:
        texts = [part["text"] for part in parts]
        offsets = _break_offsets("".join(texts), self.markers)
        ends = (0, *accumulate(map(len, texts)))
        return [
            {**part, "text": _insert(text, self.character, [at - start for at in offsets if start < at <= end])}
            for part, text, (start, end) in zip(parts, texts, pairwise(ends), strict=True)
        ]


def marker_breaker(markers: Iterable[str], said: Any, template: str) -> MarkerBreaker | None:
    """What breaks those of `markers` that are in `said`, JSON of the caller's; None where none is."""
    by_first: dict[str, tuple[str, ...]] = {}
    for marker in markers:
        # One character cannot be broken, nor mean more than itself.
        if len(marker) > 1:
            by_first[marker[0]] = (*by_first.get(marker[0], ()), marker)
    if not any(_break_offsets(text, by_first) for text in _texts(said)):
        return None
    taken = json.dumps(said, ensure_ascii=False) + template
    for character in _BREAKS:
        if character not in taken and f"\\u{ord(character):04x}" not in taken:
            return MarkerBreaker(by_first, character)
    raise InputError("the prompt holds every noncharacter, so that none is left to tell its text from markers")


def _texts(said: Any) -> Iterator[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, Mapping):
        for key, value in said.items():
            yield key
            yield from _texts(value)
    elif isinstance(said, list):
        if _is_parts(said):
            yield "".join(part["text"] for part in said)
        for value in said:
            yield from _texts(value)


def _is_parts(said: list[Any]) -> bool:
    """Whether `said` is a content in parts, which a template prints one right behind the other."""
    return all(isinstance(part, Mapping) and isinstance(part.get("text"), str) for part in said)


def _break_offsets(text: str, by_first: Mapping[str, tuple[str, ...]]) -> list[int]:
    return [start + 1 for start, char in enumerate(text) if char in by_first and text.startswith(by_first[char], start)]


def _insert(text: str, character: str, offsets: Sequence[int]) -> str:
    return character.join(text[start:end] for start, end in pairwise((0, *offsets, len(text))))
