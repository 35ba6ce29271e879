"""A writer that picks what a recorded run picked."""

from collections.abc import Sequence

from engine.commands import Phase
from engine.errors import ScheduleError
from engine.picks import PickRule
from engine.records import RunRecord
from sim.contents import Contents


class Replay:
    """Answers from a run's own picks: what was picked after the same tokens of the call.

    Where the run picked several times after the same tokens, under other rules, it answers in their order.
    """

    def __init__(self, run: RunRecord, drafts: bool = False) -> None:
        """With `drafts`, stands for the draft model of the run."""
        self._prompt_tokens = run.prompt_tokens
        self._picked = _picks_by_text(run, drafts)

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        written = tuple(tokens[self._prompt_tokens :])
        if written not in self._picked:
            raise ScheduleError(f"the recorded run made no pick after {len(written)} tokens of the call: {written}")
        first, *others = self._picked[written]
        self._picked[written] = others or [first]
        return first


def _picks_by_text(run: RunRecord, drafts: bool) -> dict[tuple[int, ...], list[int]]:
    """The picks by the call's tokens before them, in order."""
    contents = Contents(run.prompt_tokens)
    picked: dict[tuple[int, ...], list[int]] = {}
    for record in run.passes:
        if drafts != (record.command.phase is Phase.DRAFT):
            continue
        texts = contents.follow(record.command)
        for row, token in record.picks:
            picked.setdefault(texts[row], []).append(token)
    return picked
