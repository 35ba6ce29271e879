"""Where a curve crosses a level."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq

STEPS = 33
"""Places at which the curve is looked at before the crossing is narrowed down."""


def last_crossing(curve: Callable[[float], float], low: float, high: float) -> float | None:
    """The largest place between `low` and `high`, both positive, where `curve` comes down to zero; None: it never does.

    Places are looked at evenly in their logarithm, and a crossing between two is found to a relative 1e-6.
    """
    places = np.geomspace(low, high, STEPS).tolist()
    for above, below in reversed(list(pairwise(places))):
        if curve(above) > 0 >= curve(below):
            return float(np.exp(brentq(lambda log: curve(float(np.exp(log))), np.log(above), np.log(below), xtol=1e-6)))
    return None


def from_where(pays: Sequence[bool], first: int) -> int | None:
    """The number, counted from `first`, from which on all of `pays` are true; None where the last is not."""
    if not pays or not pays[-1]:
        return None
    refused = [number for number, does in enumerate(pays, first) if not does]
    return refused[-1] + 1 if refused else first
