"""Vocabularies small enough to test laws on: bytes alone, bytes with the merged tokens that make trouble, and those
with markers that are single tokens."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from llguidance import LLTokenizer, TokenizerWrapper

from engine.vocabulary import Vocabulary

MERGED = (
    # Quotes that open or close a value together with what stands beside them.
    ' "', '",', '"}', '"]', '"}}', '": ', '":', '", "', ' {"', '{"', ' "/', ' ["', '["', '\\"', 'elsius"', ' "a',
    # Punctuation that merges.
    "}}", "}}\n", "}]", "},", "],", ", ", ": ", " {", " [", " -", "\n{", "}}]", "}]}",
    # The end of a name and the start of what follows it.
    "()", "(a", "{a", ">\n<",
    # Numbers and words, also with the space before them.
    "12", "00", " 1", " 12", "1,", "0}", "true", " true", "false", " false", "null", " null", "1.", "e+",
    # Parts of the fixed text, and words that start one another.
    "name", ' {"name', "arguments", '"name', "get", "get_", "city", "unit", "To", "kyo", "Tokyo", "elsius", "Content-",
    " the", "aa", "ab", "abc",
    # Characters of several bytes: whole and in pairs.
    "é", "北京", "京",
)  # fmt: skip
IN_MARKERS = ("<tool", "_call", "_call>", ">[", ">\n", "}}]</", "</", "l>\n", ">>")
"""Tokens that reach into a marker's text, for a model that has no markers."""

CUT_CHARACTERS = (b"\xe5\x8c", b'\xac"', b"\x9f\x98")
ENDS = ("<|begin|>", "<|end|>")
MARKERS = ("<tool_call>", "</tool_call>", "<escape>", "<|tool_call_start|>", "[TOOL_CALLS]")


class GreedyTokenizer:
    """Spells bytes by the longest token that fits, from left to right; in the form that llguidance asks for."""

    def __init__(self, merged: list[bytes], specials: list[bytes]) -> None:
        plain = [*(bytes([byte]) for byte in range(256)), *merged]
        self.tokens = [*plain, *specials]
        self.special_token_ids = list(range(len(plain), len(self.tokens)))
        self.bos_token_id, self.eos_token_id = self.special_token_ids[:2]
        self._number_of = {text: token for token, text in enumerate(plain)}
        self._longest = max(map(len, plain))

    def __call__(self, text: str | bytes) -> list[int]:
        data = text.encode() if isinstance(text, str) else text
        tokens: list[int] = []
        position = 0
        while position < len(data):
            ends = range(min(len(data), position + self._longest), position, -1)
            end = next(end for end in ends if data[position:end] in self._number_of)
            tokens.append(self._number_of[data[position:end]])
            position = end
        return tokens


@dataclass(frozen=True, slots=True)
class MarkedVocabulary(Vocabulary):
    """Finds the markers in a text itself: llguidance leaves that to the tokenizers of real models."""

    def encode_with_markers(self, text: str) -> tuple[int, ...]:
        pieces = re.split("|".join(f"({re.escape(marker)})" for marker in self.specials), text)
        tokens: list[int] = []
        for piece in filter(None, pieces):
            tokens += [self.specials[piece]] if piece in self.specials else self.encode(piece)
        return tuple(tokens)


@cache
def toy_vocabulary() -> Vocabulary:
    """Bytes, merged tokens, and the markers of a tool call as single tokens."""
    merged = _merged(MERGED)
    tokenizer = _tokenizer(merged, (*ENDS, *MARKERS))
    specials = {text: 256 + len(merged) + number for number, text in enumerate((*ENDS, *MARKERS))}
    return MarkedVocabulary(tokenizer, specials)


@cache
def unmarked_vocabulary() -> Vocabulary:
    """Bytes and merged tokens, some of which reach into the markers: text like any other here."""
    return Vocabulary(_tokenizer(_merged((*MERGED, *IN_MARKERS)), ENDS))


@cache
def byte_vocabulary() -> Vocabulary:
    """Bytes alone."""
    return Vocabulary(LLTokenizer("byte"))


VOCABULARIES: Mapping[str, Callable[[], Vocabulary]] = {
    "toy": toy_vocabulary,
    "unmarked": unmarked_vocabulary,
    "bytes": byte_vocabulary,
}


def _merged(texts: Sequence[str]) -> list[bytes]:
    return [*(text.encode() for text in texts), *CUT_CHARACTERS]


def _tokenizer(merged: list[bytes], specials: Sequence[str]) -> LLTokenizer:
    return LLTokenizer(TokenizerWrapper(GreedyTokenizer(merged, [text.encode() for text in specials])))
