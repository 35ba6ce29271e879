"""What the schedules share: bringing the prompt in, decoding on along the trunk, and handing the call over."""

from collections.abc import Callable, Generator, Mapping, Sequence

from engine.attempt import Attempt, attempt
from engine.backend import Readout
from engine.boundary import common_length
from engine.call_text import cut_call, read_call, read_written
from engine.calls import ToolCall
from engine.commands import TRUNK, Command, Drop, Emit, Fork, Pass, Phase, Row, Status, Trim
from engine.constraint import CallConstraint, Constraint
from engine.drafts import Drafter, Expected
from engine.errors import InputError
from engine.request import Request
from engine.tools import Tool
from engine.trunk import Trunk

Schedule = Generator[Command, Readout, ToolCall]
"""Yields commands, is sent a readout for each pass, and returns the call that it emitted last."""

Steps = Generator[Command, Readout, None]
"""A part of a schedule."""

LAST = -1
"""The last row of a pass."""

_BESIDE = 1
"""The sequence beside the trunk: for drafts that the trunk could not take back, or for rows that only fill a pass."""

_TIMES = 2

_LONGER = 8
"""Tokens of a draft that are tried although nothing of the last one stood."""


def start_trunk(
    request: Request, constraint: Constraint, leaves_last: bool = False
) -> Generator[Command, Readout, Trunk]:
    """A trunk that holds the prompt, and the call's first token where the format leaves it to a pick.

    That pick comes out of the prompt's last row. Raises InputError where it is needed and the whole prompt is reused.
    With `leaves_last` the prompt's last pass is left for `finish_prompt` where nothing is to be decided behind it: one
    tool alone is offered, and its call starts with fixed text.
    """
    trunk = Trunk(request.prompt, request.reused_tokens)
    is_open = not constraint.forced()
    if is_open and not trunk.is_pending:
        raise InputError("the call's first token has to be picked behind the prompt: reuse one token less of it")
    leaves_last = leaves_last and not is_open and len(request.toolset.tools) == 1
    for command in trunk.prompt_passes(request.max_rows, picks_last=is_open, leaves_last=leaves_last):
        readout = yield command
    if is_open:
        take(trunk, constraint, readout.pick(LAST, constraint))
    return trunk


def finish_prompt(request: Request, trunk: Trunk, rows: int, picks: int) -> Steps:
    """Bring in what is left of the prompt, unless it can ride along with the next pass, of `rows` others, for less."""
    if trunk.prompt_left and not _rides_along(request, trunk, rows, picks):
        yield Pass(Phase.PROMPT, trunk.rows(pick=False, most=trunk.prompt_left))


def _rides_along(request: Request, trunk: Trunk, rows: int, picks: int) -> bool:
    """Whether one pass over what is left of the prompt and `rows` more is allowed, and no dearer than two."""
    left, prompt, prices = trunk.prompt_left, trunk.prompt_tokens, request.prices
    if prices is None or not 0 < rows <= request.max_rows - left:
        return False
    apart_ms = prices.pass_ms(left, 0, prompt) + prices.pass_ms(rows, picks, prompt + rows)
    return prices.pass_ms(left + rows, picks, prompt + rows) <= apart_ms


def take(trunk: Trunk, constraint: Constraint, token: int) -> None:
    """Decide that `token` comes next."""
    constraint.advance(token)
    trunk.take([token])


def decode_jumping(
    request: Request,
    trunk: Trunk,
    constraint: Constraint,
    until: Callable[[], bool],
    phase: Phase,
    first_phase: Phase | None = None,
) -> Steps:
    """Decode along the trunk until `until()`: one pass per pick, in which the tokens that the pick forces ride along.

    Starts with a pass over what is pending, which may have a phase of its own. What is decided last stays pending.
    """
    pass_phase = first_phase or phase
    while not until() and not is_cut(request, trunk):
        readout = yield Pass(pass_phase, trunk.rows(pick=True))
        take(trunk, constraint, readout.pick(LAST, constraint))
        take_forced(request, trunk, constraint, until)
        pass_phase = phase


def decode_checked(
    request: Request,
    trunk: Trunk,
    constraint: Constraint,
    until: Callable[[], bool],
    phase: Phase,
    draft: Drafter,
    first_phase: Phase | None = None,
) -> Steps:
    """As `decode_jumping`; each pass also runs over what `draft` expects, and keeps what its own picks bear out.

    What is left of the prompt does not count where a draft's length is weighed: it is drafted as if it were in memory.
    """
    take_forced(request, trunk, constraint, until)
    pass_phase = first_phase or phase
    most = request.max_rows
    while not until() and not is_cut(request, trunk):
        waiting = len(trunk.tokens) - trunk.in_memory
        room = min(most, request.draft_room(len(trunk.call_tokens), waiting))
        expected = draft(trunk.call_tokens, constraint)
        needed = waiting - trunk.prompt_left
        tried = attempt(constraint, worth_trying(request, expected, needed, len(trunk.tokens)), room)
        kept = yield from check_attempt(request, trunk, constraint, tried, pass_phase)
        most = _next_most(most, len(tried.tokens), kept)
        take_forced(request, trunk, constraint, until)
        pass_phase = phase


def worth_trying(request: Request, expected: Expected, rows: int, context_tokens: int) -> tuple[int, ...]:
    """As much of what is expected as pays in a pass of `rows` other rows."""
    if not expected.odds:
        return expected.tokens
    return expected.tokens[: request.widths.draft_rows(rows, context_tokens, expected.odds)]


def _next_most(most: int, tried: int, kept: int) -> int:
    """The longest draft to try next: little more than what stood of the last one, until one stands as a whole again."""
    if kept < tried:
        return _LONGER + _TIMES * kept
    return _TIMES * most if tried else most


def check_attempt(
    request: Request, trunk: Trunk, constraint: Constraint, tried: Attempt, phase: Phase
) -> Generator[Command, Readout, int]:
    """One pass over what is pending and a draft behind it; decides what its picks bear out; how many tokens stand.

    A memory that takes nothing back drafts nothing behind the prompt itself, which a wrong draft would take with it.
    """
    if trunk.prompt_left and not request.capabilities.takes_back:
        tried = attempt(constraint, (), room=0, reads_forced=tried.reads_forced)
    if request.capabilities.takes_back or not tried.tokens:
        return (yield from _try_on_trunk(request, trunk, constraint, tried, phase))
    return (yield from _try_aside(trunk, constraint, tried, phase))


def _try_on_trunk(
    request: Request, trunk: Trunk, constraint: Constraint, tried: Attempt, phase: Phase
) -> Generator[Command, Readout, int]:
    """One such pass along the trunk; what is wrong of the draft is cut off."""
    pending = trunk.rows(pick=tried.wants_pick(0))
    rows = (*pending, *trunk.draft_rows(tried))
    padding = scratch_rows(_padding(request, trunk, rows), _BESIDE, trunk.tokens[-1])
    readout = yield Pass(phase, (*rows, *padding))
    if padding:
        yield Drop(_BESIDE)
    agreed = tried.check(readout, len(pending) - 1, constraint)
    kept = common_length((tried.tokens, agreed))
    trunk.take(agreed)
    trunk.in_memory += kept
    if kept < len(tried.tokens):
        yield Trim(TRUNK, trunk.in_memory)
    return kept


def _try_aside(trunk: Trunk, constraint: Constraint, tried: Attempt, phase: Phase) -> Generator[Command, Readout, int]:
    """As `_try_on_trunk`, in a fork that becomes the trunk where the whole draft is right, and is dropped where not."""
    yield Fork(TRUNK, (_BESIDE,))
    aside = trunk.fork(_BESIDE)
    pending = aside.rows(pick=tried.wants_pick(0))
    readout = yield Pass(phase, (*pending, *aside.draft_rows(tried)))
    agreed = tried.check(readout, len(pending) - 1, constraint)
    kept = common_length((tried.tokens, agreed))
    if kept == len(tried.tokens):
        trunk.in_memory = len(trunk.tokens) + len(tried.tokens)
        yield Drop(TRUNK)
        yield Fork(_BESIDE, (TRUNK,))
    trunk.take(agreed)
    yield Drop(_BESIDE)
    return kept


def _padding(request: Request, trunk: Trunk, rows: Sequence[Row]) -> int:
    """Rows that make a pass of `rows` along the trunk cheaper and fit; the paper pads those of the values alone."""
    if not request.prices_decide:
        return 0
    room = min(request.max_rows - len(rows), request.max_cells - rows[-1].position - 1)
    return min(request.widths.padding(len(rows), len(trunk.tokens)), room)


def scratch_rows(count: int, sequence: int, token: int) -> tuple[Row, ...]:
    """Rows that fill a pass, in a scratch sequence that nothing else sees.

    The sequence starts over with each pass, so that it takes no more cells than that.
    """
    return tuple(Row(token, position, (sequence,)) for position in range(count))


def take_forced(request: Request, trunk: Trunk, constraint: Constraint, until: Callable[[], bool]) -> None:
    """Decide all tokens that leave no choice, up to `until()` or the call's limit."""
    while not (until() or is_cut(request, trunk)) and (forced := constraint.forced()):
        take(trunk, constraint, forced[0])


def is_cut(request: Request, trunk: Trunk) -> bool:
    """Whether the call has reached its limit."""
    return len(trunk.tokens) - trunk.prompt_tokens >= request.max_call_tokens


def call_so_far(request: Request, trunk: Trunk, tool: Tool | None, is_finished: bool) -> ToolCall:
    """The call on the trunk: read, or cut where it is not finished."""
    text = request.toolset.vocabulary.decode(trunk.call_tokens)
    if tool is None or not is_finished:
        return cut_call(text.decode(errors="replace"), tool)
    return read_call(text.decode(), tool, request.toolset.call_format)


def finished_values(request: Request, trunk: Trunk, tool: Tool) -> Mapping[str, str]:
    """The texts of the values that have ended on the trunk, by argument."""
    toolset = request.toolset
    return read_written(trunk.call_tokens, tool, toolset.call_format, toolset.vocabulary).finished


def hand_over(
    trunk: Trunk, call: ToolCall, provisional: ToolCall | None = None
) -> Generator[Command, Readout, ToolCall]:
    """Emit the last word on the call, then bring what is pending of it into memory."""
    yield Emit(call, _last_status(call, provisional))
    if trunk.is_pending:
        yield Pass(Phase.WRITE_BACK, trunk.rows(pick=False))
    return call


def _last_status(call: ToolCall, provisional: ToolCall | None) -> Status:
    if not call.is_complete:
        return Status.INCOMPLETE
    if provisional is None:
        return Status.FINAL
    return Status.CONFIRMED if call.same_call(provisional) else Status.CORRECTED


def chosen_tool(request: Request, constraint: CallConstraint) -> Tool | None:
    """The tool that the call names, None while several are left."""
    return None if constraint.chosen is None else request.toolset.tools[constraint.chosen]
