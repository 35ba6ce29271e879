"""A number with what it may be off by because the paper's hundred calls are not known."""

from dataclasses import dataclass

import numpy as np

from cost_models.protocol import FloatArray
from sim.distinct_passes import IntArray

WITHIN = 0.95
"""The share of draws between an estimate's ends."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` is the median over draws of calls, `low` and `high` hold their middle 95 %; all alike without draws."""

    value: float
    low: float
    high: float


def exact(value: float) -> Estimate:
    """A number that no draw changes."""
    return Estimate(value, value, value)


def over_draws(values: FloatArray) -> Estimate:
    """The estimate of a number whose value in each draw is in `values`, shape (draws,)."""
    low, middle, high = np.quantile(values, ((1 - WITHIN) / 2, 0.5, (1 + WITHIN) / 2)).tolist()
    return Estimate(middle, low, high)


def geometric_means(numbers: FloatArray, draws: IntArray) -> FloatArray:
    """The geometric mean over each draw's calls, shape (draws,), of a positive number per call."""
    return np.asarray(np.exp(np.log(numbers[draws]).mean(axis=1)))


def means(numbers: FloatArray, draws: IntArray) -> FloatArray:
    """The mean over each draw's calls, shape (draws,), of a number per call."""
    return np.asarray(numbers[draws].mean(axis=1))
