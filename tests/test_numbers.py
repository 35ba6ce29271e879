"""Numbers within bounds, as expressions with a bounded number of digits."""

import json
import re
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.numbers import (
    MAX_FRACTION_DIGITS,
    MAX_INTEGER_DIGITS,
    UNBOUNDED_NUMBER,
    integer_bounds,
    integer_pattern,
    is_at_digit_limit,
    number_expression,
    number_patterns,
)

integers = st.one_of(st.integers(-130, 130), st.integers(-(10**25), 10**25))
decimals = st.one_of(
    st.integers(-30, 30).map(Decimal), st.decimals(-1000, 1000, places=2), st.decimals(-2, 2, places=6)
)
steps = st.sampled_from([Decimal(0), *(Decimal(sign * 10) ** -n for n in range(4) for sign in (1,))])


def matches(patterns, text: str) -> bool:
    return all(re.fullmatch(pattern, text) for pattern in patterns)


@given(st.none() | integers, st.none() | integers, integers, st.sampled_from((-1, 0, 1)))
def test_an_integer_matches_where_it_is_within_the_bounds(low, high, value, step):
    assume(low is None or high is None or low <= high)
    for number in (value, *(bound + step for bound in (low, high) if bound is not None)):
        is_within = (low is None or number >= low) and (high is None or number <= high)
        assert matches([integer_pattern(low, high)], str(number)) is is_within


@given(st.lists(st.none() | decimals, min_size=4, max_size=4), decimals, steps, st.integers(0, 2))
def test_a_number_matches_where_it_is_within_the_bounds(bounds, value, step, zeros):
    minimum, above, maximum, below = bounds
    try:
        patterns = number_patterns(minimum, above, maximum, below)
    except ValueError:
        return
    near = [bound + sign * step for bound in bounds if bound is not None for sign in (1, -1)]
    for number in (value, *near):
        is_within = (
            (minimum is None or number >= minimum)
            and (above is None or number > above)
            and (maximum is None or number <= maximum)
            and (below is None or number < below)
        )
        text = f"{number:f}"
        text += "0" * zeros if "." in text else ""
        if not text.startswith("-0") or number != 0:
            assert matches(patterns, text) is is_within


@given(st.floats(-1e307, 1e307))
def test_every_float_has_a_text_that_is_a_number_without_bounds(value):
    assert matches([UNBOUNDED_NUMBER], json.dumps(value))


@given(st.from_regex(UNBOUNDED_NUMBER, fullmatch=True))
def test_no_number_without_bounds_is_too_large_for_a_float(text):
    assert abs(float(text)) != float("inf")
    json.loads(text)


@given(decimals, st.integers(1, 14))
def test_what_is_below_an_open_bound_is_so_as_a_float_too(bound, nines):
    below = bound - Decimal(10) ** -nines
    if matches(number_patterns(None, None, None, bound), f"{below:f}"):
        assert float(below) < float(bound)


@pytest.mark.parametrize(
    ("bounds", "integers"),
    [
        ((Decimal("0.5"), None, Decimal("2.5"), None), (1, 2)),
        ((None, Decimal(0), None, Decimal(3)), (1, 2)),
        ((Decimal(1), Decimal(1), None, None), (2, None)),
        ((None, None, Decimal("-0.5"), Decimal(0)), (None, -1)),
    ],
)
def test_bounds_of_integers_are_whole(bounds, integers):
    assert integer_bounds(*bounds) == integers


@pytest.mark.parametrize("limits", [{"minimum": 3, "maximum": 2}, {"minimum": 1, "exclusiveMaximum": 1}])
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_bounds_with_nothing_between_are_an_error(kind, limits):
    with pytest.raises(ValueError, match=f"no {kind} is"):
        number_expression(kind, limits)


def test_no_expression_says_multiple_of():
    assert number_expression("integer", {"multipleOf": 5}) is None


def test_an_integer_without_bounds_ends():
    pattern = integer_pattern(None, None)
    assert matches([pattern], "9" * MAX_INTEGER_DIGITS)
    assert not matches([pattern], "9" * (MAX_INTEGER_DIGITS + 1))


@pytest.mark.parametrize(
    ("text", "is_at_limit"),
    [
        ("7", False),
        ("-0.5e12", False),
        ("1" * MAX_INTEGER_DIGITS, True),
        ("-" + "1" * MAX_INTEGER_DIGITS, True),
        ("1" * (MAX_INTEGER_DIGITS - 1), False),
        ("0." + "1" * MAX_FRACTION_DIGITS + "E5", True),
        ("0." + "1" * (MAX_FRACTION_DIGITS - 1), False),
    ],
)
def test_a_number_that_a_limit_closed_can_be_told(text, is_at_limit):
    assert is_at_digit_limit(text) is is_at_limit
