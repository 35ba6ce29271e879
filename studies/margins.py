"""By how much the model prefers one token to another along a call, and how far passes of other widths move that.

A margin is the difference of two logits of one row. The reference computes the call one token per pass behind the
prompt, as constrained decoding does; the other widths compute every token of the call in passes of so many rows.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from engine.constraint import Constraint
from engine.request import Request

REFERENCE_WIDTH = 1
OTHER_WIDTHS = (2, 4, 8, 16)

Logits = npt.NDArray[np.float32]

Walk = Callable[[int], Iterable[Logits]]
"""From the width of passes to the logits, shape (vocabulary size,), that decide each token of a call in turn."""


@dataclass(frozen=True, slots=True)
class Margin:
    """The logit of a token of the call minus a rival's: in the reference, and at other widths of passes."""

    reference: float
    at_widths: Mapping[int, float]

    @property
    def movement(self) -> float:
        """The farthest that another width moves it."""
        return max((abs(margin - self.reference) for margin in self.at_widths.values()), default=0.0)

    @property
    def is_reversed(self) -> bool:
        """Whether the rival wins at some widths and loses at others."""
        return len({margin > 0 for margin in (self.reference, *self.at_widths.values())}) > 1


@dataclass(frozen=True, slots=True)
class CallMargins:
    """Margins along one call.

    `choices` has one for each token that was not forced, against the best other token that the constraint allowed.
    `rivals` has those that were asked for, by the token's number in the call and the rival; a rival that the constraint
    forbids has none.
    """

    choices: tuple[Margin, ...]
    rivals: Mapping[tuple[int, int], Margin]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Token number `index` of the call, and a rival."""

    index: int
    token: int
    rival: int


def call_margins(
    request: Request, tokens: Sequence[int], rivals: Mapping[int, Sequence[int]], walk: Walk
) -> CallMargins:
    """The margins along the call `tokens`; `rivals` are asked for by number in the call.

    The walk starts with the first token that the request's memory leaves to be decided.
    """
    first = request.reused_tokens + 1 - len(request.prompt)
    choices: dict[_Pair, float] = {}
    asked: dict[_Pair, float] = {}
    for index, constraint, logits in _decisions(request, tokens, first, walk(REFERENCE_WIDTH)):
        token = tokens[index]
        if (rival := runner_up(logits, constraint, token)) is not None:
            choices |= _margins([_Pair(index, token, rival)], logits)
        asked |= _margins([_Pair(index, token, r) for r in rivals.get(index, ()) if constraint.allows(r)], logits)
    reference = choices | asked
    at_widths = {width: _read(walk(width), reference, first) for width in OTHER_WIDTHS}
    every = {pair: Margin(m, {width: at_widths[width][pair] for width in at_widths}) for pair, m in reference.items()}
    return CallMargins(
        tuple(every[pair] for pair in choices), {(pair.index, pair.rival): every[pair] for pair in asked}
    )


def runner_up(logits: Logits, constraint: Constraint, token: int) -> int | None:
    """The best token beside `token` that `constraint` allows; None where it leaves no choice."""
    if constraint.forced():
        return None
    mask = constraint.mask()
    mask[token] = False
    return int(np.where(mask, logits, -np.inf).argmax()) if mask.any() else None


def _decisions(
    request: Request, tokens: Sequence[int], first: int, logits: Iterable[Logits]
) -> Iterator[tuple[int, Constraint, Logits]]:
    """Each token's number with the constraint before it and its logits, as far as the constraint allows the tokens."""
    constraint = request.toolset.call_constraint()
    decided_by = iter(logits)
    for index, token in enumerate(tokens):
        # A schedule without constraints may have written what they forbid.
        if not constraint.allows(token):
            return
        if index >= first:
            yield index, constraint, next(decided_by)
        constraint.advance(token)


def _margins(pairs: Iterable[_Pair], logits: Logits) -> dict[_Pair, float]:
    return {pair: float(logits[pair.token]) - float(logits[pair.rival]) for pair in pairs}


def _read(logits: Iterable[Logits], pairs: Iterable[_Pair], first: int) -> dict[_Pair, float]:
    """The margins of `pairs` in a walk whose logits are for the tokens from number `first` on."""
    by_index: dict[int, list[_Pair]] = defaultdict(list)
    for pair in pairs:
        by_index[pair.index].append(pair)
    wanted = max(by_index, default=first - 1) + 1 - first
    return {
        p: m
        for index, row in enumerate(islice(logits, wanted), first)
        for p, m in _margins(by_index[index], row).items()
    }
