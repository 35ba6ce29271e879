"""Speculative decoding of the whole call: several tokens guessed, and checked in one pass (paper, section 7)."""

from collections.abc import Callable, Generator, Sequence

from engine.attempt import attempt
from engine.backend import Readout
from engine.commands import Command, Phase
from engine.constraint import Constraint
from engine.model_drafts import ModelDrafts
from engine.prompt_lookup import prompt_lookup
from engine.request import Request
from engine.schedules.serial import (
    Schedule,
    call_so_far,
    check_attempt,
    chosen_tool,
    hand_over,
    is_cut,
    start_trunk,
    take,
)

Guess = Callable[[Sequence[int], Constraint, int], Generator[Command, Readout, tuple[int, ...]]]
"""At most so many tokens that may follow those given, which the constraint stands behind."""


def speculative(request: Request) -> Schedule:
    """As `constrained`, with up to `request.draft_tokens` tokens guessed behind the last one and checked with it.

    As in the paper nothing jumps forward: tokens that the schema fixes are guessed and checked like all others, so that
    what is gained over `constrained` is what speculation gains. The draft model guesses if there is one, else the
    prompt is looked up. Guesses are made without the schema; one that it refuses ends the draft. Passes: one per token
    that no guess foresaw, and those of the draft model, which reads the prompt first: the call's latency includes that.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    if not trunk.is_pending:
        take(trunk, constraint, constraint.forced()[0])
    guess = _guesses(request)
    while not (constraint.is_finished or is_cut(request, trunk)):
        room = request.draft_room(len(trunk.call_tokens), len(trunk.tokens) - trunk.in_memory)
        count = min(room, request.draft_tokens)
        guessed = (yield from guess(trunk.tokens, constraint, count)) if count else ()
        tried = attempt(constraint, guessed, room, reads_forced=True)
        yield from check_attempt(request, trunk, constraint, tried, Phase.VERIFY if tried.tokens else Phase.SERIAL)
    call = call_so_far(request, trunk, chosen_tool(request, constraint), constraint.is_finished)
    return (yield from hand_over(trunk, call))


def _guesses(request: Request) -> Guess:
    if request.draft_memory is not None:
        return ModelDrafts(request, request.draft_memory.takes_back).draft
    draft = prompt_lookup(request.prompt)

    def look_up(
        tokens: Sequence[int], constraint: Constraint, count: int
    ) -> Generator[Command, Readout, tuple[int, ...]]:
        yield from ()
        return draft(tokens[len(request.prompt) :], count)

    return look_up
