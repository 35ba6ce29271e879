"""Drawing calls evenly over their number of arguments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InputError
from sim.draws import even_draws

ARGUMENTS = st.lists(st.integers(0, 9), min_size=1, max_size=60).filter(any).map(np.array)


@given(ARGUMENTS, st.data())
def test_a_draw_takes_none_twice_and_none_without_arguments(arguments, data):
    calls = data.draw(st.integers(1, int((arguments > 0).sum())))
    for draw in even_draws(arguments, calls, 3, seed=1):
        assert len(set(draw.tolist())) == calls
        assert (arguments[draw] > 0).all()


@given(ARGUMENTS, st.data(), st.one_of(st.none(), st.integers(1, 9)))
def test_numbers_of_arguments_are_drawn_alike_as_far_as_there_are_calls(arguments, data, most):
    calls = data.draw(st.integers(1, int((arguments > 0).sum())))
    groups = arguments if most is None else np.minimum(arguments, most)
    for draw in even_draws(arguments, calls, 2, seed=0, most=most):
        drawn, there = (np.bincount(g[g > 0], minlength=10) for g in (groups[draw], groups))
        left = drawn[drawn < there]
        assert len(left) == 0 or drawn.max() <= left.min() + 1


def test_the_same_seed_draws_the_same_calls_and_another_one_others():
    arguments = np.repeat([1, 2, 3, 4], 50)
    first, again, other = (even_draws(arguments, 40, 5, seed) for seed in (3, 3, 4))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(first[0], first[1])


@pytest.mark.parametrize("calls", [0, 3])
def test_too_many_calls_and_none_are_refused(calls):
    with pytest.raises(InputError, match=f"{calls} calls were asked for; those with arguments are 2"):
        even_draws(np.array([0, 1, 2]), calls, 1, seed=0)
