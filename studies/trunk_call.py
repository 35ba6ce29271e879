"""The tokens in which a run left its call on the trunk, and which of them were picked there."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.commands import TRUNK
from engine.errors import InputError
from engine.records import PassRecord, RunRecord
from engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class TrunkCall:
    """A call's `tokens`; those numbered in `picked` the model picked behind exactly the tokens before them.

    The others were forced, or decided in another context: in a branch.
    """

    tokens: tuple[int, ...]
    picked: frozenset[int]


def trunk_call(run: RunRecord, vocabulary: Vocabulary) -> TrunkCall:
    """The call as the trunk holds it at the end of `run`; raises InputError where its rows do not spell the call.

    A row at a position that the trunk had passed means that what stood from there on was removed before. Rows of
    drafts that were removed at the very end are told by the call's text.
    """
    trunk = _Trunk(run.prompt_tokens)
    for record in run.passes:
        trunk.follow(record)
    count = _spelled(trunk.tokens, run, vocabulary)
    tokens = tuple(trunk.tokens[:count])
    picked = (number for number, token in trunk.picks.items() if number < count and tokens[number] == token)
    return TrunkCall(tokens, frozenset(picked))


@dataclass(slots=True)
class _Trunk:
    """The trunk behind the prompt, and the picks behind each number of its tokens."""

    prompt_tokens: int
    tokens: list[int] = field(default_factory=list)
    picks: dict[int, int] = field(default_factory=dict)

    def follow(self, record: PassRecord) -> None:
        for row in record.command.rows:
            if TRUNK in row.sequences and row.position >= self.prompt_tokens:
                self._append(row.position - self.prompt_tokens, row.token)
        for number, token in record.picks:
            row = record.command.rows[number]
            if TRUNK in row.sequences:
                self.picks[row.position + 1 - self.prompt_tokens] = token

    def _append(self, number: int, token: int) -> None:
        if number < len(self.tokens):
            del self.tokens[number:]
            # A pick behind a row that is gone was picked in another context.
            self.picks = {behind: pick for behind, pick in self.picks.items() if behind <= number}
        self.tokens.append(token)


def _spelled(tokens: Sequence[int], run: RunRecord, vocabulary: Vocabulary) -> int:
    """How many of `tokens` spell the run's call; all of them are tried first."""
    counts: list[int] = [len(tokens), *range(len(tokens))]
    for count in counts:
        if vocabulary.decode(tokens[:count]).decode(errors="replace") == run.call.text:
            return count
    raise InputError(
        f"the rows of {run.call_id!r} by {run.schedule!r} do not spell its call {run.call.text!r}: "
        f"they spell {vocabulary.decode(tokens).decode(errors='replace')!r}"
    )
