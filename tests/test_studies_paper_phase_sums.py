"""Sums of phases call by call, and means over some of each draw's calls."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_paper import COST, Run, table

from engine.commands import Phase
from studies.paper.estimate import geometric_means, means
from studies.paper.phase_sums import (
    call_sums,
    first_of_phase,
    geometric_means_within,
    means_within,
    of_phase,
    passes_ms,
)

RUNS = [
    Run([(Phase.SKELETON, 8, 2), (Phase.WRITE_BACK, 5, 1), (Phase.OPTIONAL, 1, 1), (Phase.WRITE_BACK, 2, 0)], final=3),
    Run([(Phase.WRITE_BACK, 3, 0)]),
    Run([(Phase.SERIAL, 1, 1)]),
]


def test_passes_behind_the_final_call_are_in_the_sums():
    runs = table("schemaweaver", RUNS)
    written = of_phase(runs, Phase.WRITE_BACK)
    assert call_sums(runs, written).tolist() == [2, 1, 0]
    assert call_sums(runs, written, runs.rows).tolist() == [7, 3, 0]


def test_the_first_pass_of_a_phase_is_one_of_each_run_that_has_it():
    runs = table("schemaweaver", RUNS)
    assert call_sums(runs, first_of_phase(runs, Phase.WRITE_BACK), runs.rows).tolist() == [5, 3, 0]
    assert not first_of_phase(runs, Phase.NAME).any()


def test_a_pass_counts_with_the_hosts_time():
    runs = table("schemaweaver", RUNS)
    assert passes_ms(runs, COST).tolist() == [19, 16, 12, 13, 14, 12]


def test_draws_without_such_calls_are_left_out():
    numbers, within = np.array([1.0, 5.0, 100.0]), np.array([True, True, False])
    assert means_within(numbers, within, np.array([[0, 1, 2], [2, 2, 2], [1, 2, 1]])).tolist() == [3, 5]


def test_a_geometric_mean_looks_at_those_calls_alone():
    numbers, within = np.array([2.0, 8.0, 0.0]), np.array([True, True, False])
    assert geometric_means_within(numbers, within, np.array([[0, 1, 2]])) == pytest.approx([4.0])


@given(st.lists(st.floats(0.1, 1e4), min_size=3, max_size=8), st.randoms(use_true_random=False))
def test_over_all_calls_the_means_are_the_plain_ones(numbers, random):
    values, everywhere = np.array(numbers), np.ones(len(numbers), dtype=bool)
    draws = np.array([[random.randrange(len(numbers)) for _ in range(4)] for _ in range(3)])
    assert means_within(values, everywhere, draws) == pytest.approx(means(values, draws))
    assert geometric_means_within(values, everywhere, draws) == pytest.approx(geometric_means(values, draws))
