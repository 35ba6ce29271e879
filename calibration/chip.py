"""From timed passes of a model of known shape to the figures of the chip that ran them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import OptimizeResult, least_squares
from scipy.stats import t as student_t

from calibration.known import Known
from cost_models.chip import Chip
from cost_models.chip_unknowns import UNKNOWNS, with_unknowns
from cost_models.conditions import AS_MEASURED, Conditions
from cost_models.fit_errors import FitErrors
from cost_models.interval import Uncertain
from cost_models.measured_range import MeasuredRange
from cost_models.model_shape import ModelShape
from cost_models.protocol import FloatArray
from cost_models.roofline import Roofline
from engine.errors import InputError

STARTS = (0.2, 0.5, 0.9)
"""Overlaps to start from: the cost has a bend where traffic and compute are equal."""
LEAST_RATIO = 1 / 64
"""A whole tile that took longer than so many times its rows one by one would be no tile."""


@dataclass(frozen=True, slots=True)
class Timing:
    """A pass of this size took `ms`, the host's part left out.

    `bus_mhz` is the memory bus's clock then; None: the one that the chip's figures hold for.
    """

    rows: int
    picks: int
    context_tokens: int
    ms: float
    bus_mhz: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ChipFit:
    """A fitted roofline with what its uncertainty needs.

    `solution`, shape (4,), is in the order of UNKNOWNS and `covariance`, shape (4, 4), is its. `residuals`, shape
    (timings,), are log(predicted / measured), bus level by bus level: about relative errors. `sigma` is their standard
    deviation with `freedom` degrees of freedom; with none it is 0 and says nothing.
    """

    roofline: Roofline
    solution: FloatArray
    covariance: FloatArray
    residuals: FloatArray
    sigma: float
    freedom: int

    def errors(self, confidence: float = 0.9) -> FitErrors:
        """What the fit leaves open, with bounds of that confidence.

        Raises InputError where the fit has no degree of freedom left, or `confidence` is none.
        """
        if not 0 < confidence < 1:
            raise InputError(f"confidence: found {confidence}, expected a number between 0 and 1")
        if self.freedom < 1:
            raise InputError("the fit has as many unknowns as timings, so that its errors are unknown")
        return FitErrors(
            covariance=tuple(tuple(row) for row in self.covariance.tolist()),
            sigma=self.sigma,
            quantile=float(student_t.ppf((1 + confidence) / 2, self.freedom)),
        )

    def uncertain(self, conditions: Conditions = AS_MEASURED, confidence: float = 0.9) -> Uncertain:
        """The roofline under other conditions, with its errors."""
        cost = self.roofline.at(conditions).model
        return Uncertain(cost=cost, origin=self.roofline, errors=self.errors(confidence), conditions=conditions)


def fit_chip(timings: Sequence[Timing], shape: ModelShape, like: Chip, known: Known | None = None) -> ChipFit:
    """The bandwidth, rates and overlap with the least squared relative errors over `timings`.

    All else is as in `like`: the tile (`calibration.tile` finds one), the host's time, clocks and cores; its figures
    are where the search starts. At another clock of the bus than its own, bandwidth goes with the clock. What is
    `known` counts beside the timings, of which two are enough then. Raises InputError where there are fewer timings
    than unknowns, one is not positive or tells of a bus that `like` does not know.
    """
    _check(timings, like, len(UNKNOWNS) if known is None else 2)
    levels = _levels(timings, like)

    def residuals(solution: FloatArray) -> FloatArray:
        roofline = Roofline(shape=shape, chip=with_unknowns(like, solution))
        return np.concatenate([*(level.errors(roofline) for level in levels), _beyond(known, solution)])

    found = _least(residuals, like)
    freedom = len(timings) - len(UNKNOWNS) if known is None else known.freedom
    sigma = _sigma(found.fun, freedom) if known is None else known.sigma
    roofline = Roofline(shape=shape, chip=with_unknowns(like, found.x), measured=_range(timings))
    # The pseudo-inverse leaves out what the timings say nothing of, such as a rate that always hides behind traffic.
    jacobian: FloatArray = np.asarray(found.jac)
    covariance = sigma**2 * np.linalg.pinv(jacobian.T @ jacobian)
    residual = np.asarray(found.fun)[: len(timings)]
    return ChipFit(roofline, np.asarray(found.x), np.asarray(covariance), residual, sigma, freedom)


def _least(residuals: Callable[[FloatArray], FloatArray], like: Chip) -> OptimizeResult:
    starts = [_start(like, overlap) for overlap in STARTS]
    return min((least_squares(residuals, start, bounds=_bounds(like)) for start in starts), key=_cost)


def _beyond(known: Known | None, solution: FloatArray) -> FloatArray:
    return np.empty(0) if known is None else known.residuals(solution)


def _sigma(residuals: FloatArray, freedom: int) -> float:
    return float(np.sqrt(np.sum(residuals**2) / freedom)) if freedom else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """The timings at one clock of the bus: sizes, shape (3, timings), and the logs of their times."""

    bus_mhz: float | None
    sizes: FloatArray
    log_ms: FloatArray

    def errors(self, roofline: Roofline) -> FloatArray:
        at_level = roofline.at(Conditions(bus_mhz=self.bus_mhz)).model
        rows, picks, context = self.sizes
        return np.asarray(np.log(at_level.pass_ms(rows, picks, context)) - self.log_ms)


def _levels(timings: Sequence[Timing], like: Chip) -> list[_Level]:
    clocks = [like.bus_mhz if each.bus_mhz is None else each.bus_mhz for each in timings]
    return [
        _level(clock, [each for each, own in zip(timings, clocks, strict=True) if own == clock])
        for clock in dict.fromkeys(clocks)
    ]


def _level(bus_mhz: float | None, timings: Sequence[Timing]) -> _Level:
    sizes = np.array([(each.rows, each.picks, each.context_tokens) for each in timings], dtype=np.float64)
    return _Level(bus_mhz, sizes.T, np.log([each.ms for each in timings]))


def _start(like: Chip, overlap: float) -> FloatArray:
    ratio = np.clip(like.gemm_gmac_s / like.gemv_gmac_s, LEAST_RATIO * 1.01, like.tile_rows * 0.99)
    return np.array([np.log(like.bandwidth_gb_s), np.log(like.gemv_gmac_s), np.log(ratio), overlap])


def _bounds(like: Chip) -> tuple[list[float], list[float]]:
    return [-np.inf, -np.inf, float(np.log(LEAST_RATIO)), 0.0], [np.inf, np.inf, float(np.log(like.tile_rows)), 1.0]


def _cost(result: OptimizeResult) -> float:
    return float(result.cost)


def _range(timings: Sequence[Timing]) -> MeasuredRange:
    contexts = [each.context_tokens for each in timings]
    return MeasuredRange(
        rows=max(each.rows for each in timings),
        picks=max(1, *(each.picks for each in timings)),
        context_tokens=(min(contexts), max(contexts)),
    )


def _check(timings: Sequence[Timing], like: Chip, least: int) -> None:
    if len(timings) < least:
        raise InputError(f"{len(timings)} timings; expected {least} or more, one for each unknown")
    for timing in timings:
        if not 0 < timing.ms < float("inf"):
            raise InputError(f"{timing}: ms must be a finite number above 0")
        if timing.bus_mhz is not None and like.bus_mhz is None:
            raise InputError(f"{timing}: {like.name} does not say at which bus_mhz its own figures hold")
