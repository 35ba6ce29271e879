"""Equality: constrained, jump-forward and verified schedules return the same call under equal logits, the paper's too
where no value depends on another."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import ALIKE, HYBRID, LIMIT, TEXT, Copying, kinds, model, small_cases
from reckoning import canonical_tokens
from strategies import EXACT, Case, examples, schedule_names, whims
from tracing import trace

from cost_models import AffineCost
from cost_models.phones import read_phone
from engine.capabilities import ATTENTION
from engine.formats import FUNCTIONGEMMA
from engine.tools import Tool


@examples(80)
@given(small_cases, schedule_names)
def test_equality_every_schedule_returns_the_call_that_the_model_will_write(case, schedule):
    run = trace(schedule, replace(case.request, max_call_tokens=4000), case.oracle())
    assert run.call.text == case.text
    assert run.call.arguments == case.arguments


@examples(120)
@given(small_cases, whims, kinds, st.integers(1, LIMIT))
def test_equality_exact_schedules_decide_the_tokens_of_constrained_decoding(case, whim, kind, limit):
    request = replace(case.request, max_call_tokens=limit)
    plain = trace("constrained", request, model(case, whim, kind))
    for schedule in EXACT:
        other = trace(schedule, request, model(case, whim, kind))
        assert (schedule, other.call, other.trunk_call_tokens) == (schedule, plain.call, plain.trunk_call_tokens)


@examples(40)
@given(small_cases, schedule_names, st.integers(1, LIMIT))
def test_equality_a_call_is_cut_where_it_is_longer_than_the_limit_and_nowhere_else(case, schedule, limit):
    run = trace(schedule, replace(case.request, max_call_tokens=limit), case.oracle())
    fits = len(canonical_tokens(case)) <= limit
    assert run.call.is_complete == fits


@pytest.mark.parametrize("memory", [ATTENTION, HYBRID], ids=["attention", "hybrid"])
@pytest.mark.parametrize("schedule", ["constrained", *EXACT])
def test_equality_a_value_that_depends_on_another_is_written_as_serial_decoding_does(schedule, memory):
    case = replace(ALIKE, capabilities=memory, prices=read_phone("oneplus-12r").table)
    assert trace(schedule, case.request, Copying(case)).call.arguments == {"a": "Tokyo", "b": "Tokyo"}


MATH = Tool("math", "", {"properties": {"city": TEXT, "a": TEXT}, "required": ["city", "a"]})


@pytest.mark.parametrize("tile_rows", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("schedule", EXACT)
@pytest.mark.parametrize("device", [AffineCost(base_ms=20.0, row_ms=0.1), None], ids=["cheap rows", "no prices"])
def test_equality_a_guessed_name_leaves_its_end_to_the_arguments_that_it_may_merge_with(schedule, tile_rows, device):
    """The tokens are those of `math{city:` and, in the branch of `a`, of `math` and `{a:`."""
    values = {"city": "<escape>Tokyo<escape>", "a": "<escape>x<escape>"}
    tools = (MATH, Tool("math.add", "", {}))
    case = Case(tools, MATH, values, "toy", FUNCTIONGEMMA, tile_rows=tile_rows, said="math", prices=device)
    assert trace(schedule, case.request, case.oracle()).call.text == case.text
