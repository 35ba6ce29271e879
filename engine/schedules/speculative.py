"""Speculative decoding of the whole call: several tokens guessed, and checked in one pass (paper, section 7)."""

from engine.attempt import attempt
from engine.commands import Phase
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


def speculative(request: Request) -> Schedule:
    """As `constrained`, with up to `request.draft_tokens` tokens guessed behind the last one and checked with it.

    As in the paper nothing jumps forward: tokens that the schema fixes are guessed and checked like all others, so that
    what is gained over `constrained` is what speculation gains. Guesses are drawn without the schema; one that it
    refuses ends the draft. Passes: one per token that no guess foresaw.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    if not trunk.is_pending:
        take(trunk, constraint, constraint.forced()[0])
    draft = prompt_lookup(request.prompt)
    while not (constraint.is_finished or is_cut(request, trunk)):
        room = request.max_call_tokens - len(trunk.call_tokens) - 1
        tried = attempt(constraint, draft(trunk.call_tokens, request.draft_tokens), room, reads_forced=True)
        yield from check_attempt(request, trunk, constraint, tried, Phase.VERIFY if tried.tokens else Phase.SERIAL)
    call = call_so_far(request, trunk, chosen_tool(request, constraint), constraint.is_finished)
    return (yield from hand_over(trunk, call))
