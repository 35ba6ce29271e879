"""Commands and requests are valid by construction."""

from itertools import islice

import pytest
from strategies import Case

from engine.commands import TRUNK, Emit, Fork, Pass, Phase, Row, Trim
from engine.errors import InputError, ScheduleError
from engine.request import Request
from engine.schedules import SCHEDULES, schedule_named
from engine.tools import Tool

TOOL = Tool("get", "", {})
TOOLSET = Case((TOOL,), TOOL, {}).request.toolset


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Row(-1, 0), "row with token -1 at position 0: both must be >= 0"),
        (lambda: Row(0, -1), "row with token 0 at position -1"),
        (lambda: Row(0, 0, ()), r"row with sequences \(\): needs one or more, each once"),
        (lambda: Row(0, 0, (1, 1)), r"row with sequences \(1, 1\)"),
        (lambda: Pass(Phase.NAME, ()), "a name pass without rows"),
        (lambda: Fork(TRUNK, ()), "fork of sequence 0"),
        (lambda: Fork(1, (2, 1)), "fork of sequence 1"),
        (lambda: Fork(TRUNK, (2, 2)), r"fork of sequence 0 to \(2, 2\): needs other ones, each once"),
        (lambda: Trim(3, 0), "trim of sequence 3 to 0 tokens: drop it instead"),
    ],
)
def test_commands_that_mean_nothing_cannot_be_made(make, message):
    with pytest.raises(ScheduleError, match=message):
        make()


def test_a_pass_counts_its_rows_its_picks_and_the_longest_context():
    command = Pass(Phase.VALUES, (Row(1, 8, (1,)), Row(1, 9, (1,), pick=True), Row(1, 4, (2,), pick=True)))
    assert (command.width, command.pick_count, command.context_tokens) == (3, 2, 10)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reused_tokens": 4}, "reused_tokens is 4, but the prompt has 3 tokens"),
        ({"reused_tokens": -1}, "reused_tokens is -1"),
        ({"max_call_tokens": 0}, "max_call_tokens is 0; it has to be 1 or more"),
        ({"max_rows": 0}, "max_rows is 0"),
        ({"tile_rows": 0}, "tile_rows is 0"),
    ],
)
def test_limits_that_leave_no_room_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        Request((1, 2, 3), TOOLSET, **change)


@pytest.mark.parametrize(
    ("reused", "max_rows", "widths"), [(0, 512, [10]), (0, 4, [4, 4, 2]), (3, 4, [4, 3]), (10, 4, []), (0, 10, [10])]
)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_prompt_comes_in_by_passes_of_at_most_max_rows_without_what_is_in_memory(schedule, reused, max_rows, widths):
    request = Request(tuple(range(10)), TOOLSET, reused, max_rows=max_rows, given_arguments=())
    *passes, other = islice(SCHEDULES[schedule](request), len(widths) + 1)
    assert isinstance(other, Emit) or other.phase is not Phase.PROMPT
    assert all(command.phase is Phase.PROMPT for command in passes)
    rows = [row for command in passes for row in command.rows]
    assert [command.width for command in passes] == widths
    assert [(row.token, row.position) for row in rows] == [(n, n) for n in range(reused, 10)]
    assert not any(row.pick for row in rows)


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_is_found_by_its_name(name):
    assert schedule_named(name) is SCHEDULES[name]


def test_an_unknown_schedule_lists_the_known_ones():
    with pytest.raises(InputError, match=f"^unknown schedule 'magic'; choose one of: {', '.join(SCHEDULES)}$"):
        schedule_named("magic")
