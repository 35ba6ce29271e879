"""The paper's layout of a call: what it adds to our schedules' passes, and that Table 8 prints so much more."""

import numpy as np
import pytest
from tiny_paper import Run, serial, table

from engine.commands import Phase, Status
from studies.paper.devices import study_devices
from studies.paper.layout import OURS, TABLE_8, Layout, laid_out
from studies.paper.phase_sums import first_of_phase, of_phase
from studies.paper.printed import printed_number
from studies.paper.reading import Reading
from studies.paper.setting import Setting
from studies.paper.table_8 import our_runs

CHOOSING = Run([(Phase.NAME, 5, 1), (Phase.SKELETON, 12, 2), (Phase.VALUES, 4, 2)], tool_start=3)
CORRECTED = Run(
    [(Phase.SKELETON, 17, 2), (Phase.VALUES, 4, 2), (Phase.WRITE_BACK, 13, 1), (Phase.OPTIONAL, 4, 1)],
    status=Status.CORRECTED,
)
RUNS = table("schemaweaver", [CHOOSING, CORRECTED])
HAS_OPTIONAL = np.array([False, True])


def passes(layout: Layout, schedule: str = "schemaweaver", runs=(CHOOSING, CORRECTED)) -> list[tuple[str, int]]:
    laid = laid_out(table(schedule, runs), layout, HAS_OPTIONAL)
    return [(str(name), rows) for name, rows in zip(np.array(tuple(Phase))[laid.phases], laid.rows, strict=True)]


def test_our_layout_changes_nothing():
    assert laid_out(RUNS, OURS, HAS_OPTIONAL).rows.tolist() == RUNS.rows.tolist()


def test_the_papers_layout_names_the_tool_writes_more_rows_back_and_takes_two_passes_more_for_an_optional_argument():
    choosing = [("name", 5), ("skeleton", 15), ("values", 4)]
    corrected = [("name", 5), ("skeleton", 15), ("values", 4), ("write_back", 18)]
    assert passes(TABLE_8) == [*choosing, *corrected, ("optional", 1), ("optional", 1), ("optional", 4)]
    laid = laid_out(RUNS, TABLE_8, HAS_OPTIONAL)
    assert laid.tool_start_passes.tolist() == [3, 7]


def test_a_call_without_a_skeleton_writes_no_more_back():
    run = Run([*serial(3), (Phase.WRITE_BACK, 1, 0)], final=3)
    assert passes(TABLE_8, "constrained", (run, run))[-1] == ("write_back", 1)


def test_jump_forwards_prefills_may_be_longer_and_its_single_rows_not():
    run = Run([(Phase.JUMP, 5, 1), (Phase.JUMP, 1, 1)])
    assert passes(Layout(jump_rows=2), "jump_forward", (run, run))[:2] == [("jump", 7), ("jump", 1)]


@pytest.mark.parametrize(("schedule", "more"), [("jump_forward", 2), ("constrained", 0), ("arguments_given", 0)])
def test_schedules_that_decide_optional_arguments_take_passes_more_for_them(schedule, more):
    runs = [Run(serial(3)), Run(serial(5))]
    laid = laid_out(table(schedule, runs), Layout(optional_passes=2), HAS_OPTIONAL)
    assert laid.pass_counts.tolist() == laid.tool_start_passes.tolist() == [3, 5 + more]


def test_table_8_prints_so_much_more_than_our_run_of_its_call():
    run = our_runs(Setting(study_devices(())))["schemaweaver"]
    rows = {phase: int(run.rows[first_of_phase(run, phase)].sum()) for phase in (Phase.SKELETON, Phase.WRITE_BACK)}
    deciding = int((of_phase(run, Phase.OPTIONAL) & run.before_final).sum())
    name, skeleton, written = (printed_number("table_8", each, "tokens") for each in ("name", "skeleton", "write_back"))
    assert not of_phase(run, Phase.NAME).any()
    assert name + skeleton - rows[Phase.SKELETON] == TABLE_8.skeleton_rows
    assert written - rows[Phase.WRITE_BACK] == TABLE_8.write_back_rows
    assert printed_number("table_8", "optional", "passes") - deciding == TABLE_8.optional_passes
    assert Reading().layout is TABLE_8
