"""Jump-forward decoding: skip the tokens that the schema fixes where the decoder meets them (paper, section 7)."""

from engine.commands import Phase
from engine.request import Request
from engine.schedules.serial import (
    Schedule,
    call_so_far,
    chosen_tool,
    decode_jumping,
    hand_over,
    start_trunk,
    take_forced,
)


def jump_forward(request: Request) -> Schedule:
    """Decode the call serially; forced tokens are prefilled together with the pick before them.

    Passes: one per pick, plus one to write the end of the call once it is out. Returns what `constrained` returns: both
    take the same picks from the same tokens.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)

    def is_done() -> bool:
        return constraint.is_finished

    take_forced(request, trunk, constraint, is_done)
    yield from decode_jumping(request, trunk, constraint, is_done, Phase.JUMP)
    call = call_so_far(request, trunk, chosen_tool(request, constraint), constraint.is_finished)
    return (yield from hand_over(trunk, call))
