"""What the schedules that check their own drafts share: values side by side, and the write-back as their check."""

from collections.abc import Sequence

from engine.call_text import call_with_required
from engine.commands import Emit, Phase, Status
from engine.drafts import Drafter, ValueDrafts, first_draft
from engine.request import Request
from engine.schedules.parallel_values import Values
from engine.schedules.serial import Schedule, call_so_far, decode_checked, hand_over
from engine.tools import Tool
from engine.trunk import Trunk


def check_and_finish(
    request: Request, trunk: Trunk, tool: Tool, values: Values, others: Sequence[Drafter] = ()
) -> Schedule:
    """Hand a read-only tool the values, then let picks along the whole call say whether they stand."""
    toolset, provisional = request.toolset, None
    if tool.read_only and values.has_all(tool.required):
        provisional = call_with_required(tool, toolset.call_format, values.finished)
        yield Emit(provisional, Status.PROVISIONAL)
    constraint = toolset.call_constraint()
    constraint.advance_all(trunk.call_tokens)
    drafts = ValueDrafts(tool, toolset.call_format, toolset.vocabulary, values.finished, values.starts)

    def is_done() -> bool:
        return constraint.is_finished

    draft = first_draft(drafts, *others)
    yield from decode_checked(request, trunk, constraint, is_done, Phase.VERIFY, draft, Phase.WRITE_BACK)
    call = call_so_far(request, trunk, tool, constraint.is_finished)
    return (yield from hand_over(trunk, call, provisional))
