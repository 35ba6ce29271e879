"""A model's vocabulary: bytes to tokens and back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from llguidance import LLTokenizer

from engine.entries import Entries
from engine.lark import Markup


@dataclass(frozen=True)
class Vocabulary:
    """A tokenizer as llguidance sees it, and the tokens that stand for a whole marker.

    `specials` maps the text of each marker that is one token (`<tool_call>`, `<|im_end|>`) to that token: bytes
    inside a value can never produce it.
    """

    tokenizer: LLTokenizer
    specials: Mapping[str, int] = field(default_factory=dict)

    @property
    def end_token(self) -> int:
        """The token that ends a text."""
        return int(self.tokenizer.eos_token)

    @property
    def size(self) -> int:
        """Number of tokens; logits have this length."""
        return int(self.tokenizer.vocab_size)

    @cached_property
    def entries(self) -> Entries:
        """The entries that spell text, in order."""
        decode = self.tokenizer.decode_bytes
        return Entries(b"" if token in self.markers else decode([token]) for token in range(self.size))

    @cached_property
    def markup(self) -> Markup:
        """Writes and cuts text at the markers."""
        return Markup(self.specials)

    @cached_property
    def markers(self) -> frozenset[int]:
        """The tokens that stand for a marker and spell no text."""
        return frozenset(self.specials.values())

    def is_marker(self, token: int) -> bool:
        """Whether `token` is one of `markers`."""
        return token in self.markers

    def encode(self, text: str | bytes) -> tuple[int, ...]:
        """The tokenizer's own tokens of `text`, markers spelled out as bytes.

        Tokenizers see some markers (llama.cpp's user-defined ones) in any text: it is cut inside them then.
        """
        data = text.encode() if isinstance(text, str) else text
        tokens = tuple(self.tokenizer.tokenize_bytes(data))
        if self.markers.isdisjoint(tokens):
            return tokens
        marker = next(number for number, token in enumerate(tokens) if token in self.markers)
        inside = len(self.decode(tokens[:marker])) + 1
        return self.encode(data[:inside]) + self.encode(data[inside:])

    def can_spell(self, text: str) -> bool:
        """Whether there are tokens for `text`: some vocabularies lack bytes of rare characters."""
        return self.decode(self.encode(text)) == text.encode()

    def encode_with_markers(self, text: str) -> tuple[int, ...]:
        """The tokens of `text` with every marker in it as its single token."""
        return tuple(self.tokenizer.tokenize_str(text, parse_special=True))

    @cached_property
    def _going_on(self) -> dict[tuple[tuple[int, ...], bytes], bool]:
        return {}

    def can_go_on(self, context: tuple[int, ...], text: bytes) -> bool:
        """Whether the tokenizer itself may write, behind the tokens `context`, an entry that extends `text`."""
        key = (context, text)
        if key not in self._going_on:
            before = self.decode(context)
            self._going_on[key] = any(
                len(tokens) == len(context) + 1 and tokens[:-1] == context
                for entry in self.entries.extending(text)
                for tokens in [self.encode(before + entry)]
            )
        return self._going_on[key]

    def decode(self, tokens: Iterable[int]) -> bytes:
        """The bytes of `tokens`, markers as their text."""
        return bytes(self.tokenizer.decode_bytes(list(tokens)))
