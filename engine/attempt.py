"""A draft laid out for one pass, and what the model's picks make of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.backend import Readout
from engine.commands import Row
from engine.constraint import Constraint


@dataclass(frozen=True, slots=True)
class Attempt:
    """Tokens that may come next.

    `states` has the constraint's state before each of them and behind the last, None where nothing is for the model to
    pick there; `end` is the one behind the last. A token that its constraint forces needs no pick, unless
    `reads_forced`.
    """

    tokens: tuple[int, ...]
    states: tuple[Constraint | None, ...]
    end: Constraint
    reads_forced: bool = False

    def wants_pick(self, number: int) -> bool:
        """Whether what stands at `number`, or behind the last token, is for the model to pick."""
        return self.states[number] is not None

    def rows(self, start: int, sequence: int) -> tuple[Row, ...]:
        """Rows for the tokens from position `start` on, those with a pick that what follows needs one for."""
        return tuple(Row(token, start + i, (sequence,), self.wants_pick(i + 1)) for i, token in enumerate(self.tokens))

    def check(self, readout: Readout, row: int, constraint: Constraint) -> tuple[int, ...]:
        """The tokens that the picks bear out, and behind them the pick that differs or goes on.

        `row` is the one before the first token; `constraint` goes on behind what is returned.
        """
        for number, state in enumerate(self.states):
            if state is None:
                continue
            token = readout.pick(row + number, state)
            if number == len(self.tokens) or token != self.tokens[number]:
                constraint.take_over(state)
                constraint.advance(token)
                return (*self.tokens[:number], token)
        constraint.take_over(self.end)
        return self.tokens


def attempt(constraint: Constraint, draft: Sequence[int], room: int, reads_forced: bool = False) -> Attempt:
    """As much of `draft` as `constraint` allows and `room` holds, in tokens."""
    state = constraint.copy()
    tokens: list[int] = []
    states: list[Constraint | None] = []
    for token in draft[:room]:
        if state.is_finished or not state.allows(token):
            break
        is_pick = reads_forced or not state.forced()
        states.append(state if is_pick else None)
        state = state.copy() if is_pick else state
        state.advance(token)
        tokens.append(token)
    wants_more = not state.is_finished and (reads_forced or not state.forced())
    return Attempt(tuple(tokens), (*states, state if wants_more else None), state, reads_forced)
