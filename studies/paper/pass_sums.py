"""Sums of a number per pass over the passes of each run that count."""

from cost_models.protocol import FloatArray, NumberArray
from sim.pass_table import PassTable
from studies.paper.phase_sums import call_sums


def behind_prompt(table: PassTable, numbers: NumberArray) -> FloatArray:
    """By run, shape (runs,), over all passes behind the prompt's, those behind the last emission too."""
    return call_sums(table, table.waited_for(table.pass_counts), numbers)


def until_tool_start(table: PassTable, numbers: NumberArray) -> FloatArray:
    """By run, shape (runs,), over the passes behind the prompt's that the start of the tool waits for."""
    return call_sums(table, table.waited_for(table.tool_start_passes), numbers)
