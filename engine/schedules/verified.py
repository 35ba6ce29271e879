"""Parallel values as a draft, the write-back as their check: the call is the one that serial decoding writes."""

from engine.request import Request
from engine.schedules.checked_call import check_and_finish
from engine.schedules.parallel_values import choose_tool, decode_side_by_side, decode_values
from engine.schedules.serial import Schedule, call_so_far, hand_over, start_trunk


def verified(request: Request) -> Schedule:
    """Decode the required values side by side, then let one pass over the assembled call say whether they stand.

    Each token that is not forced is checked by the pick before it. Where one differs, the agreed prefix and the pick
    stay, decoding goes on along the trunk, and what branches decoded for later arguments is drafted again. A read-only
    tool starts on the values before the check; the call that is returned is what `jump_forward` returns. Passes: as the
    paper's schedule where all values stand; each value that does not costs its own picks more.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint)
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))
    values = yield from decode_values(request, trunk, constraint, tool, decode_side_by_side, keeps_picks=True)
    return (yield from check_and_finish(request, trunk, tool, values))
