"""From passes timed at several clocks of the memory bus to the part of a pass that waits for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

import numpy as np
from scipy.optimize import nnls

from cost_models import MeasuredTable
from cost_models.table import FLOOR_MS
from engine.errors import InputError


@dataclass(frozen=True, slots=True, order=True)
class BusTiming:
    """A pass of this size took `ms` with the memory bus at `bus_mhz`."""

    rows: int
    picks: int
    context_tokens: int
    bus_mhz: float
    ms: float


@dataclass(frozen=True, slots=True)
class BusLine:
    """Passes of one size as `fixed_ms + bus_ms * highest_mhz / f`; both parts are milliseconds at the highest level.

    `residuals`, shape (timings,), are predicted / measured - 1 in the order of `bus_mhz`: zeros where there were two
    levels only, which any such line meets.
    """

    rows: int
    picks: int
    context_tokens: int
    fixed_ms: float
    bus_ms: float
    bus_mhz: tuple[float, ...]
    residuals: tuple[float, ...]


def fit_bus_lines(timings: Iterable[BusTiming]) -> tuple[BusLine, ...]:
    """A line for each pass size, by non-negative least squares in relative errors.

    Raises InputError where a size was timed at one level only, or a timing is not positive.
    """
    in_order = sorted(timings)
    if not in_order:
        raise InputError("no bus timings; expected two or more levels of each pass size")
    for timing in in_order:
        if not (timing.ms > 0 and timing.bus_mhz > 0):
            raise InputError(f"{timing}: bus_mhz and ms must be above 0")
    highest = max(timing.bus_mhz for timing in in_order)
    return tuple(_line(list(group), highest) for _, group in groupby(in_order, key=_size))


def bus_range_mhz(timings: Iterable[BusTiming]) -> tuple[float, float]:
    """The lowest and the highest level."""
    levels = [timing.bus_mhz for timing in timings]
    return min(levels), max(levels)


def fit_bus_part(timings: Sequence[BusTiming]) -> MeasuredTable:
    """What of a pass waits for the bus at the highest level of `timings`.

    Timings of one row are needed, and of one more row count. Between row counts the part lies on straight lines; more
    rows never wait less than fewer, since they read the same weights. Raises InputError on timings that tell less.
    """
    lines = fit_bus_lines(timings)
    by_rows = {rows: [line.bus_ms for line in group] for rows, group in groupby(lines, key=lambda line: line.rows)}
    if len(by_rows) < 2 or 1 not in by_rows:
        raise InputError(f"bus timings need one row and one more row count; found {sorted(by_rows)}")
    means = [max(float(np.mean(each)), FLOOR_MS) for each in by_rows.values()]
    contexts = [line.context_tokens for line in lines]
    return MeasuredTable(
        row_counts=tuple(by_rows),
        row_ms=tuple(accumulate(means, max)),
        reference_tokens=round(float(np.median(contexts))),
        context_range_tokens=(1, max(contexts)),
        max_picks=max(1, *(line.picks for line in lines)),
    )


def _size(timing: BusTiming) -> tuple[int, int, int]:
    return timing.rows, timing.picks, timing.context_tokens


def _line(timings: Sequence[BusTiming], highest_mhz: float) -> BusLine:
    if len({timing.bus_mhz for timing in timings}) < 2:
        rows, picks, context = _size(timings[0])
        raise InputError(f"{rows} rows, {picks} picks, {context} tokens: one bus level; expected two or more")
    measured = np.array([timing.ms for timing in timings])
    design = np.array([[1.0, highest_mhz / timing.bus_mhz] for timing in timings]) / measured[:, np.newaxis]
    solution, _ = nnls(design, np.ones(len(timings)))
    fixed_ms, bus_ms = solution.tolist()
    residuals = tuple((design @ solution - 1.0).tolist())
    return BusLine(*_size(timings[0]), fixed_ms, bus_ms, tuple(timing.bus_mhz for timing in timings), residuals)
