"""Tables of passes: what they count of a run, and what is no table."""

from dataclasses import fields, replace

import numpy as np
import pytest

from engine.commands import Phase, Status
from engine.errors import InputError
from sim.pass_table import PHASES, PassTable, joined, pass_table, table_of
from tests.records_builder import PROMPT_TOKENS, make_run, schedule_passes, serial_passes, tool_call, values_pass

EARLY = make_run(schedule_passes("schemaweaver", 2), schedule="schemaweaver", call_id="c1")
SERIAL = make_run(serial_passes(Phase.SERIAL, 3))
CUT = make_run(serial_passes(Phase.SERIAL, 2), call=tool_call(complete=False), call_id="c2")
TABLE = pass_table([SERIAL, EARLY, CUT])


def columns(table: PassTable):
    return {field.name: getattr(table, field.name).tolist() for field in fields(table)}


def test_runs_are_counted_by_their_passes():
    assert columns(TABLE) == {
        "call_ids": ["c0", "c1", "c2"],
        "schedules": ["constrained", "schemaweaver", "constrained"],
        "statuses": ["final", "confirmed", "incomplete"],
        "prompt_tokens": [PROMPT_TOKENS] * 3,
        "arguments": [1, 1, 0],
        "prompt_passes": [1, 1, 1],
        "tool_start_passes": [4, 6, 3],
        "final_passes": [4, 9, 3],
        "runs": [0] * 4 + [1] * 9 + [2] * 3,
        "phases": [PHASES.index(p.command.phase) for run in (SERIAL, EARLY, CUT) for p in run.passes],
        "rows": [p.command.width for run in (SERIAL, EARLY, CUT) for p in run.passes],
        "picks": [p.command.pick_count for run in (SERIAL, EARLY, CUT) for p in run.passes],
        "context_tokens": [p.command.context_tokens for run in (SERIAL, EARLY, CUT) for p in run.passes],
    }


def test_a_corrected_call_starts_the_tool_where_it_is_final():
    corrected = replace(EARLY, emits=(EARLY.emits[0], replace(EARLY.emits[1], status=Status.CORRECTED)))
    table = pass_table([corrected])
    assert (table.tool_start_passes.tolist(), table.final_passes.tolist()) == ([9], [9])


def test_a_run_without_prompt_passes_starts_at_its_first():
    table = pass_table([make_run([values_pass(60, 2)], prompt=False)])
    assert (table.prompt_passes.tolist(), table.final_passes.tolist()) == ([0], [1])


def test_nobody_writes_to_a_table():
    for field in fields(TABLE):
        with pytest.raises(ValueError, match="read-only"):
            getattr(TABLE, field.name)[0] = getattr(TABLE, field.name)[1]


def test_runs_are_chosen_with_their_passes():
    assert columns(TABLE.chosen(np.array([False, True, False]))) == columns(pass_table([EARLY]))
    assert columns(TABLE.of_schedule("constrained")) == columns(pass_table([SERIAL, CUT]))
    assert columns(TABLE.chosen(np.zeros(3, np.bool_))) == columns(pass_table([]))
    with pytest.raises(InputError, match="no run by schedule 'warp'; there are: constrained, schemaweaver"):
        TABLE.of_schedule("warp")


def test_tables_are_joined_in_their_order():
    assert columns(joined([pass_table([SERIAL]), pass_table([]), pass_table([EARLY, CUT])])) == columns(TABLE)
    assert columns(joined([])) == columns(pass_table([]))


def test_passes_of_the_same_cost_are_one_kind():
    distinct = TABLE.distinct
    asked = list(zip(TABLE.rows.tolist(), TABLE.picks.tolist(), TABLE.context_tokens.tolist(), strict=True))
    kinds = list(zip(distinct.rows.tolist(), distinct.picks.tolist(), distinct.context_tokens.tolist(), strict=True))
    assert sorted(kinds) == sorted(set(asked))
    assert [kinds[kind] for kind in distinct.kinds] == asked


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"rows": [1]}, r"rows: found shape \(1,\), expected \(16,\) as of runs"),
        ({"arguments": [[1, 1, 0]]}, r"arguments: found shape \(1, 3\), expected \(3,\) as of call_ids"),
        ({"runs": [0] * 4 + [2] * 9 + [1] * 3}, "runs: expected the passes of every run, run by run"),
        ({"runs": [0] * 4 + [1] * 12}, "runs: expected the passes of every run, run by run"),
        ({"runs": [0] * 4 + [1] * 9 + [3] * 3}, "runs: expected the passes of every run, run by run"),
        ({"phases": [len(PHASES)] + [0] * 15}, rf"phases\[0\]: found {len(PHASES)}, expected 0 to {len(PHASES) - 1}"),
        ({"rows": [1] * 15 + [0]}, r"rows\[15\]: found 0, expected 1 or more"),
        ({"rows": [1] * 16, "picks": [1, 2] + [0] * 14}, r"picks\[1\]: found 2, expected 0 to 1"),
        ({"picks": [0, -1] + [0] * 14}, r"picks\[1\]: found -1, expected 0 to "),
        ({"context_tokens": [0] * 16}, r"context_tokens\[0\]: found 0, expected 1 or more"),
        ({"prompt_tokens": [1, -1, 1]}, r"prompt_tokens\[1\]: found -1, expected 0 or more"),
        ({"arguments": [1, 1, -1]}, r"arguments\[2\]: found -1, expected 0 or more"),
        ({"prompt_passes": [-1, 1, 1]}, r"prompt_passes\[0\]: found -1, expected 0 or more"),
        ({"tool_start_passes": [4, 0, 3]}, r"tool_start_passes\[1\]: found 0, expected 1 or more"),
        ({"final_passes": [4, 5, 3]}, r"final_passes\[1\]: found 5, expected 6 to 9"),
        ({"final_passes": [5, 9, 3]}, r"final_passes\[0\]: found 5, expected 4 to 4"),
    ],
)
def test_what_is_no_table_is_refused_with_the_arrays_name(changed, problem):
    with pytest.raises(InputError, match=f"^{problem}"):
        table_of(columns(TABLE) | changed)
