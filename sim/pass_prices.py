"""What a device would take for the passes of a table: the simpy world's times of all its runs, in a few array steps."""

from dataclasses import dataclass

import numpy as np

from cost_models import CostModel
from cost_models.protocol import BoolArray, FloatArray, NumberArray
from engine.errors import InputError
from sim.distinct_passes import DistinctPasses
from sim.pass_table import PHASES, PassTable


@dataclass(frozen=True, slots=True, eq=False)
class Latencies:
    """Milliseconds of all runs, shape (runs,), from the prompt's end on, as `RunRecord` defines them."""

    tool_start_ms: FloatArray
    final_ms: FloatArray


def price(table: PassTable, cost: CostModel, draft_cost: CostModel | None = None) -> Latencies:
    """The latencies of all runs on the device that `cost` stands for.

    Passes of a draft model cost what `draft_cost` says; raises InputError where there are some and it is None.
    """
    kinds_ms = _kinds_ms(table.distinct, cost, draft_cost) + _host_ms(table.distinct, cost, draft_cost)
    # The pass behind the last one is nobody's; it lets a run's passes end there.
    passes_ms = np.zeros(len(table.runs) + 1)
    np.take(kinds_ms, table.distinct.kinds, out=passes_ms[:-1], mode="clip")
    starts = table.first_passes + table.prompt_passes
    tool_starts = table.first_passes + table.tool_start_passes
    finals = table.first_passes + table.final_passes
    bounds = np.stack((starts, tool_starts, finals), axis=1).ravel()
    sums = np.add.reduceat(passes_ms, bounds).reshape(-1, 3) if table.run_count else np.zeros((0, 3))
    # reduceat gives the element itself where there is nothing to sum.
    to_tool_ms = np.where(tool_starts > starts, sums[:, 0], 0.0)
    return Latencies(to_tool_ms, to_tool_ms + np.where(finals > tool_starts, sums[:, 1], 0.0))


def phase_times_ms(table: PassTable, cost: CostModel, draft_cost: CostModel | None = None) -> FloatArray:
    """Time in passes by phase and run, shape (phases, runs), in the order of `PHASES`; host time is in none.

    Only passes that the last emission waited for count.
    """
    return by_phase(table, _kinds_ms(table.distinct, cost, draft_cost)[table.distinct.kinds])


def by_phase(table: PassTable, numbers: NumberArray) -> FloatArray:
    """Sums of a number per pass, shape (passes,), by phase and run: shape (phases, runs), in the order of `PHASES`.

    Only passes that the last emission waited for count: ones give how many there are, `table.rows` their rows.
    """
    waited = table.before_final
    places = table.phases[waited] * table.run_count + table.runs[waited]
    weights = np.asarray(numbers, dtype=np.float64)[waited]
    sums = np.bincount(places, weights, len(PHASES) * table.run_count)
    return sums.astype(np.float64, copy=False).reshape(len(PHASES), table.run_count)


def extrapolated(table: PassTable, cost: CostModel) -> BoolArray:
    """Whether a run has a pass of the model itself past what `cost` was measured for, shape (runs,)."""
    distinct = table.distinct
    outside = ~cost.covers(distinct.rows, distinct.picks, distinct.context_tokens) & ~distinct.is_draft
    return np.bincount(table.runs, weights=outside[distinct.kinds], minlength=table.run_count) > 0


def _kinds_ms(distinct: DistinctPasses, cost: CostModel, draft_cost: CostModel | None) -> FloatArray:
    asked = (distinct.rows, distinct.picks, distinct.context_tokens)
    if not distinct.is_draft.any():
        return cost.pass_ms(*asked)
    if draft_cost is None:
        raise InputError("the passes of a draft model are among these: say what they cost")
    return np.where(distinct.is_draft, draft_cost.pass_ms(*asked), cost.pass_ms(*asked))


def _host_ms(distinct: DistinctPasses, cost: CostModel, draft_cost: CostModel | None) -> FloatArray | float:
    return cost.host_ms if draft_cost is None else np.where(distinct.is_draft, draft_cost.host_ms, cost.host_ms)
