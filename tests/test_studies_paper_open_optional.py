"""How variants with optional arguments in the skeleton may run."""

import numpy as np
import pytest
from paper_points import SETTING, column
from tiny_paper import Run, table, tiny_setting

from engine.commands import Phase, Status
from studies.paper.open_optional import (
    ONE_BY_ONE,
    SIDE_BY_SIDE,
    THEN_ONE_BY_ONE,
    WRITTEN_FIRST,
    Variant,
    longer_reading,
    optional_in_skeleton,
)

POINT = optional_in_skeleton(SETTING)
PLAIN = Run([(Phase.SKELETON, 9, 1), (Phase.VALUES, 1, 1), (Phase.WRITE_BACK, 5, 1)], status=Status.CORRECTED)
WITH_ALL = Run(
    [(Phase.SKELETON, 15, 2), (Phase.VALUES, 4, 2), (Phase.VALUES, 4, 2), (Phase.WRITE_BACK, 8, 0)],
    final=3,
    arguments=3,
)
VARIANT = Variant(tiny_setting({}), table("optional_all", [WITH_ALL]), table("schemaweaver", [PLAIN]))


def test_a_variants_start_is_reckoned_by_each_reading():
    """A pass of n rows takes 11 + n ms: 26 for the skeleton, 15 for each pass of values, 12 for a serial one."""
    assert VARIANT.start_ms == pytest.approx([26 + 15 + 15])
    assert VARIANT.one_by_one_ms() == pytest.approx([26 + 4 * 12])
    assert VARIANT.then_one_by_one_ms() == pytest.approx([26 + 12 + 3 * 12])
    assert VARIANT.written_first_ms() == pytest.approx([26 + 15 + 15 + 19])
    # Two passes and the skeleton's pick are three tokens.
    assert VARIANT.longer_ms(3) == pytest.approx(VARIANT.start_ms)
    assert VARIANT.longer_ms(5) == pytest.approx([26 + 4 * 15])


def test_only_absent_values_are_longer_and_only_calls_with_an_optional_argument_wait():
    without = Run(PLAIN.passes, status=Status.CONFIRMED, arguments=3)
    same = Variant(VARIANT.setting, VARIANT.table, table("schemaweaver", [without]))
    for ms in (same.longer_ms(20), same.written_first_ms()):
        assert np.array_equal(ms, same.start_ms)


def test_no_reading_brings_all_three_to_what_is_printed():
    for outcome in POINT.outcomes:
        known = [abs(number) for number in outcome.numbers[:3] if number is not None]
        assert max(known) > 0.1 or len(known) == 1, outcome


def errors(reading: str) -> list[float]:
    names = ("arguments_given", "optional_first", "optional_all")
    numbers = [POINT.number(reading, f"speed-up by {name}") for name in names]
    return [number for number in numbers if number is not None]


def test_values_one_by_one_meet_the_two_that_are_off_and_make_optional_first_too_slow():
    given, first, all_written = errors(ONE_BY_ONE)
    assert max(abs(given), abs(all_written)) < 0.01
    assert first == pytest.approx(-1 / 7, abs=0.01)


def test_optional_values_behind_the_required_ones_take_a_third_of_the_error():
    for before, after in list(zip(errors(SIDE_BY_SIDE), errors(THEN_ONE_BY_ONE), strict=True))[::2]:
        assert before == pytest.approx(1 / 6, abs=0.01)
        assert 1 - after / before == pytest.approx(1 / 3, abs=0.07)


def test_all_are_too_slow_where_the_write_back_comes_first():
    assert max(errors(WRITTEN_FIRST)) < -0.05


def test_absent_values_would_need_more_than_8_tokens_and_less_than_16():
    (short,), (long,) = errors(longer_reading(8)), errors(longer_reading(16))
    assert short > 0.05 > 0 > long


def test_the_mean_is_over_readings_of_all_three():
    assert len(column(POINT, "mean error")) == 4
