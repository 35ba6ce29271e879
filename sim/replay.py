"""A writer that picks what a recorded run picked."""

from collections.abc import Sequence

from engine.commands import TRUNK, Row
from engine.errors import ScheduleError
from engine.picks import PickRule
from engine.records import RunRecord


class Replay:
    """Answers from a run's own picks: what was picked after the same tokens of the call."""

    def __init__(self, run: RunRecord) -> None:
        self._prompt_tokens = run.prompt_tokens
        self._picked = _picks_by_text(run)

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        written = tuple(tokens[self._prompt_tokens :])
        if written not in self._picked:
            raise ScheduleError(f"the recorded run made no pick after {len(written)} tokens of the call: {written}")
        return self._picked[written]


def _picks_by_text(run: RunRecord) -> dict[tuple[int, ...], int]:
    """Each pick by the call's tokens before it.

    A sequence's own rows say what it held; before the first of them it held what the trunk did. A row at a position
    that the sequence had passed means that it was forked again.
    """
    own: dict[int, tuple[int, list[int]]] = {}
    picked: dict[tuple[int, ...], int] = {}
    for record in run.passes:
        texts = [_append(own, row, run.prompt_tokens) for row in record.command.rows]
        picked.update({texts[row]: token for row, token in record.picks})
    return picked


def _append(own: dict[int, tuple[int, list[int]]], row: Row, prompt_tokens: int) -> tuple[int, ...]:
    """Note `row` in each of its sequences; the call's tokens up to it, as its last sequence holds them."""
    for sequence in row.sequences:
        start, tokens = own.setdefault(sequence, (row.position, []))
        if row.position < start + len(tokens):
            start, tokens = own[sequence] = (min(start, row.position), tokens[: max(0, row.position - start)])
        tokens.append(row.token)
    start, tokens = own[row.sequences[-1]]
    trunk_start, trunk = own.get(TRUNK, (start, []))
    before = trunk[max(0, prompt_tokens - trunk_start) : max(0, start - trunk_start)]
    return (*before, *tokens[max(0, prompt_tokens - start) :])
