"""Vocabularies small enough to test laws on: one of bytes alone, one with the merged tokens that make trouble."""

from functools import cache

from llguidance import LLTokenizer, TokenizerWrapper

from engine.vocabulary import Vocabulary

MERGED = (
    # A quote that opens or closes a value together with what stands beside it.
    ' "', '",', '"}', '"]', '"}}', '": ', '":', '", "', ' {"', '{"', ' "/', ' ["', '["', '\\"', 'elsius"', ' "a',
    # Punctuation that merges with its neighbours.
    "}}", "}}\n", "}]", "},", "],", ", ", ": ", " {", " [", " -", "\n{", "}}]", "}]}",
    # Numbers and words, also with the space before them.
    "12", "00", " 1", " 12", "1,", "0}", "true", " true", "false", " false", "null", " null", "1.", "e+",
    # Words of calls, with markers in vain: names can be prefixes of one another.
    "name", ' {"name', "arguments", '"name', "get", "get_", "city", "unit", "To", "kyo", "Tokyo", "elsius", "Content-",
    " the", "aa", "ab", "abc",
    # Characters of several bytes: whole, in pairs, and cut in the middle.
    "é", "北京", "京", b"\xe5\x8c", b'\xac"', b"\x9f\x98",
)  # fmt: skip
"""Tokens of two bytes or more."""

MARKERS = ("<|begin|>", "<|end|>", "<tool_call>", "</tool_call>")
"""Texts that are a single token each."""


class GreedyTokenizer:
    """Spells bytes by the longest token that fits, from left to right; in the form that llguidance asks for."""

    def __init__(self, merged: tuple[bytes, ...], markers: tuple[bytes, ...]) -> None:
        self.tokens = [bytes([byte]) for byte in range(256)] + list(merged) + list(markers)
        self.special_token_ids = list(range(256 + len(merged), len(self.tokens)))
        self.bos_token_id, self.eos_token_id = self.special_token_ids[:2]
        self._plain = {text: token for token, text in enumerate(self.tokens[: 256 + len(merged)])}
        self._longest = max(map(len, self._plain))

    def __call__(self, text: str | bytes) -> list[int]:
        data = text.encode() if isinstance(text, str) else text
        tokens: list[int] = []
        position = 0
        while position < len(data):
            ends = range(min(len(data), position + self._longest), position, -1)
            end = next(end for end in ends if data[position:end] in self._plain)
            tokens.append(self._plain[data[position:end]])
            position = end
        return tokens


@cache
def toy_vocabulary() -> Vocabulary:
    """All bytes, the merged tokens, and the markers of the Qwen format as single tokens."""
    merged = tuple(dict.fromkeys(text if isinstance(text, bytes) else text.encode() for text in MERGED))
    tokenizer = LLTokenizer(TokenizerWrapper(GreedyTokenizer(merged, tuple(text.encode() for text in MARKERS))))
    first_marker = 256 + len(merged)
    return Vocabulary(tokenizer, {text: first_marker + number for number, text in enumerate(MARKERS)})


@cache
def byte_vocabulary() -> Vocabulary:
    """All bytes and nothing else; markers are spelled out."""
    return Vocabulary(LLTokenizer("byte"))
