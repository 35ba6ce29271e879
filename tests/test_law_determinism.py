"""Determinism: the same seed gives the same commands and records."""

from dataclasses import replace

from hypothesis import given
from law_cases import small_cases
from strategies import all_names, examples, whims
from tracing import trace


@examples(40)
@given(small_cases, whims, all_names)
def test_determinism_the_same_seed_gives_the_same_commands_and_records(case, whim, schedule):
    first, again = (trace(schedule, replace(case).request, replace(whim).writer(case.vocabulary)) for _ in range(2))
    assert again.commands == first.commands
    assert again.record() == first.record()
