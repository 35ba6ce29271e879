"""Memory: in the end the trunk holds exactly the prompt and the call's canonical tokens, and every branch is gone."""

from dataclasses import replace

import pytest
from extent import name_of, rotated
from hypothesis import given
from hypothesis import strategies as st
from law_cases import LIMIT, kinds, model, small_cases
from reckoning import canonical_tokens
from strategies import WRITING, Case, all_names, examples, schedule_names, whims
from toy_vocabulary import VOCABULARIES
from tracing import trace

from engine.commands import TRUNK
from engine.formats import FORMATS
from engine.notation import write_value
from engine.tools import Tool


@examples(60)
@given(small_cases, whims, kinds, all_names)
def test_memory_only_the_trunk_is_left_and_holds_the_prompt_and_the_call(case, whim, kind, schedule):
    run = trace(schedule, case.request, model(case, whim, kind))
    assert run.memory.sequences == {TRUNK}
    assert run.memory.tokens(TRUNK)[: len(run.request.prompt)] == run.request.prompt
    text = case.vocabulary.decode(run.trunk_call_tokens)
    assert text.decode(errors="replace") == run.call.text
    assert run.memory.used_cells == len(run.memory.tokens(TRUNK))


@examples(80)
@given(small_cases, schedule_names)
def test_memory_the_trunk_holds_the_tokens_that_the_tokenizer_makes_of_the_call(case, schedule):
    """Where the model spells as the tokenizer does, which here reads greedily from left to right: all fixed text, what
    is held back of it, and the values that were decoded apart come out as one reading of the whole call."""
    run = trace(schedule, replace(case.request, max_call_tokens=4000), case.oracle())
    assert run.trunk_call_tokens == canonical_tokens(case)


VALUES = ("", "/tmp", "Tokyo", "Celsius", "-", '"', "京", "<tool_call>", "</tool_call>", "}}\n")


@pytest.mark.parametrize(
    ("value", "call_format", "vocabulary"), rotated(VALUES, FORMATS, tuple(VOCABULARIES)), ids=name_of
)
def test_memory_is_canonical_for_values_that_merge_with_fixed_text(vocabulary, call_format, value):
    schema = {"type": "string"}
    tool = Tool("get", "", {"properties": dict.fromkeys(("a", "ab", "unit"), schema), "required": ["a", "ab"]})
    text = write_value(call_format.notation, value)
    case = Case((tool,), tool, {"a": text, "ab": text, "unit": text}, vocabulary, call_format)
    for schedule in WRITING:
        run = trace(schedule, case.request, case.oracle())
        assert (schedule, run.trunk_call_tokens) == (schedule, canonical_tokens(case))


@examples(40)
@given(small_cases, whims, kinds, all_names, st.integers(1, LIMIT))
def test_memory_no_sequence_grows_past_the_limit(case, whim, kind, schedule, limit):
    run = trace(schedule, replace(case.request, max_call_tokens=limit), model(case, whim, kind))
    longest = max(len(tokens) for held in run.contents for tokens in held.values())
    assert longest <= len(run.request.prompt) + limit
