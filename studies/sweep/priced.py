"""A contest of schedules under one cost: means with error bars."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cost_models import CostModel
from cost_models.conditions import Conditions
from cost_models.device import Device
from cost_models.protocol import BoolArray, FloatArray
from sim.pass_prices import Latencies, price
from studies.sweep.bounds import Bounds, bounds_of_log
from studies.sweep.contest import Contest
from studies.sweep.head_cost import HeadCost
from studies.sweep.mean_time import MeanTime, mean_time, run_times


@dataclass(frozen=True, eq=False)
class Priced:
    """`contest` on `device` under `conditions`, where passes cost `cost`; those of a draft head `head_share` of it.

    Errors of the device's figures are the same in all passes (`cost_models.interval`), and so is what passes of so many
    rows and picks are off by themselves, whatever their context; other rows or picks are off independently. So errors
    cancel in part where schedules are compared.
    """

    contest: Contest
    device: Device
    conditions: Conditions
    cost: CostModel
    head_share: float

    def mean(self, schedule: str, latency: str, tool_ms: float = 0.0) -> MeanTime:
        """The mean of one of `LATENCIES` over the schedule's runs."""
        table = self.contest.table
        times = run_times(table, self._latencies, tool_ms)[latency]
        return mean_time(table, self.contest.of[schedule], times, self._kinds_ms[table.distinct.kinds])

    def time(self, mean: MeanTime) -> Bounds:
        """The mean in ms."""
        return bounds_of_log(mean.log_ms, self._log_spread(mean.shares))

    def ratio(self, above: MeanTime, below: MeanTime) -> Bounds:
        """How many times longer `above` is."""
        return bounds_of_log(above.log_ms - below.log_ms, self._log_spread(above.shares - below.shares))

    def outside_percent(self, mean: MeanTime) -> float:
        """The share of the passes' time that is in passes which nobody measured."""
        total = mean.shares.sum()
        return 100 * float(mean.shares[~self._covered].sum() / total) if total else 0.0

    @cached_property
    def _draft_cost(self) -> CostModel | None:
        return HeadCost(self.cost, self.head_share) if self.contest.table.distinct.is_draft.any() else None

    @cached_property
    def _latencies(self) -> Latencies:
        return price(self.contest.table, self.cost, self._draft_cost)

    @cached_property
    def _kinds_ms(self) -> FloatArray:
        """Without the host's time."""
        distinct = self.contest.table.distinct
        asked = (distinct.rows, distinct.picks, distinct.context_tokens)
        own_ms = self.cost.pass_ms(*asked)
        return (
            own_ms
            if self._draft_cost is None
            else np.where(distinct.is_draft, self._draft_cost.pass_ms(*asked), own_ms)
        )

    @cached_property
    def _covered(self) -> BoolArray:
        distinct = self.contest.table.distinct
        return self.cost.covers(distinct.rows, distinct.picks, distinct.context_tokens) & ~distinct.is_draft

    @cached_property
    def _gradient(self) -> FloatArray:
        """Of the logarithm of each kind's time, shape (unknowns, kinds)."""
        distinct = self.contest.table.distinct
        uncertain = self.device.uncertain(self.conditions)
        return uncertain.log_gradient(distinct.rows, distinct.picks, distinct.context_tokens)

    def _log_spread(self, shares: FloatArray) -> float | None:
        """How far off the logarithm of a mean may be; None where the device's errors are unknown."""
        errors = self.device.errors
        if errors is None:
            return None
        gradient = self._gradient @ shares
        own = np.bincount(self.contest.sizes, shares)
        variance = gradient @ np.array(errors.covariance) @ gradient + errors.sigma**2 * np.sum(own**2)
        return errors.quantile * float(np.sqrt(variance))
