"""One quantity over calls: measured, predicted, how far off, and how far the machine is from itself."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

import numpy as np

from engine.records import RunRecord


@dataclass(frozen=True, slots=True)
class CallErrors:
    """How far predictions are from measured medians, per call: |predicted - measured| / measured, in %."""

    mean_percent: float
    median_percent: float
    p90_percent: float


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity over the compared calls; a field is None where a source is missing.

    `spread_percent` is the machine's own spread from repeat to repeat: the coefficient of variation (sample
    standard deviation over mean) of each call's repeats, and of those the median over calls, so that neither
    the number of repeats nor one disturbed call moves it. None where no call was repeated.
    """

    measured: float | None
    predicted: float | None
    errors: CallErrors | None = None
    spread_percent: float | None = None

    @property
    def bias_percent(self) -> float | None:
        """How much too high (positive) or too low the predicted mean is; None without a measured one."""
        if self.measured is None or self.predicted is None or self.measured == 0:
            return None
        return 100 * (self.predicted / self.measured - 1)


Group = Mapping[str, Sequence[RunRecord]]
"""The runs of one schedule in one source, by call."""

Mean = Callable[[Iterable[float]], float]


@dataclass(frozen=True, slots=True)
class Pair:
    """The runs of one schedule in both sources, cut down to the compared calls."""

    measured: Group
    predicted: Group

    def quantity(self, value: Callable[[RunRecord], float], mean: Mean) -> Quantity:
        """What `value` makes of the runs: the `mean` over the repeats of a call, then over the calls."""
        return Quantity(
            _mean_over_calls(self.measured, value, mean),
            _mean_over_calls(self.predicted, value, mean),
            _call_errors(self, value),
            _spread_percent(self.measured, value),
        )


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean of one or more positive `values`."""
    return math.exp(fmean(map(math.log, values)))


def _mean_over_calls(group: Group, value: Callable[[RunRecord], float], mean: Mean) -> float | None:
    return mean([mean([value(run) for run in runs]) for runs in group.values()]) if group else None


def medians(group: Group, value: Callable[[RunRecord], float]) -> dict[str, float]:
    """The median over the repeats, by call."""
    return {call_id: median(value(run) for run in runs) for call_id, runs in group.items()}


def _call_errors(pair: Pair, value: Callable[[RunRecord], float]) -> CallErrors | None:
    measured, predicted = medians(pair.measured, value), medians(pair.predicted, value)
    if not predicted:
        return None
    errors = [100 * abs(predicted[name] - m) / abs(m) for name, m in measured.items() if m != 0]
    return CallErrors(fmean(errors), median(errors), float(np.quantile(errors, 0.9))) if errors else None


def _spread_percent(measured: Group, value: Callable[[RunRecord], float]) -> float | None:
    repeated = [[value(run) for run in runs] for runs in measured.values() if len(runs) > 1]
    spreads = [100 * stdev(values) / fmean(values) for values in repeated if fmean(values) > 0]
    return median(spreads) if spreads else None
