"""The paper's schedule: skeleton, parallel values, provisional call, write-back, optional arguments (sections 4, 5)."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace

from engine.backend import Readout
from engine.call_text import call_with_required
from engine.commands import Command, Emit, Phase, Status
from engine.request import Request
from engine.schedules.checked_call import check_and_finish
from engine.schedules.parallel_values import Advance, choose_tool, decode_side_by_side, decode_values
from engine.schedules.serial import (
    Schedule,
    call_so_far,
    decode_jumping,
    hand_over,
    is_cut,
    start_trunk,
    take_forced,
)
from engine.tools import Tool
from engine.trunk import Trunk


def schemaweaver(request: Request) -> Schedule:
    """Prefill what the schema fixes, decode the required values side by side, then the optional ones serially.

    A tool without optional arguments gets its final call before the write-back, a read-only one with optional arguments
    a provisional call. Passes: those of the name, the skeleton's, max |v| - 1 for the values, and the write-back's;
    |v| counts the picks of one value that no guess stood for. The first of them comes out of the skeleton pass; tokens
    that a value's schema forces ride along. Optional arguments cost one pass per pick. A memory whose sequences share
    no rows takes the head in a skeleton pass of its own. Where the context lacks sequences or cells for the values,
    those that have not ended are decoded serially, and all are checked.
    """
    return decode_as_the_paper(request, decode_side_by_side)


ArgumentSet = Callable[[Request, Trunk, Tool], Generator[Command, Readout, tuple[str, ...]]]
"""Which arguments of a tool the call is to have, where that is settled before their values are."""


def decode_as_the_paper(request: Request, advance: Advance, settle: ArgumentSet | None = None) -> Schedule:
    """The paper's schedule and its variants: how values are decoded, and what settles the set of arguments first."""
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint)
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))
    if settle is not None:
        tool = tool.with_arguments((yield from settle(request, trunk, tool)))
        request = replace(request, toolset=request.toolset.alone(tool))
    values = yield from decode_values(request, trunk, constraint, tool, advance)
    if values.is_cut:
        return (yield from hand_over(trunk, call_so_far(request, trunk, tool, is_finished=False)))
    if not values.has_all(tool.required):
        return (yield from check_and_finish(request, trunk, tool, values))
    return (yield from write_back_and_finish(request, trunk, tool, values.finished))


def write_back_and_finish(request: Request, trunk: Trunk, tool: Tool, values: Mapping[str, str]) -> Schedule:
    """Write the assembled call to the trunk in one pass, then decide the optional arguments with jump-forward."""
    call_format = request.toolset.call_format
    rest = request.toolset.rest_constraint(tool, values)
    rest.advance_all(trunk.call_tokens)

    def is_done() -> bool:
        return rest.is_finished

    take_forced(request, trunk, rest, is_done)
    provisional = None
    if not rest.is_finished:
        if tool.read_only and not is_cut(request, trunk):
            provisional = call_with_required(tool, call_format, values)
            yield Emit(provisional, Status.PROVISIONAL)
        first_phase = Phase.WRITE_BACK if values else Phase.SKELETON
        yield from decode_jumping(request, trunk, rest, is_done, Phase.OPTIONAL, first_phase)
    call = call_so_far(request, trunk, tool, rest.is_finished)
    return (yield from hand_over(trunk, call, provisional))
