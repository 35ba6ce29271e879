"""What goes on behind known text is what a grammar of that very text would let go on."""

import numpy as np
from hypothesis import given
from llguidance import LLMatcher
from strategies import Case, Whim, cases, examples, whims
from test_constraint import follow_forced, spelled
from toy_vocabulary import toy_vocabulary

from engine.constraint import Constraint
from engine.formats import QWEN
from engine.tools import Tool
from engine.toolset import Toolset


def compiled(case: Case, required: dict[str, str]) -> Constraint:
    """A constraint of a grammar with the known text in it."""
    toolset = case.request.toolset
    call = toolset._writer.tool(case.tool).partition("\n")[2]
    known = toolset.vocabulary.markup.terms(*toolset._writer.known(case.tool, required))
    grammar = f"start: {known} {'more' if case.tool.required else 'first'}_0\n{call}"
    matcher = LLMatcher(case.vocabulary.tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0)
    assert not matcher.is_error(), matcher.get_error()
    return Constraint(matcher, case.vocabulary)


@examples(60)
@given(cases(max_tools=1, max_call_tokens=80), whims)
def test_known_text_and_what_may_follow_are_those_of_a_grammar_of_that_text(case: Case, whim: Whim):
    writer = whim.writer(case.vocabulary)
    required = {name: case.values[name] for name in case.tool.required}
    rest, expected = case.request.toolset.rest_constraint(case.tool, required), compiled(case, required)
    tokens: list[int] = []
    for _ in range(80):
        assert rest.is_finished == expected.is_finished
        if rest.is_finished:
            break
        assert rest.copy().forced() == rest.forced() == expected.forced()
        assert rest.held_back() == expected.held_back()
        assert np.array_equal(rest.mask(), expected.mask())
        if not rest.forced():
            assert [rest.allows(token) for token in range(case.vocabulary.size)] == rest.mask().tolist()
        tokens.append(rest.forced()[0] if rest.forced() else writer.next_token(tokens, rest))
        rest.advance(tokens[-1])
        expected.advance(tokens[-1])


def test_a_number_that_is_known_goes_on_with_no_digit():
    vocabulary = toy_vocabulary()
    properties = {"a": {"type": "integer"}, "n": {"type": "integer"}}
    tool = Tool("get", "", {"properties": properties, "required": ["a"]})
    rest = follow_forced(Toolset((tool,), QWEN, vocabulary).rest_constraint(tool, {"a": "12"}))
    texts = spelled(vocabulary, np.flatnonzero(rest.mask()))
    assert texts
    assert not any(text.lstrip(b"12")[:1].isdigit() for text in texts)
