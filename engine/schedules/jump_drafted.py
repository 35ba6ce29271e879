"""Jump-forward with checked drafts: no skeleton and no write-back."""

from engine.commands import Phase
from engine.request import Request
from engine.request_drafts import request_drafts
from engine.schedules.parallel_values import choose_tool
from engine.schedules.serial import Schedule, call_so_far, decode_checked, hand_over, start_trunk
from engine.tool_guesses import ToolGuesses


def jump_drafted(request: Request) -> Schedule:
    """As `jump_forward`; the rows that a pass's tile has to give away carry what the request lets expect.

    Passes: one per pick that no draft foresaw, plus one to write the end of the call once it is out.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint, ToolGuesses(request.toolset, request.said))

    def is_done() -> bool:
        return constraint.is_finished

    if tool is not None:
        drafts = request_drafts(request, tool)
        yield from decode_checked(request, trunk, constraint, is_done, Phase.JUMP, drafts)
    call = call_so_far(request, trunk, tool, constraint.is_finished)
    return (yield from hand_over(trunk, call))
