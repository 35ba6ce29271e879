"""`verified`, with the values of optional arguments decoded beside the required ones, as drafts."""

from engine.forecast import most_side_by_side
from engine.request import Request
from engine.schedules.checked_call import check_and_finish
from engine.schedules.parallel_values import advance_together, choose_tool, decode_values, side_by_side
from engine.schedules.serial import Schedule, call_so_far, hand_over, start_trunk


def branched(request: Request) -> Schedule:
    """As `verified`; branches of the optional arguments ride along until the required values have ended.

    Which of them the call has is decided behind the required values, as ever. One that is chosen has its value drafted,
    so that its key, its value and the next decision are one checked pass.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint)
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))
    advance = side_by_side(advance_together, most_side_by_side(tool))
    values = yield from decode_values(request, trunk, constraint, tool, advance, tool.optional, keeps_picks=True)
    return (yield from check_and_finish(request, trunk, tool, values))
