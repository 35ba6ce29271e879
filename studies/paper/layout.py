"""In which passes the paper's implementation writes a call, where that differs from the schedules here."""

from dataclasses import dataclass

import numpy as np

from cost_models.protocol import BoolArray
from engine.commands import Phase
from sim.added_passes import with_name_passes, with_passes, with_rows
from sim.pass_table import PassTable
from studies.paper.phase_sums import first_of_phase, of_phase

DECIDING = ("jump_forward", "jump_forward_provisional", "skeleton", "parallel", "schemaweaver")
"""Schedules that decide after the required arguments whether an optional one follows."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a call takes beyond the passes of the schedules here.

    `name_pass`: the tool's name takes a pass of its own, also where one tool is on offer. The skeleton has
    `skeleton_rows` more, each of jump-forward's prefills `jump_rows`, the write-back behind a skeleton
    `write_back_rows`, and a call with an optional argument takes `optional_passes` more to decide it.
    """

    name_pass: bool = False
    skeleton_rows: int = 0
    jump_rows: int = 0
    write_back_rows: int = 0
    optional_passes: int = 0


OURS = Layout()
TABLE_8 = Layout(name_pass=True, skeleton_rows=3, write_back_rows=5, optional_passes=2)
"""Table 8's passes and tokens of get_traffic_info's call, held against our run of it.

The name takes 6 tokens and the skeleton 19, where ours are 22 in one pass; 18 are written back, where ours are 13, as
the trunk keeps the call's head; and the optional argument takes 4 passes, where ours are 2, as fixed tokens ride along
with picked ones.
"""


def laid_out(table: PassTable, layout: Layout, has_optional: BoolArray) -> PassTable:
    """The passes of one schedule in `layout`; `has_optional`, shape (runs,), tells calls with optional arguments."""
    if layout.name_pass:
        table = with_name_passes(table)
    assembled = np.isin(table.runs, table.runs[of_phase(table, Phase.SKELETON)])
    table = with_rows(table, of_phase(table, Phase.JUMP) & (table.rows > 1), layout.jump_rows)
    for phase, rows in ((Phase.SKELETON, layout.skeleton_rows), (Phase.WRITE_BACK, layout.write_back_rows)):
        table = with_rows(table, first_of_phase(table, phase) & assembled, rows)
    if str(table.schedules[0]) in DECIDING:
        for _ in range(layout.optional_passes):
            table = _with_a_decision(table, has_optional)
    return table


def _with_a_decision(table: PassTable, has_optional: BoolArray) -> PassTable:
    """One row more before the last pass that the tool waits for, in calls with an optional argument."""
    waits = has_optional & (table.tool_start_passes > table.prompt_passes)
    at = (table.first_passes + table.tool_start_passes - 1)[waits]
    return with_passes(table, at, Phase.OPTIONAL, 1, table.context_tokens[at])
