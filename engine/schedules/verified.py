"""Parallel values as a draft, the write-back as their check: the call is the one that serial decoding writes."""

from engine.forecast import most_side_by_side
from engine.request import Request
from engine.schedules.checked_call import check_and_finish
from engine.schedules.parallel_values import advance_together, choose_tool, decode_values, side_by_side
from engine.schedules.serial import Schedule, call_so_far, hand_over, start_trunk


def verified(request: Request) -> Schedule:
    """Decode the required values side by side, then let one pass over the assembled call say whether they stand.

    Each token that is not forced is checked by the pick before it. Where one differs, the agreed prefix and the pick
    stay, decoding goes on along the trunk, and what branches decoded for later arguments is drafted again. Values that
    run on far past what is usual for their types are left to the trunk as they are. A read-only
    tool starts on the values before the check; the call that is returned is what `jump_forward` returns. Passes: as the
    paper's schedule where all values stand; each value that does not costs its own picks more.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint)
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))
    advance = side_by_side(advance_together, most_side_by_side(tool))
    values = yield from decode_values(request, trunk, constraint, tool, advance, keeps_picks=True)
    return (yield from check_and_finish(request, trunk, tool, values))
