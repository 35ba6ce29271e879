"""A contest of schedules under one cost: means with error bars."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cost_models import CostModel
from cost_models.conditions import AS_MEASURED, Conditions
from cost_models.device import Device
from cost_models.energy import ASSUMED, Energy
from cost_models.protocol import BoolArray, FloatArray
from sim.pass_prices import Latencies, price
from studies.sweep.bounds import Bounds, bounds_of_log, drawn_spread
from studies.sweep.contest import Contest
from studies.sweep.head_cost import HeadCost
from studies.sweep.mean_energy import MeanEnergy, mean_energy
from studies.sweep.mean_time import MeanTime, mean_time, run_times, waited_for


@dataclass(frozen=True, eq=False)
class Priced:
    """`contest` on `device` under `conditions`, where passes cost `cost`; those of a draft head `head_share` of it.

    Errors are those of `cost_models.interval`: in the device's figures the same in all passes, and in what passes of so
    many rows and picks are off by themselves the same at every context. So they cancel in part where schedules are
    compared. Where the calls are a sample (`is_sample`), what other calls would change counts too; schedules are
    compared call by call.
    """

    contest: Contest
    device: Device
    conditions: Conditions
    cost: CostModel
    head_share: float
    is_sample: bool = False

    def mean(self, schedule: str, latency: str, tool_ms: float = 0.0) -> MeanTime:
        """The mean of one of `LATENCIES` over the schedule's runs."""
        table = self.contest.table
        times = run_times(table, self._latencies, tool_ms)[latency]
        return mean_time(table, self.contest.of[schedule], times, self._kinds_ms[table.distinct.kinds])

    def time(self, mean: MeanTime) -> Bounds:
        """The mean in ms."""
        return bounds_of_log(mean.log_ms, self._log_spread(mean.shares, mean.logs))

    def ratio(self, above: MeanTime, below: MeanTime) -> Bounds:
        """How many times longer `above` is."""
        return bounds_of_log(
            above.log_ms - below.log_ms, self._log_spread(above.shares - below.shares, above.logs - below.logs)
        )

    def outside_percent(self, mean: MeanTime) -> float:
        """The share of the passes' time that is in passes which nobody measured."""
        total = mean.shares.sum()
        return 100 * float(mean.shares[~self._covered].sum() / total) if total else 0.0

    def energy(self, schedule: str, latency: str) -> MeanEnergy | None:
        """Of the passes that `TOOL_START` or `FINAL` waits for; None where nobody knows what the device draws."""
        if self._kinds_energy is None:
            return None
        table, chosen = self.contest.table, self.contest.of[schedule]
        passes = run_times(table, self._latencies, tool_ms=0.0)[latency].passes
        return mean_energy(table, waited_for(table, chosen, passes), int(chosen.sum()), self._kinds_energy)

    @property
    def energy_assumed(self) -> tuple[str, ...]:
        """What is assumed of energy, where there is some and conditions are not the device's own."""
        is_scaled = self.device.roofline.differing(self.conditions) != AS_MEASURED
        return (ASSUMED,) if self.device.power is not None and is_scaled else ()

    @property
    def peak_memory_bytes(self) -> float:
        """What the model takes at its highest, with room for the longest context of the passes."""
        return self.device.peak_memory(self.contest.most_context_tokens, self.conditions).total_bytes

    @property
    def fits(self) -> bool | None:
        """Whether the device has so much; None where its memory is unknown."""
        return self.device.fits(self.contest.most_context_tokens, self.conditions)

    @cached_property
    def _kinds_energy(self) -> Energy | None:
        """A pass of a draft head takes the share of the model's own that its time is."""
        if self.device.power is None:
            return None
        distinct = self.contest.table.distinct
        share = np.where(distinct.is_draft, self.head_share, 1.0)
        own = self.device.energy(distinct.rows, distinct.picks, distinct.context_tokens, self.conditions)
        return Energy(cpu_j=own.cpu_j * share, memory_j=own.memory_j * share)

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
    def _errors(self) -> tuple[FloatArray, FloatArray] | None:
        """Of the logarithm of each kind's time: its gradient, shape (unknowns, kinds), and what it is off by itself."""
        if self.device.errors is None:
            return None
        distinct = self.contest.table.distinct
        asked = (distinct.rows, distinct.picks, distinct.context_tokens)
        uncertain = self.device.uncertain(self.conditions)
        return uncertain.log_gradient(*asked), uncertain.own_sigma(*asked)

    def _log_spread(self, shares: FloatArray, logs: FloatArray) -> float | None:
        """How far off the logarithm of a mean of `logs` may be; None where the device's errors are unknown."""
        if self._errors is None or self.device.errors is None:
            return None
        gradient, own_sigma = self._errors
        by_unknown = gradient @ shares
        own = np.bincount(self.contest.sizes, shares * own_sigma)
        variance = by_unknown @ np.array(self.device.errors.covariance) @ by_unknown + np.sum(own**2)
        # Rounding may leave a variance just below zero.
        by_device = self.device.errors.quantile * float(np.sqrt(max(variance, 0.0)))
        return float(np.hypot(by_device, drawn_spread(logs) if self.is_sample else 0.0))
