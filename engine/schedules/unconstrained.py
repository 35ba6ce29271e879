"""Decoding without a grammar (paper, section 7): what the model writes by itself."""

from engine.commands import Pass, Phase
from engine.free_text import FreeText
from engine.loose_call import read_loosely
from engine.request import Request
from engine.schedules.serial import LAST, Schedule, hand_over, is_cut, start_trunk, take


def unconstrained(request: Request) -> Schedule:
    """Decode one token per pass, whichever the model likes best, until its text has a whole call or ends.

    Only the call's first token is given, so that the model calls at all. A text that is no call of an offered tool
    comes back incomplete. Passes: one per token.
    """
    toolset = request.toolset
    constraint = toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    if not trunk.is_pending:
        take(trunk, constraint, constraint.forced()[0])
    free = FreeText(toolset.vocabulary)
    call = read_loosely(b"", toolset.tools, toolset.call_format)
    while not (call.is_complete or free.is_finished or is_cut(request, trunk)):
        readout = yield Pass(Phase.SERIAL, trunk.rows(pick=True))
        token = readout.pick(LAST, free)
        free.advance(token)
        trunk.take([token])
        call = read_loosely(toolset.vocabulary.decode(trunk.call_tokens), toolset.tools, toolset.call_format)
    return (yield from hand_over(trunk, call))
