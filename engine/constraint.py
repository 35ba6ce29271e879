"""What may come next in a value or a call, as a state over bytes."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt
from llguidance import LLMatcher

from engine.errors import ScheduleError
from engine.vocabulary import Vocabulary

_MARKER = b"\xff"
"""How llguidance spells a token that stands for a whole marker; no value holds this byte."""


class Constraint:
    """A grammar's state, advanced token by token.

    Fixed text has one spelling in tokens, whoever writes it. Where the grammar leaves no choice, `forced` gives the
    tokens of the fixed text up to the last one that no vocabulary entry could extend (llguidance's
    `compute_ff_tokens`), and only those are allowed. What is held back of the text is a pick among the token that
    spells it and those that extend that token: a shorter piece, such as a bare space before a quote, would lead the
    model off its habits.
    """

    def __init__(self, matcher: LLMatcher, vocabulary: Vocabulary) -> None:
        self._matcher = matcher
        self._vocabulary = vocabulary
        self._forced: tuple[int, ...] | None = None
        self._opening: bytes | None = None

    @property
    def is_finished(self) -> bool:
        """Whether nothing can follow."""
        return bool(self._matcher.is_stopped())

    def forced(self) -> tuple[int, ...]:
        """The tokens that must come next, possibly none."""
        if not self._forced:
            self._forced = () if self.is_finished else tuple(self._matcher.compute_ff_tokens())
        return self._forced

    def held_back(self) -> tuple[int, ...]:
        """The usual spelling of text that must come next but is not forced, as a vocabulary entry could extend it."""
        if self.forced() or self.is_finished:
            return ()
        fixed = bytes(self._matcher.compute_ff_bytes())
        return () if _MARKER in fixed else self._vocabulary.encode(fixed)

    def allows(self, token: int) -> bool:
        """Whether `token` may come next."""
        if forced := self.forced():
            return token == forced[0]
        return self._matcher.validate_tokens([token]) == 1 and self._spells(token)

    def mask(self) -> npt.NDArray[np.bool_]:
        """What may come next: shape (vocabulary size,), True where allowed."""
        mask = np.zeros(self._vocabulary.size, dtype=np.bool_)
        if forced := self.forced():
            mask[forced[0]] = True
            return mask
        bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        allowed = np.flatnonzero(np.unpackbits(bits, bitorder="little")[: mask.size])
        mask[[token for token in allowed if self._spells(int(token))] if self._held_opening() else allowed] = True
        return mask

    def advance(self, token: int) -> None:
        """Go on behind `token`; raises ScheduleError if it is not allowed."""
        if not self._matcher.consume_token(token):
            raise ScheduleError(f"token {token} is not allowed here: {self._matcher.get_error()}")
        is_run = self._forced is not None and self._forced[:1] == (token,)
        self._forced = self._forced[1:] if self._forced and is_run else None
        self._opening = None

    def advance_all(self, tokens: Iterable[int]) -> None:
        """Go on behind each of `tokens` in turn."""
        for token in tokens:
            self.advance(token)

    def _spells(self, token: int) -> bool:
        """Whether `token` is no shorter piece of the held-back text than the one that usually spells it."""
        opening = self._held_opening()
        return not opening or self._vocabulary.decode([token]).startswith(opening)

    def _held_opening(self) -> bytes:
        if self._opening is None:
            self._opening = self._vocabulary.decode(self.held_back()[:1])
        return self._opening


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
            self._forced, self._opening = None, None
