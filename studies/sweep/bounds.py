"""A predicted number with its error bar."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from cost_models.protocol import FloatArray


@dataclass(frozen=True, slots=True)
class Bounds:
    """A prediction, and what the truth lies between in 90 % of cases; None where nobody knows the device's errors."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def has_errors(self) -> bool:
        """Whether the bounds are known."""
        return self.low is not None and self.high is not None


CALLS_QUANTILE = 1.645
"""Of the normal distribution, for 90 %."""


def drawn_spread(logs: FloatArray) -> float:
    """How far off a mean of `logs`, shape (calls,), may be since other calls could have been drawn; 90 %.

    0 for a single call, of which nobody knows.
    """
    return CALLS_QUANTILE * float(np.std(logs, ddof=1)) / sqrt(len(logs)) if len(logs) > 1 else 0.0


def bounds_of_log(log_value: float, log_spread: float | None) -> Bounds:
    """The number with this logarithm, as far off to both sides as `log_spread` says."""
    value = float(np.exp(log_value))
    if log_spread is None:
        return Bounds(value)
    factor = float(np.exp(log_spread))
    return Bounds(value, value / factor, value * factor)
