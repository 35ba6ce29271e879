"""Values decoded beside each other: the tool's name, the skeleton, and one token of each value per pass (section 4)."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from engine.attempt import Attempt
from engine.backend import Readout
from engine.branch import Branch
from engine.commands import TRUNK, Command, Drop, Fork, Pass, Phase, Row, Trim
from engine.constraint import CallConstraint
from engine.drafts import NOTHING, Drafter
from engine.request import Request
from engine.schedules.room import fitting, make_room, skeleton_size
from engine.schedules.serial import (
    Steps,
    chosen_tool,
    decode_checked,
    decode_jumping,
    finish_prompt,
    scratch_rows,
    take_forced,
    worth_trying,
)
from engine.skeleton import lay_out
from engine.tools import Tool
from engine.trunk import Trunk

Advance = Callable[[Request, Trunk, Sequence[Branch], Sequence[Branch]], Steps]
"""How branches are decoded: those whose values are wanted, and those that ride along."""

OnePass = Callable[[Request, Trunk, Sequence[Branch], int, int], Steps]
"""One pass in which branches get on, given a sequence that may be written to, and how many rows may be added."""


@dataclass(frozen=True, slots=True)
class Values:
    """What branches decoded, as texts by argument: values that have ended, and starts of others.

    `is_cut` says that a wanted value would take the call past its limit.
    """

    finished: dict[str, str] = field(default_factory=dict)
    starts: dict[str, str] = field(default_factory=dict)
    is_cut: bool = False

    def has_all(self, arguments: Sequence[str]) -> bool:
        return all(name in self.finished for name in arguments)


def choose_tool(
    request: Request, trunk: Trunk, constraint: CallConstraint, draft: Drafter | None = None
) -> Generator[Command, Readout, Tool | None]:
    """Decode up to where one tool is left; no pass at all where only one is offered. `draft` may guess it."""

    def is_chosen() -> bool:
        return constraint.chosen is not None

    take_forced(request, trunk, constraint, is_chosen)
    if draft is None:
        yield from decode_jumping(request, trunk, constraint, is_chosen, Phase.NAME)
    else:
        yield from decode_checked(request, trunk, constraint, is_chosen, Phase.NAME, draft)
    return chosen_tool(request, constraint)


def decode_values(
    request: Request,
    trunk: Trunk,
    constraint: CallConstraint,
    tool: Tool,
    advance: Advance,
    riders: Sequence[str] = (),
    keeps_picks: bool = False,
    first_on_trunk: bool = False,
) -> Generator[Command, Readout, Values]:
    """The values of the required arguments, and of `riders` as far as they get in the same passes.

    None at all where the context lacks sequences, cells, rows or picks for the required ones, where one of their leads
    reaches the call's limit, or spells a token otherwise that is in memory; where cells run out on the way, values are
    left where they stand. Leaves the head on the trunk and no branch.
    With `keeps_picks` the trunk keeps all that was picked on it, also a token that reaches into one lead alone. With
    `first_on_trunk`, which needs a memory that takes back, the first value is decoded there, as in its branch.
    `constraint` stays behind what the trunk had before.
    """
    if not tool.required or len(tool.required) > request.max_branches:
        return Values()
    arguments = (*tool.required, *riders)[: request.max_branches]
    skeleton = lay_out(request, tool, constraint, trunk.call_tokens, arguments, first_on_trunk)
    wanted = skeleton.branches[: len(tool.required)]
    if any(branch.is_cut for branch in wanted):
        return Values(is_cut=True)
    end = len(trunk.tokens) - skeleton.own_tokens + len(skeleton.head)
    if end < trunk.in_memory:
        return Values()
    yield from _finish_prompt(request, trunk, end, skeleton.branches)
    branches = fitting(request, trunk, end - trunk.in_memory, skeleton.branches, len(wanted))
    if not branches:
        return Values()
    if not keeps_picks:
        trunk.give_back(skeleton.own_tokens)
    trunk.take(skeleton.head)
    yield from prefill_skeleton(request, trunk, end - trunk.in_memory, branches)
    yield from advance(request, trunk, wanted, branches[len(wanted) :])
    for branch in branches:
        if branch.sequence != TRUNK and not branch.is_given_up:
            yield Drop(branch.sequence)
    if first_on_trunk:
        trunk.follow(wanted[0].tokens, wanted[0].in_memory)
    return Values(
        {branch.argument: branch.value for branch in branches if branch.value is not None},
        {branch.argument: branch.text for branch in branches if branch.value is None},
        any(branch.is_cut for branch in wanted),
    )


def _finish_prompt(request: Request, trunk: Trunk, head_end: int, branches: Sequence[Branch]) -> Steps:
    """Bring in what is left of the prompt, or leave it to the pass over the head, which ends at `head_end`."""
    head_rows = head_end - max(trunk.in_memory, trunk.prompt_tokens)
    rows, picks = skeleton_size(branches) if request.capabilities.shares_rows else (0, 0)
    yield from finish_prompt(request, trunk, head_rows + rows, picks)


def prefill_skeleton(request: Request, trunk: Trunk, head_tokens: int, branches: Sequence[Branch]) -> Steps:
    """Fork `branches`, and one pass over the head, the next `head_tokens` of the trunk, and each lead with its guess.

    Each value's first token comes out of it. Sequences that share no rows take the head in a pass before the fork.
    """
    if head_tokens and not request.capabilities.shares_rows:
        yield Pass(Phase.SKELETON, trunk.rows(pick=False, most=head_tokens))
        head_tokens = 0
    forked = tuple(branch.sequence for branch in branches if branch.sequence != TRUNK)
    if forked:
        yield Fork(TRUNK, forked)
    sequences = dict.fromkeys((TRUNK, *(branch.sequence for branch in branches)))
    rows = list(trunk.rows(pick=False, sequences=tuple(sequences), most=head_tokens))
    first_rows: list[int] = []
    for branch in branches:
        lead_rows = branch.skeleton_rows(trunk.prompt_tokens)
        rows += lead_rows
        first_rows.append(len(rows) - 1 - len(branch.guess))
    readout = yield Pass(Phase.SKELETON, tuple(rows))
    for branch, row in zip(branches, first_rows, strict=True):
        if branch.is_finished or branch.check_guess(readout, row, request.capabilities.takes_back):
            continue
        if request.capabilities.takes_back:
            yield Trim(branch.sequence, trunk.prompt_tokens + branch.in_memory)
        else:
            yield Drop(branch.sequence)
            yield Fork(TRUNK, (branch.sequence,))


def side_by_side(one_pass: OnePass, most_passes: int | None = None, leaves_last: bool = False) -> Advance:
    """Every unfinished value gets on in each pass, until the wanted ones have ended or one reaches the limit.

    After `most_passes` values are left where they stand, for the trunk to go on with: one that will not end may not
    stand either. With `leaves_last` so is the last of several: alone it gains nothing from a branch.
    """

    def decode(request: Request, trunk: Trunk, wanted: Sequence[Branch], riding: Sequence[Branch]) -> Steps:
        passes = 0
        while unfinished := [branch for branch in wanted if not branch.is_finished]:
            is_last = leaves_last and len(unfinished) == 1 < len(wanted)
            if is_last or passes == most_passes or any(branch.is_cut for branch in unfinished):
                break
            free = yield from make_room(request, trunk, wanted, riding)
            if free < 0:
                break
            along = [branch for branch in riding if not (branch.is_finished or branch.is_cut)]
            passes += 1
            yield from one_pass(request, trunk, [*unfinished, *along], len(wanted) + len(riding) + 1, free)

    return decode


def with_drafts(draft: Drafter) -> OnePass:
    """As `advance_together`; what a pass has to give away carries what `draft` expects of the values."""

    def one_pass(request: Request, trunk: Trunk, branches: Sequence[Branch], scratch: int, most_free: int) -> Steps:
        yield from advance_drafted(request, trunk, branches, draft, scratch, most_free)

    return one_pass


def advance_drafted(
    request: Request, trunk: Trunk, branches: Sequence[Branch], draft: Drafter, scratch: int, most_free: int
) -> Steps:
    """One pass with the next token of each of `branches`, drafts in the rows that it has to give away, and padding.

    Drafts and padding take at most `most_free` rows.
    """
    free, width = most_free, sum(branch.waiting_tokens for branch in branches)
    rows: list[Row] = []
    tries: list[tuple[Branch, Attempt, int]] = []
    for branch in branches:
        rows += branch.value_rows(trunk.prompt_tokens)
        expected = branch.expected(draft) if request.capabilities.takes_back else NOTHING
        tried = branch.attempt(worth_trying(request, expected, width, len(trunk.tokens))[:free])
        tries.append((branch, tried, len(rows) - 1))
        rows += branch.draft_rows(tried, trunk.prompt_tokens)
        free -= len(tried.tokens)
        width += len(tried.tokens)
    padding = scratch_rows(min(request.widths.padding(len(rows), len(trunk.tokens)), free), scratch, trunk.tokens[-1])
    readout = yield Pass(Phase.VALUES, (*rows, *padding))
    if padding:
        yield Drop(scratch)
    for branch, tried, row in tries:
        if not branch.check(tried, readout, row):
            yield Trim(branch.sequence, trunk.prompt_tokens + branch.in_memory)


def decode_one_by_one(request: Request, trunk: Trunk, wanted: Sequence[Branch], riding: Sequence[Branch]) -> Steps:
    """One token of one value per pass, the values in their order."""
    for branch in wanted:
        while not branch.is_finished and not branch.is_cut:
            free = yield from make_room(request, trunk, wanted, riding)
            if free < 0:
                return
            yield from advance_together(request, trunk, [branch], len(wanted) + len(riding) + 1, free)


def advance_together(request: Request, trunk: Trunk, branches: Sequence[Branch], scratch: int, most_free: int) -> Steps:
    """One pass with the next token of each of `branches`, filled up to whole tiles by at most `most_free` rows."""
    rows: list[Row] = []
    last_rows: list[int] = []
    for branch in branches:
        rows += branch.value_rows(trunk.prompt_tokens)
        last_rows.append(len(rows) - 1)
    missing = min(request.widths.padding(len(rows), len(trunk.tokens)), most_free)
    padding = scratch_rows(missing, scratch, trunk.tokens[-1])
    readout = yield Pass(Phase.VALUES, (*rows, *padding))
    for branch, row in zip(branches, last_rows, strict=True):
        branch.pick(readout, row)
    if padding:
        yield Drop(scratch)


decode_side_by_side = side_by_side(advance_together)
"""One token of every unfinished value per pass, until the wanted ones have ended or one reaches the limit."""
