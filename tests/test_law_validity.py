"""Validity: whatever tokens the model prefers, the returned call parses and validates against the tool's schema."""

from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from law_cases import TWO, small_cases
from strategies import CONSTRAINED, WRITING, Case, Whim, constrained_names, examples, whims
from toy_vocabulary import VOCABULARIES
from tracing import trace
from valid_calls import check_validity

from engine.commands import Status
from engine.numbers import MAX_INTEGER_DIGITS
from engine.tools import Tool
from sim.random_writer import RandomWriter


@examples(80)
@given(small_cases, whims, constrained_names)
def test_validity_a_returned_call_parses_and_validates_whatever_the_model_prefers(case, whim, schedule):
    run = trace(schedule, case.request, whim.writer(case.vocabulary))
    event(f"complete: {run.call.is_complete}")
    if run.call.is_complete:
        check_validity(run.call, case)
    else:
        assert run.call.arguments is None
        assert run.emits[-1].status is Status.INCOMPLETE


@examples(40)
@given(small_cases, st.integers(0, 2**32), constrained_names)
def test_validity_holds_for_a_model_that_closes_all_it_can(case, seed, schedule):
    """Such a model nearly always ends its calls, so that complete ones are tested for sure."""
    whim = Whim(seed, ('"', '"}', '",', "}}", "}", "]", ","), bonus=12.0)
    tools = tuple(replace(tool, parameters=with_short_values(tool.parameters)) for tool in case.tools)
    case = replace(case, tools=tools, max_call_tokens=400)
    run = trace(schedule, case.request, whim.writer(case.vocabulary))
    assert run.call.is_complete
    check_validity(run.call, case)


def with_short_values(parameters: dict) -> dict:
    """`parameters` with every argument a short string or an array of them, or what it is fixed to."""
    short = {"type": "string", "maxLength": 8}
    plain = [short, {"type": "array", "items": short, "maxItems": 3}]
    named = enumerate(parameters["properties"].items())
    properties = {n: s if {"enum", "const"} & set(s) else plain[i % 2] for i, (n, s) in named}
    return {**parameters, "properties": properties}


@pytest.mark.parametrize("schedule", WRITING)
@pytest.mark.parametrize(("kind", "favourite"), [("string", "a"), ("array", "[")])
def test_validity_a_value_that_never_ends_is_cut_and_has_no_arguments(schedule, kind, favourite):
    tool = Tool("get", "", {"properties": {"a": {"type": kind}}, "required": ["a"]})
    case = Case((tool,), tool, {}, max_call_tokens=60)
    run = trace(schedule, case.request, Whim(1, (favourite,), bonus=50.0).writer(case.vocabulary))
    assert (run.call.name, run.call.arguments) == ("get", None)
    assert [emit.status for emit in run.emits] == [Status.INCOMPLETE]


@pytest.mark.parametrize("schedule", WRITING)
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_validity_a_number_that_never_ends_is_closed_by_the_limit_of_its_digits(schedule, kind):
    tool = Tool("get", "", {"properties": {"a": {"type": kind}}, "required": ["a"]})
    case = Case((tool,), tool, {}, max_call_tokens=100)
    run = trace(schedule, case.request, Whim(1, ("1",), bonus=50.0).writer(case.vocabulary))
    assert run.call.number_texts == {"a": "1" * MAX_INTEGER_DIGITS}
    assert run.call.numbers_at_limit == ("a",)


@pytest.mark.parametrize("schedule", CONSTRAINED)
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_validity_a_model_that_wants_what_is_never_allowed_writes_a_call_all_the_same(vocabulary, schedule):
    """Markers, the end of text, and bytes that no text has are its first choices at every step."""
    schema = {"type": "string", "maxLength": 3}
    properties = {"a": schema, "b": {"type": "integer", "maximum": 99}, "o": schema}
    tool = Tool("get", "", {"properties": properties, "required": ["a", "b"]}, read_only=True)
    case = Case((tool, replace(tool, name="get_all")), tool, {}, vocabulary)
    forbidden = [*range(case.vocabulary.size - 8, case.vocabulary.size), 0x00, 0xC0, 0xFF]
    run = trace(schedule, case.request, RandomWriter(3, case.vocabulary.size, forbidden, bonus=50.0))
    check_validity(run.call, case)


def test_unconstrained_such_a_model_writes_no_call():
    case = Case((TWO,), TWO, {"a": '"x"', "b": '"y"'})
    end = case.vocabulary.end_token
    run = trace("unconstrained", case.request, RandomWriter(3, case.vocabulary.size, [end], bonus=50.0))
    assert (run.call.name, run.call.arguments) == ("", None)
    assert run.trunk_call_tokens[1:] == (end,)
