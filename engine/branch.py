"""One argument's value, decoded in a sequence of its own."""

from collections.abc import Sequence
from copy import copy

from engine.attempt import Attempt, attempt
from engine.backend import Readout
from engine.boundary import common_length
from engine.commands import Row
from engine.constraint import Constraint
from engine.drafts import Drafter, Expected
from engine.formats import CallFormat
from engine.value_text import finished_value
from engine.vocabulary import Vocabulary


class Branch:
    """A sequence forked from the trunk that decodes one argument.

    `text_before` is all that stands before the value in this sequence's call; `tokens` are those of the call, of
    which the trunk's `head_tokens` come first and the first `in_memory` have been through a pass; no more than
    `max_tokens` ever are. `value` is None until it has ended.
    """

    def __init__(
        self,
        argument: str,
        text_before: str,
        constraint: Constraint,
        call_format: CallFormat,
        vocabulary: Vocabulary,
        max_tokens: int,
    ) -> None:
        self.argument = argument
        self.sequence = 0
        self.tokens: list[int] = []
        self.guess: tuple[int, ...] = ()
        self.head_tokens = 0
        self.in_memory = 0
        self.value: str | None = None
        self.is_given_up = False
        self._bytes_before = len(text_before.encode())
        self._text = b""
        self._constraint = constraint
        self._call_format = call_format
        self._vocabulary = vocabulary
        self._max_tokens = max_tokens

    def fits(self, max_tokens: int) -> bool:
        """Whether a limit of `max_tokens` would have left it what it has, and room to go on."""
        return len(self.tokens) + len(self.guess) < max_tokens

    def copy(self, max_tokens: int) -> "Branch":
        """Another branch in the same state, with a limit of its own."""
        other = copy(self)
        other._max_tokens = max_tokens
        other.tokens = [*self.tokens]
        other._constraint = self._constraint.copy()
        return other

    @property
    def is_finished(self) -> bool:
        return self.value is not None

    @property
    def waiting_tokens(self) -> int:
        """Decided tokens that wait for a pass."""
        return len(self.tokens) - self.in_memory

    @property
    def own_tokens(self) -> int:
        """Tokens in memory that it does not share with the trunk."""
        return self.in_memory - self.head_tokens

    @property
    def text(self) -> str:
        """The value as far as it goes, and what its last token may have behind it."""
        return self._text[self._bytes_before :].decode(errors="ignore")

    @property
    def is_cut(self) -> bool:
        """Whether the limit leaves no room to finish the value, or it was given up before."""
        return not self.is_finished and (self.is_given_up or len(self.tokens) + len(self.guess) >= self._max_tokens)

    def follow(self, call_tokens: Sequence[int]) -> None:
        """Go along with what the trunk has of the call, then with all that is forced; guess what is held back then.

        Where nothing is forced, the guess's first token is taken unchecked: the first pick needs a row before it.
        """
        for token in call_tokens:
            self._advance(token)
        self._take_forced()
        if len(self.tokens) == len(call_tokens) and not self.is_cut:
            for token in self._constraint.held_back()[:1]:
                self.take(token)
        if not self.is_finished:
            self.guess = self._constraint.held_back()

    def part(self, sequence: int, head_tokens: int) -> None:
        """Leave the trunk behind its first `head_tokens` of the call, as `sequence`."""
        self.sequence = sequence
        self.head_tokens = self.in_memory = head_tokens

    def give_up(self) -> None:
        """Hold no memory any more: what was decoded stays, and goes no further."""
        self.is_given_up = True
        self.in_memory = self.head_tokens

    def skeleton_rows(self, call_start: int) -> tuple[Row, ...]:
        """Rows for the lead and the guess; with picks from the lead's last one on, unless the value is fixed.

        `call_start` is the position of the call's first token.
        """
        return self._rows([*self.tokens, *self.guess], len(self.tokens) - 1, call_start)

    def value_rows(self, call_start: int) -> tuple[Row, ...]:
        """Rows for the tokens that wait for a pass, the last one with a pick."""
        return self._rows(self.tokens, len(self.tokens) - 1, call_start)

    def check_guess(self, readout: Readout, row: int, takes_back: bool) -> bool:
        """Take the picks of the skeleton pass as far as they bear the guess out, and the one behind them.

        `row` is the one of the lead's last token. False means that the sequence holds a wrong guess: it has to be cut
        to what is in memory, or forked again from the trunk where the memory takes nothing back.
        """
        guess, self.guess = self.guess, ()
        lead_tokens = len(self.tokens)
        for number, guessed in enumerate(guess):
            token = readout.pick(row + number, self._constraint)
            if token != guessed:
                self.in_memory = lead_tokens + number if takes_back else self.head_tokens
                self.take(token)
                return False
            self._advance(token)
        self.take(readout.pick(row + len(guess), self._constraint))
        return True

    def pick(self, readout: Readout, row: int) -> None:
        """Take the best token after `row`, and what it forces."""
        self.take(readout.pick(row, self._constraint))

    def expected(self, draft: Drafter) -> Expected:
        """What `draft` expects to come next."""
        return draft(self.tokens, self._constraint)

    def attempt(self, draft: Sequence[int]) -> Attempt:
        """As much of `draft` as may come next."""
        return attempt(self._constraint, draft, max(0, self._max_tokens - len(self.tokens) - 1))

    def draft_rows(self, tried: Attempt, call_start: int) -> tuple[Row, ...]:
        """Rows for the tokens of a draft, behind all that is decided; each that needs it with a pick."""
        return tried.rows(call_start + len(self.tokens), self.sequence)

    def check(self, tried: Attempt, readout: Readout, row: int) -> bool:
        """Take what the picks bear out of a draft, and the pick behind it; False if rows of it have to go.

        `row` is the one of the last decided token.
        """
        agreed = tried.check(readout, row, self._constraint)
        kept = common_length((tried.tokens, agreed))
        self.in_memory += kept
        self._append(agreed)
        self._take_forced()
        return kept == len(tried.tokens)

    def take(self, token: int) -> None:
        """Take `token`, and what it forces."""
        self._advance(token)
        self._take_forced()

    def _rows(self, path: Sequence[int], first_pick: int, call_start: int) -> tuple[Row, ...]:
        start, self.in_memory = self.in_memory, len(path)
        wants_pick = not self.is_finished
        return tuple(
            Row(path[i], call_start + i, (self.sequence,), wants_pick and i >= first_pick)
            for i in range(start, len(path))
        )

    def _take_forced(self) -> None:
        while not (self.is_finished or self.is_cut) and (forced := self._constraint.forced()):
            self._advance(forced[0])

    def _advance(self, token: int) -> None:
        self._constraint.advance(token)
        self._append((token,))

    def _append(self, tokens: Sequence[int]) -> None:
        self.tokens += tokens
        self._text += self._vocabulary.decode(tokens)
        if len(self._text) > self._bytes_before:
            self.value = finished_value(self._call_format.notation, self.text, self._call_format.value_close)
