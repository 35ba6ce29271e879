"""Sequence 0 as a schedule sees it: the prompt and all text that is decided."""

from collections.abc import Iterable, Iterator, Sequence

from engine.attempt import Attempt
from engine.commands import TRUNK, Pass, Phase, Row


class Trunk:
    """The tokens of a sequence, by default 0, of which the first `in_memory` have been through a pass."""

    def __init__(self, prompt: tuple[int, ...], in_memory: int, sequence: int = TRUNK) -> None:
        self.sequence = sequence
        self.tokens = list(prompt)
        self.prompt_tokens = len(prompt)
        self.in_memory = in_memory

    @property
    def call_tokens(self) -> tuple[int, ...]:
        """What is decided behind the prompt."""
        return tuple(self.tokens[self.prompt_tokens :])

    @property
    def is_pending(self) -> bool:
        """Whether decided tokens wait for a pass."""
        return self.in_memory < len(self.tokens)

    @property
    def prompt_left(self) -> int:
        """Tokens of the prompt that wait for a pass."""
        return max(0, self.prompt_tokens - self.in_memory)

    def take(self, tokens: Iterable[int]) -> None:
        """Decide that `tokens` come next."""
        self.tokens.extend(tokens)

    def follow(self, call_tokens: Sequence[int], in_memory: int) -> None:
        """Take over what a branch decoded in this very sequence: a call's tokens, `in_memory` of them in memory."""
        self.tokens[self.prompt_tokens :] = call_tokens
        self.in_memory = self.prompt_tokens + in_memory

    def give_back(self, count: int) -> None:
        """Leave the last `count` tokens undecided again; they have to be waiting for a pass."""
        del self.tokens[len(self.tokens) - count :]

    def fork(self, sequence: int) -> "Trunk":
        """What another sequence holds that was forked from this one."""
        other = Trunk(tuple(self.tokens), self.in_memory, sequence)
        other.prompt_tokens = self.prompt_tokens
        return other

    def rows(self, pick: bool, sequences: tuple[int, ...] = (), most: int | None = None) -> tuple[Row, ...]:
        """Rows for the waiting tokens, the last one with a pick if wanted; counts them as in memory from now on."""
        end = len(self.tokens) if most is None else min(len(self.tokens), self.in_memory + most)
        positions = range(self.in_memory, end)
        self.in_memory = end
        holders = sequences or (self.sequence,)
        return tuple(Row(self.tokens[p], p, holders, pick and p == end - 1) for p in positions)

    def draft_rows(self, tried: Attempt) -> tuple[Row, ...]:
        """Rows for the tokens of a draft, behind all that is decided; each that needs it with a pick."""
        return tried.rows(len(self.tokens), self.sequence)

    def prompt_passes(self, max_rows: int, picks_last: bool = False, leaves_last: bool = False) -> Iterator[Pass]:
        """The passes that bring the prompt into memory, at most `max_rows` rows each.

        With `picks_last` the last row has a pick; with `leaves_last` what would be the last pass is left to wait.
        """
        while self.is_pending:
            is_last = len(self.tokens) - self.in_memory <= max_rows
            if is_last and leaves_last:
                break
            yield Pass(Phase.PROMPT, self.rows(pick=picks_last and is_last, most=max_rows))
