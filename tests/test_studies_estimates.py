"""Ratios over calls and their intervals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.estimates import Estimate, as_percent_more, paired_ratio

times_ms = st.floats(0.1, 1e5)
pairs = st.lists(st.tuples(times_ms, times_ms), min_size=2, max_size=20)


def by_call(values):
    return {f"c{n}": value for n, value in enumerate(values)}


def ratio_of(pairs):
    return paired_ratio(by_call(a for a, _ in pairs), by_call(b for _, b in pairs))


@given(pairs)
def test_the_ratio_is_that_of_the_geometric_means_and_lies_within_its_interval(pairs):
    found = ratio_of(pairs)
    logs = [math.log(a) - math.log(b) for a, b in pairs]
    assert found.value == pytest.approx(math.exp(sum(logs) / len(logs)))
    assert min(logs) - 1e-9 <= math.log(found.low) <= math.log(found.high) <= max(logs) + 1e-9
    assert found.low <= found.high


@given(pairs, st.floats(0.01, 100))
def test_a_faster_device_moves_no_ratio(pairs, factor):
    slower, same = ratio_of([(factor * a, factor * b) for a, b in pairs]), ratio_of(pairs)
    assert (slower.value, slower.low, slower.high) == pytest.approx((same.value, same.low, same.high))


def test_calls_that_are_long_for_both_sides_are_no_error():
    found = ratio_of([(2.0 * ms, ms) for ms in (10.0, 100.0, 5000.0)])
    assert (found.value, found.low, found.high) == pytest.approx((2.0, 2.0, 2.0))


def test_the_interval_is_about_that_of_the_normal_distribution_over_many_calls():
    logs = np.random.default_rng(1).normal(0.5, 0.3, 400)
    found = paired_ratio(by_call(np.exp(logs)), by_call(np.ones(400)))
    half = 1.96 * logs.std() / 20
    assert (math.log(found.low), math.log(found.high)) == pytest.approx(
        (logs.mean() - half, logs.mean() + half), abs=2e-3
    )


def test_the_order_of_the_other_sides_calls_does_not_matter_and_one_call_has_no_interval():
    assert paired_ratio({"a": 4.0, "b": 9.0}, {"b": 3.0, "a": 2.0}).value == pytest.approx(math.sqrt(6))
    assert paired_ratio({"a": 4.0}, {"a": 2.0}) == Estimate(pytest.approx(2.0), None, None)


@pytest.mark.parametrize(
    ("ratio", "percent"),
    [(Estimate(1.5, 1.25, 2.0), Estimate(50.0, 25.0, 100.0)), (Estimate(0.5), Estimate(-50.0))],
)
def test_a_ratio_in_percent_more(ratio, percent):
    assert as_percent_more(ratio) == percent
