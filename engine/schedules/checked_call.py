"""What the schedules that check their own drafts share: values side by side, and the write-back as their check."""

from collections.abc import Mapping, Sequence

from engine.call_text import call_with_required
from engine.commands import Emit, Phase, Status
from engine.drafts import Drafter, ValueDrafts, first_draft
from engine.request import Request
from engine.schedules.parallel_values import Values
from engine.schedules.serial import (
    Schedule,
    call_so_far,
    decode_checked,
    finished_values,
    hand_over,
    is_cut,
    take_forced,
)
from engine.tools import Tool
from engine.trunk import Trunk


def check_and_finish(
    request: Request, trunk: Trunk, tool: Tool, values: Values, others: Sequence[Drafter] = ()
) -> Schedule:
    """Let picks along the whole call say which values stand; hand a read-only tool the required ones before.

    Nothing goes out before the final call where no pick is left to say anything.
    """
    toolset = request.toolset
    constraint = toolset.call_constraint()
    constraint.advance_all(trunk.call_tokens)
    decoded = ValueDrafts(tool, toolset.call_format, toolset.vocabulary, values.finished, values.starts)
    draft = first_draft(*([decoded] if values.finished or values.starts else []), *others)
    first_phase = Phase.WRITE_BACK if values.finished else None

    def is_done() -> bool:
        return constraint.is_finished

    def has_required() -> bool:
        return is_done() or len(finished_values(request, trunk, tool)) >= len(tool.required)

    provisional = None
    if tool.read_only:
        required: Mapping[str, str] = values.finished
        if not values.has_all(tool.required):
            yield from decode_checked(request, trunk, constraint, has_required, Phase.JUMP, draft, first_phase)
            required, first_phase = finished_values(request, trunk, tool), None
        take_forced(request, trunk, constraint, is_done)
        if len(required) >= len(tool.required) and not (is_done() or is_cut(request, trunk)):
            provisional = call_with_required(tool, toolset.call_format, required)
            yield Emit(provisional, Status.PROVISIONAL)
    yield from decode_checked(request, trunk, constraint, is_done, Phase.VERIFY, draft, first_phase)
    call = call_so_far(request, trunk, tool, constraint.is_finished)
    return (yield from hand_over(trunk, call, provisional))
