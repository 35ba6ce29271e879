"""The paper's schedule: skeleton, parallel values, provisional call, write-back, optional arguments (sections 4, 5)."""

from collections.abc import Generator, Sequence

from engine.backend import Readout
from engine.branch import Branch
from engine.call_text import call_with_required
from engine.commands import TRUNK, Command, Drop, Emit, Fork, Pass, Phase, Row, Status
from engine.constraint import CallConstraint
from engine.request import Request
from engine.schedules.serial import (
    Schedule,
    Steps,
    call_so_far,
    chosen_tool,
    decode_jumping,
    hand_over,
    is_cut,
    start_trunk,
    take_forced,
)
from engine.skeleton import lay_out
from engine.tools import Tool
from engine.trunk import Trunk


def schemaweaver(request: Request) -> Schedule:
    """Prefill what the schema fixes, decode the required values side by side, then the optional ones serially.

    A tool without optional arguments gets its final call before the write-back, a read-only one with optional arguments
    a provisional call. Passes: those of the name, the skeleton's, max |v| - 1 for the values, and the write-back's;
    |v| counts the picks of one value that no guess stood for. The first of them comes out of the skeleton pass; tokens
    that a value's schema forces ride along. Optional arguments cost one pass per pick. A memory whose sequences share
    no rows takes the head in a skeleton pass of its own.
    """
    constraint = request.toolset.call_constraint()
    trunk = yield from start_trunk(request, constraint)
    tool = yield from choose_tool(request, trunk, constraint)
    if tool is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, None, is_finished=False)))
    values = yield from decode_values(request, trunk, constraint, tool)
    if values is None:
        return (yield from hand_over(trunk, call_so_far(request, trunk, tool, is_finished=False)))
    return (yield from write_back_and_finish(request, trunk, tool, values))


def choose_tool(request: Request, trunk: Trunk, constraint: CallConstraint) -> Generator[Command, Readout, Tool | None]:
    """Decode up to where one tool is left; no pass at all where only one is offered."""

    def is_chosen() -> bool:
        return constraint.chosen is not None

    take_forced(request, trunk, constraint, is_chosen)
    yield from decode_jumping(request, trunk, constraint, is_chosen, Phase.NAME)
    return chosen_tool(request, constraint)


def decode_values(
    request: Request, trunk: Trunk, constraint: CallConstraint, tool: Tool
) -> Generator[Command, Readout, dict[str, str] | None]:
    """The required values as JSON texts by name, decoded in parallel; None if one was cut.

    Leaves the head on the trunk and no branch.
    """
    if not tool.required:
        return {}
    skeleton = lay_out(request, tool, constraint, trunk.call_tokens)
    branches = skeleton.branches
    if any(branch.is_cut for branch in branches):
        return None
    trunk.give_back(skeleton.given_back)
    trunk.take(skeleton.head)
    if trunk.is_pending and not request.capabilities.shares_rows:
        yield Pass(Phase.SKELETON, trunk.rows(pick=False))
    yield Fork(TRUNK, tuple(branch.sequence for branch in branches))
    yield from prefill_skeleton(trunk, branches)
    yield from decode_side_by_side(request, trunk, branches)
    for branch in branches:
        yield Drop(branch.sequence)
    return (
        {b.argument: b.value for b in branches if b.value is not None} if all(b.is_finished for b in branches) else None
    )


def prefill_skeleton(trunk: Trunk, branches: Sequence[Branch]) -> Steps:
    """One pass over the shared head and every lead with its guess; each value's first token comes out of it."""
    rows = list(trunk.rows(pick=False, sequences=(TRUNK, *(branch.sequence for branch in branches))))
    first_rows: list[int] = []
    for branch in branches:
        lead_rows = branch.skeleton_rows(trunk.prompt_tokens)
        rows += lead_rows
        first_rows.append(len(rows) - 1 - len(branch.guess))
    readout = yield Pass(Phase.SKELETON, tuple(rows))
    for branch, row in zip(branches, first_rows, strict=True):
        if not branch.is_finished and not branch.check_guess(readout, row):
            yield Drop(branch.sequence)
            yield Fork(TRUNK, (branch.sequence,))


def decode_side_by_side(request: Request, trunk: Trunk, branches: Sequence[Branch]) -> Steps:
    """One token of every unfinished value per pass, until all have ended or one reaches the limit."""
    scratch = len(branches) + 1
    while unfinished := [branch for branch in branches if not branch.is_finished]:
        if any(branch.is_cut for branch in unfinished):
            break
        rows: list[Row] = []
        last_rows: list[int] = []
        for branch in unfinished:
            rows += branch.value_rows(trunk.prompt_tokens)
            last_rows.append(len(rows) - 1)
        padding = padding_rows(len(rows), request.tile_rows, scratch, trunk.tokens[-1])
        readout = yield Pass(Phase.VALUES, (*rows, *padding))
        for branch, row in zip(unfinished, last_rows, strict=True):
            branch.pick(readout, row)
        if padding:
            yield Drop(scratch)


def write_back_and_finish(request: Request, trunk: Trunk, tool: Tool, values: dict[str, str]) -> Schedule:
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


def padding_rows(width: int, tile_rows: int, sequence: int, token: int) -> tuple[Row, ...]:
    """Rows that fill a pass of `width` up to whole tiles, in a scratch sequence that nothing else sees.

    The sequence starts over with each pass, so that it takes no more cells than that. A tile with one row alone stays
    as it is: it is cheaper than a full one (paper, section 4.2 and Table 2).
    """
    missing = -width % tile_rows
    return () if missing == tile_rows - 1 else tuple(Row(token, i, (sequence,)) for i in range(missing))
