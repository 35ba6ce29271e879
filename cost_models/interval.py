"""How far off the predicted times of passes and calls may be."""

from dataclasses import dataclass

import numpy as np

from cost_models.chip_unknowns import unknowns, with_unknowns, within
from cost_models.conditions import AS_MEASURED, Conditions
from cost_models.fit_errors import FitErrors
from cost_models.passes import Passes
from cost_models.protocol import CostModel, FloatArray, NumberArray, Numbers
from cost_models.roofline import Roofline

STEP = 1e-4
"""Of a difference quotient, in the unknowns' own units: logs, and the overlap. At a bound, half as far to one side."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """A prediction with the bounds that the truth lies between in 90 % of cases; one of each, or arrays."""

    low: FloatArray
    value: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertain:
    """A cost under conditions, with what is known of its error.

    `origin` is the fitted roofline and `errors` its; `cost` is what `measured` (None: the origin itself) costs under
    `conditions`. Where a pass was measured, an error in the origin's figures counts by what it changes of the ratio to
    the conditions' cost; elsewhere by all that it changes of that.
    """

    cost: CostModel
    origin: Roofline
    errors: FitErrors
    conditions: Conditions = AS_MEASURED
    measured: CostModel | None = None

    def log_gradient(self, rows: NumberArray, picks: NumberArray, context_tokens: NumberArray) -> FloatArray:
        """How the logarithm of each pass's time grows with each unknown, shape (4, passes)."""
        size = (rows, picks, context_tokens)
        at_conditions = self._gradient(self.conditions, *size)
        if self.measured is None:
            return at_conditions
        covered = np.asarray(self.measured.covers(*size))
        return at_conditions - np.where(covered, self._gradient(AS_MEASURED, *size), 0.0)

    def own_sigma(self, rows: NumberArray, picks: NumberArray, context_tokens: NumberArray) -> FloatArray:
        """What each pass size may be off by itself, shape (passes,)."""
        everywhere = np.full(np.shape(rows), self.errors.sigma)
        of_table = self.errors.table_sigma
        if of_table is None or self.cost != self.measured:
            return everywhere
        return np.where(self.measured.covers(rows, picks, context_tokens), of_table, everywhere)

    def _gradient(
        self, conditions: Conditions, rows: NumberArray, picks: NumberArray, context_tokens: NumberArray
    ) -> FloatArray:
        solution, differing = unknowns(self.origin.chip), self.origin.differing(conditions)

        def log_ms(moved: FloatArray) -> FloatArray:
            roofline = Roofline(shape=self.origin.shape, chip=with_unknowns(self.origin.chip, moved))
            return np.log(roofline.at(differing).model.pass_ms(rows, picks, context_tokens))

        def slope(step: FloatArray) -> FloatArray:
            low, high = (within(self.origin.chip, solution + sign * step) for sign in (-1, 1))
            return (log_ms(high) - log_ms(low)) / np.sum(high - low)

        return np.array([slope(step) for step in STEP * np.eye(len(solution))])


def pass_intervals(of: Uncertain, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> Interval:
    """Each pass's milliseconds, the host's left out; raises CostModelError on what is no pass."""
    size = np.broadcast_arrays(rows, picks, context_tokens)
    ms = np.asarray(of.cost.pass_ms(*size))
    gradient = of.log_gradient(*size)
    variance = _variance(of, gradient) + of.own_sigma(*size) ** 2
    spread = np.exp(of.errors.quantile * np.sqrt(variance))
    return Interval(ms / spread, ms, ms * spread)


def call_interval(of: Uncertain, passes: Passes) -> Interval:
    """The milliseconds of a call, the host's included: the geometric mean over the calls where there are several.

    The fit's errors are the same in all passes. What passes of so many rows and picks are off by themselves is the same
    whatever their context; other rows or picks are off independently of it. Linear in these errors, in the logarithm of
    the time, so that no bound is below zero.
    """
    return _interval(of, ((1, passes),))


def ratio_interval(of: Uncertain, passes: Passes, baseline: Passes) -> Interval:
    """How many times longer calls take by `baseline` than by `passes`: what makes both longer does not change it."""
    return _interval(of, ((1, baseline), (-1, passes)))


def _interval(of: Uncertain, signed: tuple[tuple[int, Passes], ...]) -> Interval:
    logs, weights, sizes = zip(*(_weighted(of.cost, sign, passes) for sign, passes in signed), strict=True)
    each, weight = _summed(np.concatenate(sizes, axis=1), np.concatenate(weights))
    _, own = _summed(each[:2], weight * of.own_sigma(*each))
    variance = _variance(of, of.log_gradient(*each) @ weight) + np.sum(own**2)
    value, spread = np.exp(sum(logs)), np.exp(of.errors.quantile * np.sqrt(variance))
    return Interval(np.asarray(value / spread), np.asarray(value), np.asarray(value * spread))


def _variance(of: Uncertain, gradient: FloatArray) -> FloatArray:
    covariance = np.array(of.errors.covariance)
    # Rounding may leave a variance just below zero.
    return np.asarray(np.maximum(np.einsum("i...,ij,j...->...", gradient, covariance, gradient), 0.0))


def _weighted(cost: CostModel, sign: int, passes: Passes) -> tuple[float, FloatArray, FloatArray]:
    """The logarithm of the calls' mean, how it grows with the logarithm of each pass's time, and the passes' sizes."""
    sizes = np.array([passes.rows, passes.picks, passes.context_tokens], dtype=np.float64)
    ms = np.asarray(cost.pass_ms(*sizes))
    log_mean, by_ms = passes.means(ms + cost.host_ms)
    return sign * log_mean, sign * by_ms * ms, sizes


def _summed(sizes: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Each column of `sizes` once, with the sum of its weights."""
    order = np.lexsort(sizes)
    ordered = sizes[:, order]
    is_first = np.append(True, (np.diff(ordered) != 0).any(axis=0))
    firsts = np.flatnonzero(is_first)
    return ordered[:, firsts], np.add.reduceat(weights[order], firsts)
