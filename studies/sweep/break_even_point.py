"""From which whole number on something pays, with the numbers that errors leave open."""

from collections.abc import Sequence
from dataclasses import dataclass

from studies.sweep.bounds import Bounds
from studies.sweep.crossing import from_where


@dataclass(frozen=True, slots=True)
class BreakEven:
    """From `value` on it pays, as far as was looked; None: not at the end either.

    `low` is from where on it may, `high` from where on it surely does: by the bounds that the truth lies between in
    90 % of cases; None too where nobody knows the errors.
    """

    value: int | None
    low: int | None
    high: int | None


def break_even(gains: Sequence[Bounds], first: int) -> BreakEven:
    """The break-even point of `gains`, how many times cheaper it gets at `first`, `first` + 1 and so on."""
    return BreakEven(
        from_where([gain.value > 1 for gain in gains], first),
        from_where([gain.high is not None and gain.high > 1 for gain in gains], first),
        from_where([gain.low is not None and gain.low > 1 for gain in gains], first),
    )


def in_brackets(point: BreakEven) -> str:
    """What errors leave open, in brackets behind a space; nothing where they leave nothing."""
    if point.low is None or point.low == point.value == point.high:
        return ""
    sure = "nowhere for sure" if point.high is None else f"for sure from {point.high}"
    return f" (from {point.low} possibly, {sure})"
