"""How far off a fitted roofline's predictions may be."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student_t

from calibration.chip import ChipFit, roofline_of
from cost_models.protocol import FloatArray, NumberArray, Numbers
from cost_models.roofline import Roofline
from engine.errors import InputError

STEP = 1e-4
"""Of a difference quotient, in the unknowns' own units: logs, and the overlap."""

Taking = Callable[[Roofline], Roofline]
"""To other conditions, as `lambda roofline: roofline.at(bus_mhz=676).model`; what that assumes may be wrong besides."""

PassSizes = Iterable[tuple[int, int, int]]
"""Rows, picks and context tokens of each pass."""


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Milliseconds, with those that the truth lies between at the confidence that was asked for; one or arrays."""

    low_ms: FloatArray
    ms: FloatArray
    high_ms: FloatArray


def as_fitted(roofline: Roofline) -> Roofline:
    """To no other conditions."""
    return roofline


def pass_intervals(
    fit: ChipFit,
    rows: NumberArray,
    picks: Numbers,
    context_tokens: Numbers,
    confidence: float = 0.9,
    taken: Taking = as_fitted,
) -> Interval:
    """Each pass's time, with the fit's uncertainty and what a single pass size may be off by itself.

    Linear in the unknowns' errors, in the logarithm of the time, so that no bound is below zero. Raises InputError
    where the fit has no degree of freedom left, or `confidence` is none.
    """

    def predict(roofline: Roofline) -> FloatArray:
        return taken(roofline).pass_ms(rows, picks, context_tokens)

    return _interval(fit, predict, fit.sigma, confidence)


def call_interval(fit: ChipFit, passes: PassSizes, confidence: float = 0.9, taken: Taking = as_fitted) -> Interval:
    """The time of `passes` one after the other, the host's time left out.

    The fit's errors are the same in all of them, and so is what one pass size is off by itself; sizes that differ are
    off independently of each other.
    """
    counts = Counter(passes)
    if not counts:
        raise InputError("no passes; expected one or more")
    rows, picks, context = np.array(list(counts), dtype=np.float64).T
    times = np.array(list(counts.values()), dtype=np.float64)

    def predict(roofline: Roofline) -> FloatArray:
        return np.asarray(np.sum(times * taken(roofline).pass_ms(rows, picks, context)))

    shares = times * taken(fit.roofline).pass_ms(rows, picks, context) / predict(fit.roofline)
    return _interval(fit, predict, fit.sigma * float(np.sqrt(np.sum(shares**2))), confidence)


def _interval(fit: ChipFit, predict: Callable[[Roofline], FloatArray], own_sigma: float, confidence: float) -> Interval:
    if not 0 < confidence < 1:
        raise InputError(f"confidence: found {confidence}, expected a number between 0 and 1")
    if fit.freedom < 1:
        raise InputError("the fit has as many unknowns as timings, so that its errors are unknown")
    gradient = _log_gradient(fit, predict)
    variance = np.einsum("i...,ij,j...->...", gradient, fit.covariance, gradient) + own_sigma**2
    spread = np.exp(student_t.ppf((1 + confidence) / 2, fit.freedom) * np.sqrt(variance))
    ms = np.asarray(predict(fit.roofline))
    return Interval(np.asarray(ms / spread), ms, np.asarray(ms * spread))


def _log_gradient(fit: ChipFit, predict: Callable[[Roofline], FloatArray]) -> FloatArray:
    """By each unknown: shape (4, ...)."""
    at = [_log(fit, predict, fit.solution + step) for step in STEP * np.eye(len(fit.solution))]
    before = [_log(fit, predict, fit.solution - step) for step in STEP * np.eye(len(fit.solution))]
    return (np.array(at) - np.array(before)) / (2 * STEP)


def _log(fit: ChipFit, predict: Callable[[Roofline], FloatArray], solution: FloatArray) -> FloatArray:
    roofline = roofline_of(solution, fit.roofline.shape, fit.roofline.chip)
    return np.asarray(np.log(predict(roofline)))
