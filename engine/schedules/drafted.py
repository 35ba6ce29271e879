"""`branched`, with drafts out of the user's own words in the rows that other schedules pad."""

from engine.forecast import most_side_by_side
from engine.request import Request
from engine.request_drafts import request_drafts
from engine.schedules.checked_call import check_and_finish
from engine.schedules.parallel_values import choose_tool, decode_values, side_by_side, with_drafts
from engine.schedules.serial import Schedule, call_so_far, hand_over, start_trunk
from engine.tool_guesses import ToolGuesses


def drafted(request: Request) -> Schedule:
    """As `branched`; rows that a tile has to give away carry what the request lets expect.

    Each such row is checked by the pick of the row before it, so that a wrong draft costs nothing that padding did not.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint, ToolGuesses(request.toolset, request.said))
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))
    drafts = request_drafts(request, tool)
    advance = side_by_side(with_drafts(drafts), most_side_by_side(tool))
    values = yield from decode_values(request, trunk, constraint, tool, advance, tool.optional, keeps_picks=True)
    return (yield from check_and_finish(request, trunk, tool, values, [drafts]))
