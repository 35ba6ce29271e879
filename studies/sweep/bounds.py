"""A predicted number with its error bar."""

from dataclasses import dataclass

import numpy as np


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


def bounds_of_log(log_value: float, log_spread: float | None) -> Bounds:
    """The number with this logarithm, as far off to both sides as `log_spread` says."""
    value = float(np.exp(log_value))
    if log_spread is None:
        return Bounds(value)
    factor = float(np.exp(log_spread))
    return Bounds(value, value / factor, value * factor)
