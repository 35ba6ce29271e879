"""Drafts from a second model, which has its own memory of the same text."""

from collections.abc import Generator, Sequence

from engine.backend import Readout
from engine.boundary import common_length
from engine.commands import TRUNK, Command, Draft, Drop, Fork, Pass, Phase, Row, Trim
from engine.constraint import Constraint
from engine.free_text import FreeText
from engine.request import Request

_ASIDE = 1
"""The sequence in which a memory that takes nothing back writes its drafts."""


class ModelDrafts:
    """What the draft model's memory holds of a call, from an empty one on: first of all it reads the prompt.

    It drafts its own best tokens one by one, one pass each; the first pass also brings in what was decided since. A
    memory that takes wrong tokens back keeps the right ones; any other writes its drafts in a fork that is dropped.
    """

    def __init__(self, request: Request, takes_back: bool) -> None:
        self._takes_back = takes_back
        self._max_rows = request.max_rows
        self._free = FreeText(request.toolset.vocabulary)
        self._held: tuple[int, ...] = ()
        self._is_aside = False

    def draft(
        self, tokens: Sequence[int], constraint: Constraint, count: int
    ) -> Generator[Command, Readout, tuple[int, ...]]:
        """At most `count` tokens, one or more, behind `tokens`, up to the first that `constraint` refuses.

        The constraint stays as it is.
        """
        state = constraint.copy()
        readout = yield from self._read(tuple(tokens))
        drafted: list[int] = []
        while state.allows(token := readout.pick(-1, self._free)):
            state.advance(token)
            drafted.append(token)
            if len(drafted) == count or state.is_finished:
                break
            readout = yield from self._go_on(drafted, len(tokens))
        if self._is_aside:
            self._is_aside = False
            yield Draft(Drop(_ASIDE))
        return tuple(drafted)

    def _read(self, tokens: tuple[int, ...]) -> Generator[Command, Readout, Readout]:
        """Make the memory hold exactly `tokens`; the readout of the last of them."""
        kept = min(common_length((self._held, tokens)), len(tokens) - 1)
        if kept < len(self._held):
            yield Draft(Trim(TRUNK, kept))
        for start in range(kept, len(tokens), self._max_rows):
            end = min(start + self._max_rows, len(tokens))
            rows = (Row(tokens[at], at, pick=at == len(tokens) - 1) for at in range(start, end))
            readout = yield Draft(Pass(Phase.DRAFT, tuple(rows)))
        self._held = tokens
        return readout

    def _go_on(self, drafted: Sequence[int], start: int) -> Generator[Command, Readout, Readout]:
        """The readout behind the last of the tokens drafted from `start` on."""
        if self._takes_back:
            self._held = (*self._held, drafted[-1])
        elif not self._is_aside:
            self._is_aside = True
            yield Draft(Fork(TRUNK, (_ASIDE,)))
        sequence = TRUNK if self._takes_back else _ASIDE
        return (yield Draft(Pass(Phase.DRAFT, (Row(drafted[-1], start + len(drafted) - 1, (sequence,), pick=True),))))
