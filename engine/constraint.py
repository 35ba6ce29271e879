"""What may come next in a value or a call, as a state over bytes."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Self

import numpy as np
import numpy.typing as npt
from llguidance import LLMatcher

from engine.boundary import FixedText, openings, settle, spell
from engine.errors import ScheduleError
from engine.vocabulary import Vocabulary

MARKER_START = b"\xff"
"""How the spelling of a marker begins; no text holds this byte."""

_MARKER = re.compile(rb"\xff\[(\d+)\]")


def marker_bytes(token: int) -> bytes:
    """How llguidance spells a token that stands for a whole marker."""
    return b"\xff[%d]" % token


class Constraint:
    """A grammar's state, advanced token by token.

    Fixed text has one spelling in tokens, whoever writes it. Where the grammar leaves no choice, `forced` gives the
    tokens of the fixed text that stand whatever follows, and only those are allowed. What is held back of the text is a
    pick among the tokens that may spell it when what follows is known (`engine.boundary` has the rules).
    """

    def __init__(self, matcher: LLMatcher, vocabulary: Vocabulary) -> None:
        self._matcher = matcher
        self._vocabulary = vocabulary
        self._before: list[int] = []
        self._fixed: FixedText | None = None
        self._openings: frozenset[int] | None = None

    def copy(self) -> Self:
        """Another constraint in the same state."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.take_over(self)
        return other

    def take_over(self, other: "Constraint") -> None:
        """Go to the state of `other`, a copy that went ahead; it must not be used any more."""
        self._matcher = other._matcher.deep_copy()
        self._before = list(other._before)
        self._fixed, self._openings = other._fixed, other._openings

    @property
    def is_finished(self) -> bool:
        """Whether nothing can follow."""
        return bool(self._matcher.is_stopped())

    def forced(self) -> tuple[int, ...]:
        """The tokens that must come next, possibly none."""
        return self._fixed_text().forced

    def held_back(self) -> tuple[int, ...]:
        """The usual spelling of text that must come next but is not forced, as a vocabulary entry could extend it."""
        fixed = self._fixed_text()
        return () if fixed.forced else fixed.usual

    def allows(self, token: int) -> bool:
        """Whether `token` may come next."""
        if forced := self.forced():
            return token == forced[0]
        return self._takes(token) and self._spells(token)

    def mask(self) -> npt.NDArray[np.bool_]:
        """What may come next: shape (vocabulary size,), True where allowed."""
        size = self._vocabulary.size
        if forced := self.forced():
            mask = np.zeros(size, dtype=np.bool_)
            mask[forced[0]] = True
            return mask
        held = self._fixed_text().held_back
        if held and self._forces_token():
            return self._mask_of(held)
        mask = self._grammar_mask()
        starts = (token for end in range(1, len(held)) for token in self._vocabulary.entries.spelling(held[:end]))
        mask[[token for token in starts if token not in self._held_openings()]] = False
        return mask

    def grammar_tokens(self) -> list[int]:
        """The tokens that the grammar allows, in whatever way they spell fixed text."""
        return [int(token) for token in np.flatnonzero(self._grammar_mask())]

    def _grammar_mask(self) -> npt.NDArray[np.bool_]:
        bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        return np.unpackbits(bits, count=self._vocabulary.size, bitorder="little").view(np.bool_)

    def _mask_of(self, held: bytes) -> npt.NDArray[np.bool_]:
        """The mask where llguidance forces a token of its own: the only one that its mask has.

        Behind a character that a token cut it spells bytes apart which an entry here may join.
        """
        entries = self._vocabulary.entries
        tokens = (token for text in entries.starting_with(held) for token in entries.spelling(text))
        mask = np.zeros(self._vocabulary.size, dtype=np.bool_)
        mask[[token for token in (*self._held_openings(), *tokens) if self.allows(token)]] = True
        return mask

    def advance(self, token: int) -> None:
        """Go on behind `token`; raises ScheduleError if it is not allowed."""
        if not self._consume(token):
            raise ScheduleError(f"token {token} is not allowed here: {self._matcher.get_error()}")
        if self._vocabulary.is_marker(token):
            self._before.clear()
        else:
            self._before.append(token)
        self._fixed = self._fixed.behind(token) if self._fixed else None
        self._openings = None

    def advance_all(self, tokens: Iterable[int]) -> None:
        """Go on behind each of `tokens` in turn."""
        for token in tokens:
            self.advance(token)

    def _fixed_text(self) -> FixedText:
        if self._fixed is None:
            self._fixed = FixedText() if self.is_finished else self._settle_fixed_text()
        return self._fixed

    def _settle_fixed_text(self) -> FixedText:
        """What the grammar leaves no choice about; text before a marker cannot merge with what stands behind it."""
        *closed, text = _MARKER.split(self._forced_bytes())
        before: Sequence[int] = self._before
        forced: list[int] = []
        for part, marker in zip(closed[::2], closed[1::2], strict=True):
            forced += [*spell(self._vocabulary, before, part), int(marker)]
            before = ()
        if not text:
            return FixedText(tuple(forced))
        fixed = settle(self._vocabulary, before, text, self._open_bytes(text))
        return FixedText((*forced, *fixed.forced), fixed.held_back, fixed.usual)

    def _takes(self, token: int) -> bool:
        """Whether the grammar allows `token`."""
        return bool(self._matcher.validate_tokens([token]) == 1)

    def _consume(self, token: int) -> bool:
        """Take the grammar behind `token`; False where it does not allow it."""
        return bool(self._matcher.consume_token(token))

    def _forced_bytes(self) -> bytes:
        """The text that the grammar leaves no choice about, markers as `marker_bytes`."""
        return bytes(self._matcher.compute_ff_bytes())

    def _forces_token(self) -> bool:
        """Whether the mask of llguidance has no token but one."""
        return bool(self._matcher.compute_ff_tokens())

    def _open_bytes(self, text: bytes) -> int:
        """How many of the last bytes of `text` entries could extend that the grammar lets stand here."""
        tokens = self._matcher.compute_ff_tokens()
        markers = [number for number, token in enumerate(tokens) if self._vocabulary.is_marker(token)]
        return len(text) - len(self._vocabulary.decode(tokens[markers[-1] + 1 if markers else 0 :]))

    def _spells(self, token: int) -> bool:
        """Whether `token` spells what is held back, or a start of it that the tokenizer may begin with."""
        held = self._fixed_text().held_back
        return not held or self._vocabulary.decode([token]).startswith(held) or token in self._held_openings()

    def _held_openings(self) -> frozenset[int]:
        if self._openings is None:
            self._openings = openings(self._vocabulary, self._before, self._fixed_text())
        return self._openings


class CallConstraint(Constraint):
    """A call of one of several tools: first the names, then the grammar of the one that is left.

    `starts` holds the text that each tool's call begins with; `matcher_of` compiles the calls of one tool and is asked
    only for the chosen one.
    """

    def __init__(
        self,
        names: LLMatcher,
        starts: Sequence[bytes],
        matcher_of: Callable[[int], LLMatcher],
        vocabulary: Vocabulary,
    ) -> None:
        super().__init__(names, vocabulary)
        self._starts = starts
        self._matcher_of = matcher_of
        self._tokens: list[int] = []
        self.chosen: int | None = None
        """Number of the chosen tool, None while several are left."""
        self._settle()

    def take_over(self, other: Constraint) -> None:
        super().take_over(other)
        if isinstance(other, CallConstraint):
            self._tokens, self.chosen = list(other._tokens), other.chosen

    def advance(self, token: int) -> None:
        super().advance(token)
        if self.chosen is None:
            self._tokens.append(token)
            self._settle()

    def _settle(self) -> None:
        text = self._vocabulary.decode(self._tokens)
        left = [i for i, start in enumerate(self._starts) if start.startswith(text) or text.startswith(start)]
        if len(left) == 1:
            self.chosen = left[0]
            self._matcher = self._matcher_of(left[0]).deep_copy()
            self._matcher.consume_tokens(self._tokens)
            self._fixed, self._openings = None, None
