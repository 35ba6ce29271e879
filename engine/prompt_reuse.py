"""What a memory holds of a prompt from the call before it is not prefilled again.

The trunk holds the last prompt and its call. Where the memory can be cut, it is cut to what the next prompt shares with
that. A memory that cannot be cut is of use as it is where the next prompt goes on from all of it, as in a growing
conversation. Else it starts anew; what the two prompts share, such as the tools, is copied on the way to a sequence of
its own, from which the next ones start. A copy that the prompt does not start with takes room from the call.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.boundary import common_length
from engine.commands import TRUNK, Drop, Fork, Trim
from engine.request import Request
from engine.schedules.serial import Schedule
from engine.trunk import Trunk

WORTH_KEEPING_TOKENS = 16
"""A copy of fewer tokens saves less than the pass costs that ends with them."""


class HeldMemory(Protocol):
    """What is asked of a memory: what it holds, and whether a sequence can be cut there."""

    @property
    def sequences(self) -> frozenset[int]: ...

    def tokens(self, sequence: int) -> tuple[int, ...]: ...

    def can_trim(self, command: Trim) -> bool: ...


@dataclass(frozen=True, slots=True)
class Reuse:
    """`commands` leave the first `tokens` of the prompt on the trunk; the first `kept_tokens`, if any, are to copy.

    A copy from before has `aside_tokens` that the trunk does not share.
    """

    commands: tuple[Fork | Trim | Drop, ...]
    tokens: int
    kept_tokens: int = 0
    aside_tokens: int = 0


def plan_reuse(memory: HeldMemory, request: Request, spare: int) -> Reuse:
    """How `request` starts from what `memory` holds; `spare` is the copy's sequence, the trunk if there is none.

    A copy that would leave too little room for the prompt and its call is dropped.
    """
    reuse = _plan_start(memory, request, spare)
    copy = memory.tokens(spare) if spare != TRUNK and Drop(spare) not in reuse.commands else ()
    aside = len(copy) - common_length([copy, request.prompt[: reuse.tokens]])
    if aside and aside + len(request.prompt) + request.max_call_tokens > request.max_cells:
        return replace(reuse, commands=(*reuse.commands, Drop(spare)))
    return replace(reuse, aside_tokens=aside)


def _plan_start(memory: HeldMemory, request: Request, spare: int) -> Reuse:
    """As `plan_reuse`, however much room the copy takes."""
    prompt = request.prompt[: request.held().reused_tokens]
    left = tuple(Drop(sequence) for sequence in sorted(memory.sequences - {TRUNK, spare}))
    held = memory.tokens(TRUNK)
    shared = common_length([held, prompt])
    if shared == len(held):
        return Reuse(left, shared)
    if shared and memory.can_trim(Trim(TRUNK, shared)):
        return Reuse((*left, Trim(TRUNK, shared)), shared)
    reuse = _from_copy(memory, prompt, shared, spare) if spare != TRUNK else Reuse((), 0)
    return replace(reuse, commands=(*left, Drop(TRUNK), *reuse.commands))


def _from_copy(memory: HeldMemory, prompt: Sequence[int], shared: int, spare: int) -> Reuse:
    """Start an empty trunk from the copy, and take a new one where the last two prompts share more."""
    copy = memory.tokens(spare)
    start = len(copy) if copy == prompt[: len(copy)] else 0
    fork = (Fork(spare, (TRUNK,)),) if start else ()
    if shared < start + WORTH_KEEPING_TOKENS:
        return Reuse(fork, start)
    return Reuse((*fork, Drop(spare)), start, shared)


def reusing(request: Request, reuse: Reuse, spare: int, schedule: Callable[[Request], Schedule]) -> Schedule:
    """`schedule` for `request`, from the start that `plan_reuse` found, in the cells that are left to it."""
    yield from reuse.commands
    if reuse.kept_tokens:
        yield from Trunk(request.prompt[: reuse.kept_tokens], reuse.tokens).prompt_passes(request.max_rows)
        yield Fork(TRUNK, (spare,))
    held = max(reuse.tokens, reuse.kept_tokens)
    return (yield from schedule(replace(request, reused_tokens=held, max_cells=request.max_cells - reuse.aside_tokens)))
