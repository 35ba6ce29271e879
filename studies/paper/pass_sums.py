"""Sums of a number per pass over the passes of each run that count."""

import numpy as np

from cost_models.protocol import FloatArray, NumberArray
from sim.distinct_passes import IntArray
from sim.pass_table import PassTable


def behind_prompt(table: PassTable, numbers: NumberArray) -> FloatArray:
    """By run, shape (runs,), over all passes behind the prompt's, those behind the last emission too."""
    return _sums(table, numbers, table.pass_counts)


def until_tool_start(table: PassTable, numbers: NumberArray) -> FloatArray:
    """By run, shape (runs,), over the passes behind the prompt's that the start of the tool waits for."""
    return _sums(table, numbers, table.tool_start_passes)


def _sums(table: PassTable, numbers: NumberArray, ends: IntArray) -> FloatArray:
    places = np.arange(len(table.runs)) - table.first_passes[table.runs]
    counted = (places >= table.prompt_passes[table.runs]) & (places < ends[table.runs])
    weights = np.asarray(numbers, dtype=np.float64)[counted]
    return np.bincount(table.runs[counted], weights, table.run_count).astype(np.float64, copy=False)
