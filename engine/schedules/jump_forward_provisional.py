"""Jump-forward decoding that hands a read-only tool its required arguments early (paper, Table 7)."""

from engine.call_text import call_with_required
from engine.commands import Emit, Phase, Status
from engine.request import Request
from engine.schedules.parallel_values import choose_tool
from engine.schedules.serial import (
    Schedule,
    call_so_far,
    decode_jumping,
    finished_values,
    hand_over,
    is_cut,
    start_trunk,
    take_forced,
)


def jump_forward_provisional(request: Request) -> Schedule:
    """As `jump_forward`; once the required values are there, a provisional call goes out while the rest is decoded.

    A call of which nothing is left to decide then goes out as the final one.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint)
    provisional = None
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))

    def is_done() -> bool:
        return constraint.is_finished

    def has_required() -> bool:
        return is_done() or len(finished_values(request, trunk, tool)) >= len(tool.required)

    take_forced(request, trunk, constraint, has_required)
    yield from decode_jumping(request, trunk, constraint, has_required, Phase.JUMP)
    take_forced(request, trunk, constraint, is_done)
    if tool.read_only and has_required() and not (is_done() or is_cut(request, trunk)):
        values = finished_values(request, trunk, tool)
        provisional = call_with_required(tool, request.toolset.call_format, values)
        yield Emit(provisional, Status.PROVISIONAL)
    yield from decode_jumping(request, trunk, constraint, is_done, Phase.OPTIONAL)
    call = call_so_far(request, trunk, tool, constraint.is_finished)
    return (yield from hand_over(trunk, call, provisional))
