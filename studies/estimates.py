"""A number over calls beside its error: how far it might be off had other calls been drawn."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from studies.wilson import CONFIDENCE

RESAMPLES = 10_000
SEED = 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and its interval at 95 % over calls; the ends are None where fewer than two calls tell of it."""

    value: float
    low: float | None = None
    high: float | None = None


def paired_ratio(above: Mapping[str, float], below: Mapping[str, float]) -> Estimate:
    """The geometric mean over calls of `above` / `below`, both positive and by the same calls.

    The interval is the percentile bootstrap's: calls are drawn anew, each with both its numbers, so that what makes a
    call long for both sides does not count as error. The same numbers give the same interval.
    """
    logs = np.log([above[call_id] / below[call_id] for call_id in above])
    value = float(np.exp(logs.mean()))
    if len(logs) < 2:
        return Estimate(value)
    drawn = np.random.default_rng(SEED).integers(len(logs), size=(RESAMPLES, len(logs)))
    ends = np.quantile(logs[drawn].mean(axis=1), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    low, high = map(float, np.exp(ends))
    return Estimate(value, low, high)


def as_percent_more(ratio: Estimate) -> Estimate:
    """How many percent more than 1 a ratio is."""
    ends = (None if end is None else 100 * (end - 1) for end in (ratio.low, ratio.high))
    return Estimate(100 * (ratio.value - 1), *ends)
