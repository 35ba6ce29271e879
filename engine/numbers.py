"""Numbers as JSON writes them, within bounds, as regular expressions with a bounded number of digits.

A number of free length never has to end: a model that is in love with a digit writes it until a limit cuts the call. So
where a schema gives no bound, the number of digits is bounded here. What that leaves out is no integer below 10 to the
40th and no number that a float can tell from its neighbour, but for those from 1e308 on.
"""

from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

MAX_INTEGER_DIGITS = 40
"""Digits before the point where the schema gives no bound."""

MAX_FRACTION_DIGITS = 20
"""Digits behind the point; the shortest text of a float that has no exponent takes no more."""

FLOAT_DIGITS = 15
"""Digits that a float always keeps: with no more than these, what is below a bound is not rounded up to it."""

_FRACTION = rf"(\.[0-9]{{1,{MAX_FRACTION_DIGITS}}})?"
_PLAIN = rf"-?(0|[1-9][0-9]{{0,{MAX_INTEGER_DIGITS - 1}}}){_FRACTION}"
_SMALL_EXPONENT = rf"-?(0|[1-9][0-9]{{0,{MAX_INTEGER_DIGITS - 1}}}){_FRACTION}[eE]([+]?[0-9]{{1,2}}|-[0-9]{{1,3}})"
_LARGE_EXPONENT = rf"-?[0-9]{_FRACTION}[eE][+]?([12][0-9]{{2}}|30[0-7])"

UNBOUNDED_NUMBER = f"({_PLAIN}|{_SMALL_EXPONENT}|{_LARGE_EXPONENT})"
"""Any number of RFC 8259 within the limits above; none of them is too large for a float."""


def is_at_digit_limit(text: str) -> bool:
    """Whether a number has as many digits, before or behind the point, as one without bounds may have."""
    whole, _, fraction = text.lstrip("-").lower().partition("e")[0].partition(".")
    return len(whole) >= MAX_INTEGER_DIGITS or len(fraction) >= MAX_FRACTION_DIGITS


def number_expression(kind: str, limits: Mapping[str, Any]) -> str | None:
    """The `integer`s or `number`s within a schema's bounds, as the body of a terminal in llguidance's Lark dialect.

    None where a keyword binds them that no such expression can say: `multipleOf`. Raises ValueError where there is
    none.
    """
    if "multipleOf" in limits:
        return None
    minimum, above, maximum, below = (
        Decimal(str(limits[key])) if key in limits else None
        for key in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
    )
    if kind == "integer":
        return f"/{integer_pattern(*integer_bounds(minimum, above, maximum, below))}/"
    return " & ".join(f"/{pattern}/" for pattern in number_patterns(minimum, above, maximum, below))


def integer_pattern(low: int | None, high: int | None) -> str:
    """The integers from `low` to `high`, None for no bound; neither fraction nor exponent, and no minus without need.

    Raises ValueError where there is none.
    """
    low, high = _capped(low, high)
    if low > high:
        raise ValueError(f"no integer is at least {low} and at most {high}")
    parts = []
    if low < 0:
        parts.append("-" + _naturals(max(0, -high), -low))
    if high >= 0:
        parts.append(_naturals(max(0, low), high))
    return _either(parts)


def integer_bounds(
    minimum: Decimal | None, above: Decimal | None, maximum: Decimal | None, below: Decimal | None
) -> tuple[int | None, int | None]:
    """The least and the greatest integer within inclusive and exclusive bounds, None where there is none."""
    lows = [int(minimum.to_integral_value(ROUND_CEILING))] if minimum is not None else []
    lows += [int(above.to_integral_value(ROUND_FLOOR)) + 1] if above is not None else []
    highs = [int(maximum.to_integral_value(ROUND_FLOOR))] if maximum is not None else []
    highs += [int(below.to_integral_value(ROUND_CEILING)) - 1] if below is not None else []
    return max(lows, default=None), min(highs, default=None)


def number_patterns(
    minimum: Decimal | None, above: Decimal | None, maximum: Decimal | None, below: Decimal | None
) -> tuple[str, ...]:
    """Expressions that a number within inclusive and exclusive bounds matches, each of them.

    Within bounds there is no exponent. Raises ValueError where no number is within them.
    """
    lows = [(bound, is_open) for bound, is_open in ((minimum, False), (above, True)) if bound is not None]
    highs = [(bound, is_open) for bound, is_open in ((maximum, False), (below, True)) if bound is not None]
    if not lows and not highs:
        return (UNBOUNDED_NUMBER,)
    _check_not_empty(lows, highs)
    shape = _shape([bound for bound, _ in (*lows, *highs)], [bound for bound, is_open in (*lows, *highs) if is_open])
    return (shape, *(_from(*low) for low in lows), *(_up_to(*high) for high in highs))


def _capped(low: int | None, high: int | None) -> tuple[int, int]:
    digits = max(MAX_INTEGER_DIGITS, *(len(str(abs(bound))) for bound in (low, high) if bound is not None), 0)
    most: int = 10**digits - 1
    return -most if low is None else low, most if high is None else high


def _check_not_empty(lows: list[tuple[Decimal, bool]], highs: list[tuple[Decimal, bool]]) -> None:
    for low, is_above in lows:
        for high, is_below in highs:
            if low > high or (low == high and (is_above or is_below)):
                raise ValueError(f"no number is {'above' if is_above else 'at least'} {low} and at most {high}")


def _shape(bounds: list[Decimal], open_bounds: list[Decimal]) -> str:
    whole = max(MAX_INTEGER_DIGITS, *(len(_split(bound)[0]) for bound in bounds))
    fraction = min([MAX_FRACTION_DIGITS, *(max(1, FLOAT_DIGITS - len(_split(bound)[0])) for bound in open_bounds)])
    return rf"-?(0|[1-9][0-9]{{0,{whole - 1}}})(\.[0-9]{{1,{fraction}}})?"


def _from(bound: Decimal, is_open: bool) -> str:
    """Every plain number of at least `bound`, or above it."""
    if bound < 0:
        return _either([r"[0-9].*", "-" + _at_most(-bound, is_open)])
    return _at_least(bound, is_open)


def _up_to(bound: Decimal, is_open: bool) -> str:
    """Every plain number of at most `bound`, or below it."""
    if bound < 0:
        return "-" + _at_least(-bound, is_open)
    if bound == 0:
        return _either(["-" + _at_least(bound, is_open), *([] if is_open else [r"0(\.0+)?"])])
    return _either(["-.*", _at_most(bound, is_open)])


def _at_least(bound: Decimal, is_open: bool) -> str:
    """Unsigned numbers of at least `bound`, which is 0 or more, or above it."""
    whole, fraction = _split(bound)
    larger = _naturals_from(int(whole) + 1) + r"(\.[0-9]+)?"
    if fraction:
        return _either([larger, rf"{whole}\.{_fraction_from(fraction, is_open)}"])
    return _either([larger, whole + (r"\.[0-9]*[1-9][0-9]*" if is_open else r"(\.[0-9]+)?")])


def _at_most(bound: Decimal, is_open: bool) -> str:
    """Unsigned numbers of at most `bound`, which is above 0, or below it."""
    whole, fraction = _split(bound)
    parts = [_naturals(0, int(whole) - 1) + r"(\.[0-9]+)?"] if int(whole) else []
    if fraction:
        parts.append(rf"{whole}(\.{_fraction_up_to(fraction, is_open)})?")
    elif not is_open:
        parts.append(rf"{whole}(\.0+)?")
    return _either(parts)


def _fraction_from(bound: str, is_open: bool) -> str:
    """Digits behind the point that are at least `bound`, which has no zero at its end."""
    if not bound:
        return "[0-9]*[1-9][0-9]*" if is_open else "[0-9]*"
    first, rest = bound[0], bound[1:]
    parts = [first + _fraction_from(rest, is_open)]
    if first < "9":
        parts.append(f"[{int(first) + 1}-9][0-9]*")
    return _either(parts)


def _fraction_up_to(bound: str, is_open: bool) -> str:
    """Digits behind the point, one at least, that are at most `bound`, which has no zero at its end."""
    first, rest = bound[0], bound[1:]
    parts = [f"[0-{int(first) - 1}][0-9]*"] if first > "0" else []
    if rest:
        parts.append(f"{first}({_fraction_up_to(rest, is_open)})?")
    elif not is_open:
        parts.append(f"{first}0*")
    return _either(parts)


def _split(bound: Decimal) -> tuple[str, str]:
    """The digits of a number before and behind the point, its sign left out."""
    whole, _, fraction = f"{abs(bound):f}".partition(".")
    return whole.lstrip("0") or "0", fraction.rstrip("0")


def _naturals_from(low: int) -> str:
    """Digits of the integers from `low` on, without end."""
    digits = str(low)
    same_length = _either(_between(digits, "9" * len(digits)))
    return _either([same_length, f"[1-9][0-9]{{{len(digits)},}}"])


def _naturals(low: int, high: int) -> str:
    """Digits of the integers from `low` to `high`, both 0 or more."""
    first, last = str(low), str(high)
    if len(first) == len(last):
        return _either(_between(first, last))
    parts = _between(first, "9" * len(first))
    if len(last) - len(first) > 1:
        parts.append(f"[1-9][0-9]{{{len(first)},{len(last) - 2}}}")
    return _either([*parts, *_between("1" + "0" * (len(last) - 1), last)])


def _between(low: str, high: str) -> list[str]:
    """Digits from `low` to `high`, which have the same length, as alternatives."""
    if not low:
        return [""]
    if low[0] == high[0]:
        return [low[0] + _either(_between(low[1:], high[1:]))]
    free = len(low) - 1
    is_whole_low, is_whole_high = not low[1:].strip("0"), not high[1:].strip("9")
    first = int(low[0]) + (not is_whole_low)
    last = int(high[0]) - (not is_whole_high)
    parts = [f"[{first}-{last}]" + (f"[0-9]{{{free}}}" if free else "")] if first <= last else []
    if not is_whole_low:
        parts.append(low[0] + _either(_between(low[1:], "9" * free)))
    if not is_whole_high:
        parts.append(high[0] + _either(_between("0" * free, high[1:])))
    return parts


def _either(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({'|'.join(parts)})"
