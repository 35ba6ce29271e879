"""The schedule that suits the device: what is decoded beside what follows from the prices of its passes."""

from dataclasses import replace

from engine.forecast import branches_pay, most_side_by_side
from engine.request import Request
from engine.request_drafts import request_drafts
from engine.schedules.checked_call import check_and_finish
from engine.schedules.parallel_values import Values, choose_tool, decode_values, side_by_side, with_drafts
from engine.schedules.serial import Schedule, call_so_far, finish_prompt, hand_over, start_trunk
from engine.schedules.verified import verified
from engine.tool_guesses import ToolGuesses


def auto(request: Request) -> Schedule:
    """Decode values side by side where that is predicted to pay, with passes as wide as is cheapest; check them all.

    Without prices this is `verified`. With them, the first value is decoded on the trunk, where it has to stand, the
    others in branches, until one is left; where one value after the other is cheaper, all on the trunk. Each pass
    carries as much of what the request lets expect (the tool, values, the next argument) as saves more than it costs,
    and padding where a wider pass is cheaper. Where one tool alone is offered, the prompt's last pass carries the start
    of its call, if that is not dearer. A read-only tool starts as soon as the required values are there; the call that
    is returned is what `jump_forward` returns.
    """
    if request.prices is None:
        return (yield from verified(request))
    request = replace(request, prices_decide=True)
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint, leaves_last=True)
    tool = yield from choose_tool(request, trunk, constraint, ToolGuesses(request.toolset, request.said))
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))
    drafts = request_drafts(request, tool)
    values = Values()
    if request.capabilities.takes_back and branches_pay(request, tool, len(trunk.tokens)):
        advance = side_by_side(with_drafts(drafts), most_side_by_side(tool), leaves_last=not tool.read_only)
        values = yield from decode_values(
            request, trunk, constraint, tool, advance, keeps_picks=True, first_on_trunk=True
        )
    first_rows = len(trunk.call_tokens) + len(constraint.forced())
    yield from finish_prompt(request, trunk, first_rows, picks=1)
    return (yield from check_and_finish(request, trunk, tool, values, [drafts]))
