"""Constrained decoding: the baseline, one token per pass (paper, section 7)."""

from engine.commands import Pass, Phase
from engine.request import Request
from engine.schedules.serial import LAST, Schedule, call_so_far, chosen_tool, hand_over, is_cut, start_trunk, take


def constrained(request: Request) -> Schedule:
    """Decode every token of the call in a pass of its own, the best that the schema allows.

    Passes: one per token of the call. The call goes out when its last token is decided.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    if not trunk.is_pending:
        take(trunk, constraint, constraint.forced()[0])
    while not (constraint.is_finished or is_cut(request, trunk)):
        readout = yield Pass(Phase.SERIAL, trunk.rows(pick=True))
        take(trunk, constraint, readout.pick(LAST, constraint))
    call = call_so_far(request, trunk, chosen_tool(request, constraint), constraint.is_finished)
    return (yield from hand_over(trunk, call))
