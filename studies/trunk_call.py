"""The tokens in which a run left its call on the trunk, and which of them were picked there."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.commands import TRUNK, Phase
from engine.errors import InputError
from engine.records import PassRecord, RunRecord
from engine.vocabulary import Vocabulary
from sim.contents import Contents

_TRYING = frozenset({Phase.WRITE_BACK, Phase.VERIFY, Phase.JUMP})
"""Phases in which another sequence tries what the trunk could not take back."""


@dataclass(frozen=True, slots=True)
class TrunkCall:
    """A call's `tokens`; those numbered in `picked` the model picked behind exactly the tokens before them.

    The others were forced, or decided in another context: in a branch.
    """

    tokens: tuple[int, ...]
    picked: frozenset[int]


def trunk_call(run: RunRecord, vocabulary: Vocabulary) -> TrunkCall:
    """The call as the trunk holds it at the end of `run`; raises InputError where its rows do not spell the call.

    Rows of drafts that were removed at the very end are told by the call's text.
    """
    contents = Contents(run.prompt_tokens)
    picks = {pick for record in run.passes for pick in _trunk_picks(record, contents)}
    tokens = _spelled(contents, run, vocabulary)
    return TrunkCall(tokens, frozenset(n for n, token in enumerate(tokens) if (tokens[:n], token) in picks))


def _trunk_picks(record: PassRecord, contents: Contents) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each pick of a pass along the trunk, and the call's tokens before it."""
    rows = record.command.rows
    texts = [contents.append(row) for row in rows]
    for number, token in record.picks:
        if TRUNK in rows[number].sequences or record.command.phase in _TRYING:
            yield texts[number], token


def _spelled(contents: Contents, run: RunRecord, vocabulary: Vocabulary) -> tuple[int, ...]:
    """The tokens that spell the run's call: all that the trunk holds or that was tried last, or a start of them."""
    for tokens in (contents.trunk, contents.tried):
        for count in (len(tokens), *range(len(tokens))):
            if vocabulary.decode(tokens[:count]).decode(errors="replace") == run.call.text:
                return tokens[:count]
    raise InputError(
        f"the rows of {run.call_id!r} by {run.schedule!r} do not spell its call {run.call.text!r}: "
        f"they spell {vocabulary.decode(contents.trunk).decode(errors='replace')!r}"
    )
