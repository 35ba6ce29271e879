"""A model's vocabulary: bytes to tokens and back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from llguidance import LLTokenizer


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A tokenizer as llguidance sees it, and the tokens that stand for a whole marker.

    `specials` maps the text of each marker that is one token (`<tool_call>`, `<|im_end|>`) to that token: bytes
    inside a value can never produce it.
    """

    tokenizer: LLTokenizer
    specials: Mapping[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of tokens; logits have this length."""
        return int(self.tokenizer.vocab_size)

    def encode(self, text: str | bytes) -> tuple[int, ...]:
        """The tokenizer's own tokens of `text`, markers spelled out as bytes where the tokenizer can."""
        data = text.encode() if isinstance(text, str) else text
        return tuple(self.tokenizer.tokenize_bytes(data))

    def encode_with_markers(self, text: str) -> tuple[int, ...]:
        """The tokens of `text` with every marker in it as its single token."""
        return tuple(self.tokenizer.tokenize_str(text, parse_special=True))

    def decode(self, tokens: Iterable[int]) -> bytes:
        """The bytes of `tokens`, markers as their text."""
        return bytes(self.tokenizer.decode_bytes(list(tokens)))
