"""The mean latency of many calls, and how it grows with the time of each kind of pass."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cost_models.protocol import BoolArray, FloatArray
from sim.distinct_passes import IntArray
from sim.pass_prices import Latencies
from sim.pass_table import PassTable

TOOL_START, FINAL, RESULT = "tool_start", "final", "result"
LATENCIES = (TOOL_START, FINAL, RESULT)
"""From the prompt's end to the tool's start, to the final call, and to where both that and the tool's result are there.

The tool runs beside the decoder."""

LEAST_MS = 1.0
"""A latency below this counts as this much: a tool without required arguments starts at the prompt's end, and no
geometric mean has a zero."""


@dataclass(frozen=True, slots=True, eq=False)
class MeanTime:
    """A geometric mean over calls: `logs`, shape (calls,), are the logarithms of their times in ms.

    `shares`, shape (kinds,), is how the mean's logarithm grows with that of each kind's time: the share of the time
    that such passes take.
    """

    logs: FloatArray
    shares: FloatArray

    @property
    def log_ms(self) -> float:
        """The logarithm of the mean."""
        return float(self.logs.mean())


@dataclass(frozen=True, slots=True, eq=False)
class RunTimes:
    """One latency of all runs: milliseconds, and the number of a run's passes that it waits for; both shape (runs,)."""

    ms: FloatArray
    passes: IntArray


def run_times(table: PassTable, latencies: Latencies, tool_ms: float) -> Mapping[str, RunTimes]:
    """Each of `LATENCIES`, with a tool that takes `tool_ms`."""
    result_ms = latencies.tool_start_ms + tool_ms
    waits = latencies.final_ms > result_ms
    return {
        TOOL_START: RunTimes(latencies.tool_start_ms, table.tool_start_passes),
        FINAL: RunTimes(latencies.final_ms, table.final_passes),
        RESULT: RunTimes(
            np.maximum(latencies.final_ms, result_ms), np.where(waits, table.final_passes, table.tool_start_passes)
        ),
    }


def waited_for(table: PassTable, chosen: BoolArray, passes: IntArray) -> BoolArray:
    """Whether a pass is one behind the prompt among the first `passes`, shape (runs,), of a `chosen` run."""
    return chosen[table.runs] & table.waited_for(passes)


def mean_time(table: PassTable, chosen: BoolArray, times: RunTimes, pass_ms: FloatArray) -> MeanTime:
    """Over the `chosen` runs, shape (runs,); `pass_ms`, shape (passes,), is without the host's time."""
    floored = np.maximum(times.ms, LEAST_MS)
    counted = waited_for(table, chosen, times.passes)
    runs, kinds = table.runs[counted], table.distinct.kinds[counted]
    shares = np.bincount(kinds, pass_ms[counted] / floored[runs], len(table.distinct.rows)) / chosen.sum()
    return MeanTime(np.log(floored[chosen]), shares)
