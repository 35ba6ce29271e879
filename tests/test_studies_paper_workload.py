"""Which calls a study prices: how many get an optional argument, and which."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies.paper.reading import Reading
from studies.paper.workload import Answers, with_optional


@st.composite
def answers(draw):
    count = draw(st.integers(4, 40))
    arguments = draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))
    kinds = draw(st.lists(st.sampled_from(["has", "may", "none"]), min_size=count, max_size=count))
    longer = [count + place if kind == "may" else -1 for place, kind in enumerate(kinds)]
    return Answers(np.array(arguments), np.array([kind == "has" for kind in kinds]), np.array(longer))


def added_share(chosen, draw, of_group, known):
    longer = chosen[of_group] != draw[of_group]
    return (longer | known.has_optional[draw[of_group]]).mean()


@given(answers(), st.floats(0, 1), st.floats(0, 1))
def test_as_many_calls_get_an_optional_argument_as_a_reading_says_as_far_as_they_may(known, share, three_share):
    reading = Reading(most_arguments=None, optional_share=share, three_optional_share=three_share)
    draw = np.arange(len(known.arguments))
    chosen = with_optional(draw, known, reading, np.random.default_rng(0))
    for arguments in set(known.arguments.tolist()):
        of_group = known.arguments == arguments
        wanted = round((three_share if arguments == 3 else share) * of_group.sum()) / of_group.sum()
        least = known.has_optional[of_group].mean()
        most = (known.has_optional | known.may_add)[of_group].mean()
        assert added_share(chosen, draw, of_group, known) == pytest.approx(min(max(wanted, least), most))


@given(answers())
def test_each_chosen_call_is_the_drawn_one_or_its_longer_answer(known):
    draw = np.arange(len(known.arguments))
    chosen = with_optional(draw, known, Reading(), np.random.default_rng(0))
    assert np.all((chosen == draw) | (chosen == known.longer))


@given(answers())
def test_without_a_share_answers_stay_as_short_as_they_may(known):
    draw = np.arange(len(known.arguments))
    reading = Reading(optional_share=None, three_optional_share=None)
    assert np.array_equal(with_optional(draw, known, reading, np.random.default_rng(0)), draw)
