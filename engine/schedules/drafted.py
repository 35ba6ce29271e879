"""`branched`, with drafts of the user's own words in the rows that other schedules pad."""

from engine.request import Request
from engine.schedules.checked_call import check_and_finish
from engine.schedules.parallel_values import choose_tool, decode_values, decode_with_drafts
from engine.schedules.serial import Schedule, call_so_far, hand_over, start_trunk
from engine.word_drafts import WordDrafts


def drafted(request: Request) -> Schedule:
    """As `branched`; rows that a tile has to give away carry words of the request that may go on a value.

    Each such row is checked by the pick of the row before it, so that a wrong draft costs nothing that padding did not.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint)
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))
    words = WordDrafts(tool, request.toolset.call_format, request.toolset.vocabulary, request.said)
    values = yield from decode_values(
        request, trunk, constraint, tool, decode_with_drafts(words), tool.optional, keeps_picks=True
    )
    return (yield from check_and_finish(request, trunk, tool, values, [words]))
