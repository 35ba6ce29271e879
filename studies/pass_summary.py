"""Passes of a workload's calls as a table for the terminal: means per call, schedule by schedule."""

import numpy as np

from engine.commands import Phase
from sim.distinct_passes import IntArray
from sim.pass_prices import by_phase
from sim.pass_table import PHASES, PassTable
from studies.text_table import Table, number_cell

HEADERS = ("schedule", "calls", "cut", "passes\nper call", "rows\nper call", "passes to\ntool start", "prompt\ntokens")


def pass_summary(table: PassTable) -> Table:
    """A row per schedule; prompt and draft passes are not counted, nor those after the final call."""
    return Table(HEADERS, tuple(_row(table.of_schedule(name)) for name in dict.fromkeys(table.schedules.tolist())))


def _row(table: PassTable) -> tuple[str, ...]:
    decoding = [phase not in (Phase.PROMPT, Phase.DRAFT) for phase in PHASES]
    passes, rows = (by_phase(table, numbers)[decoding].sum() for numbers in (np.ones(len(table.runs)), table.rows))
    to_tool = np.array(decoding)[table.phases] & (_places(table) < table.tool_start_passes[table.runs])
    return (
        str(table.schedules[0]),
        str(table.run_count),
        str(int((table.statuses == "incomplete").sum())),
        *(
            number_cell(total / table.run_count, 1)
            for total in (passes, rows, to_tool.sum(), table.prompt_tokens.sum())
        ),
    )


def _places(table: PassTable) -> IntArray:
    """The number of each pass within its run."""
    return np.arange(len(table.runs)) - table.first_passes[table.runs]
