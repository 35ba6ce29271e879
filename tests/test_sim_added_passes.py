"""Passes and rows added to tables: where they go in, what waits for them, and what stays."""

import numpy as np
import pytest

from engine.commands import Phase
from engine.errors import InputError
from sim.added_passes import with_name_passes, with_passes, with_rows
from sim.pass_table import PHASES, PassTable, table_of

NAME, SKELETON, VALUES, WRITE_BACK, JUMP = (
    PHASES.index(phase) for phase in (Phase.NAME, Phase.SKELETON, Phase.VALUES, Phase.WRITE_BACK, Phase.JUMP)
)
PROMPT = 100


def table_with(*runs: tuple[list[tuple[int, int, int]], int]) -> PassTable:
    """Runs of passes (phase, rows, picks) and how many of them come before the tool starts; all wait for the call."""
    passes = [(number, *each) for number, (own, _) in enumerate(runs) for each in own]
    lengths = [len(own) for own, _ in runs]
    return table_of(
        {
            "call_ids": [f"c{number}" for number in range(len(runs))],
            "schedules": ["schemaweaver"] * len(runs),
            "statuses": ["final"] * len(runs),
            "prompt_tokens": [PROMPT] * len(runs),
            "arguments": [1] * len(runs),
            "prompt_passes": [0] * len(runs),
            "tool_start_passes": [start for _, start in runs],
            "final_passes": lengths,
            "runs": [run for run, *_ in passes],
            "phases": [phase for _, phase, *_ in passes],
            "rows": [rows for *_, rows, _ in passes],
            "picks": [picks for *_, picks in passes],
            "context_tokens": [PROMPT + 20] * len(passes),
        }
    )


CHOOSING = ([(NAME, 5, 1), (NAME, 1, 1), (SKELETON, 12, 2), (VALUES, 4, 2)], 4)
ALONE = ([(SKELETON, 17, 2), (VALUES, 4, 2), (WRITE_BACK, 9, 0)], 2)
JUMPING = ([(JUMP, 17, 1), (JUMP, 1, 1)], 2)


def test_a_lone_tools_name_takes_a_pass_with_the_rows_that_names_take_elsewhere():
    table = with_name_passes(table_with(CHOOSING, ALONE))
    assert table.phases.tolist() == [NAME, NAME, SKELETON, VALUES, NAME, SKELETON, VALUES, WRITE_BACK]
    assert table.rows.tolist() == [5, 1, 12, 4, 5, 12, 4, 9]
    assert table.picks.tolist() == [1, 1, 2, 2, 1, 2, 2, 0]
    assert table.context_tokens.tolist() == [PROMPT + 20] * 4 + [PROMPT + 5] + [PROMPT + 20] * 3
    assert table.tool_start_passes.tolist() == [4, 3]
    assert table.final_passes.tolist() == [4, 4]


def test_a_pass_keeps_rows_for_its_picks():
    table = with_name_passes(table_with(CHOOSING, ([(SKELETON, 4, 3), (VALUES, 3, 3)], 2)))
    assert table.rows.tolist()[4:] == [5, 3, 3]


def test_runs_without_a_skeleton_and_those_with_a_name_stay():
    table = table_with(CHOOSING, JUMPING)
    after = with_name_passes(table)
    assert (after.phases.tolist(), after.rows.tolist()) == (table.phases.tolist(), table.rows.tolist())
    alone = table_with(JUMPING)
    assert with_name_passes(alone) is alone


def test_rows_that_no_run_tells_are_not_made_up():
    with pytest.raises(InputError, match="no run chooses among several tools"):
        with_name_passes(table_with(ALONE))


def test_rows_of_all_passes_of_a_run_stay_as_many():
    before = table_with(CHOOSING, ALONE)
    after = with_name_passes(before)
    sums = [np.bincount(table.runs, weights=table.rows).tolist() for table in (before, after)]
    assert sums[0] == sums[1]


def test_a_pass_goes_in_before_another_and_what_waits_for_that_waits_for_it():
    table = table_with(ALONE, ALONE)
    at = np.array([1, 5])
    after = with_passes(table, at, Phase.OPTIONAL, 2, np.array([110, 111]))
    optional = PHASES.index(Phase.OPTIONAL)
    assert after.phases.tolist() == [SKELETON, optional, VALUES, WRITE_BACK, SKELETON, VALUES, optional, WRITE_BACK]
    assert after.rows.tolist() == [17, 2, 4, 9, 17, 4, 2, 9]
    assert after.context_tokens.tolist()[1::5] == [110, 111]
    # The first run's tool starts behind its second pass, the other one's does not wait for its third.
    assert after.tool_start_passes.tolist() == [3, 2]
    assert after.final_passes.tolist() == [4, 4]


def test_rows_are_added_where_they_are_asked_for_and_never_fewer_left_than_picks():
    table = table_with(ALONE)
    assert with_rows(table, np.array([True, False, True]), 5).rows.tolist() == [22, 4, 14]
    assert with_rows(table, np.array([True, True, True]), -30).rows.tolist() == [2, 2, 1]
