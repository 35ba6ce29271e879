"""Pieces of llguidance's Lark dialect."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise


def literal(text: str) -> str:
    """`text` as a grammar term; like JSON, but DEL has to be escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def regex(pattern: str) -> str:
    """A regular expression of Rust's syntax as a grammar term."""
    return f"/{pattern.replace('/', chr(92) + '/')}/"


def escaped(text: str) -> str:
    """`text` as a pattern that matches just it; control characters and DEL as escapes, since a term is one line."""
    if text.isprintable():
        return re.escape(text)
    return "".join(re.escape(char) if char.isprintable() else f"\\x{{{ord(char):x}}}" for char in text)


def any_of(terms: Iterable[str]) -> str:
    """One of `terms`, as a group."""
    return "(" + " | ".join(terms) + ")"


@dataclass(frozen=True, slots=True)
class Plain:
    """Text in which a marker's characters are just characters."""

    text: str


class Markup:
    """Writes fixed text as grammar terms in which each marker of the vocabulary, as `<tool_call>`, is its token."""

    def __init__(self, specials: Mapping[str, int]) -> None:
        self._specials = specials
        longest_first = sorted(specials, key=len, reverse=True)
        self._markers = re.compile("|".join(map(re.escape, longest_first))) if specials else None

    def pieces(self, text: str) -> list[str]:
        """`text` cut at its markers; they are pieces of their own."""
        if self._markers is None:
            return [text] if text else []
        ends = [0, *(place for match in self._markers.finditer(text) for place in match.span()), len(text)]
        return [text[a:b] for a, b in pairwise(ends) if a < b]

    def is_marker(self, piece: str) -> bool:
        return piece in self._specials

    def terms(self, *parts: str | Plain) -> str:
        """Terms for `parts` one behind the other, "" for no text; a `Plain` part has no markers."""
        pieces = [piece for part in parts for piece in self._cut(part)]
        groups = groupby(pieces, key=lambda piece: piece if isinstance(piece, str) and self.is_marker(piece) else None)
        return " ".join(self._group(marker, list(group)) for marker, group in groups)

    def _cut(self, part: str | Plain) -> list[str | Plain]:
        return list(self.pieces(part)) if isinstance(part, str) else [part]

    def _group(self, marker: str | Plain | None, group: list[str | Plain]) -> str:
        if isinstance(marker, str):
            return " ".join(f"<[{self._specials[marker]}]>" for _ in group)
        return literal("".join(piece if isinstance(piece, str) else piece.text for piece in group))
