"""What a call is expected to go on with: values that were decoded apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases, examples
from toy_vocabulary import VOCABULARIES, byte_vocabulary, toy_vocabulary

from engine.drafts import NOTHING, Expected, ValueDrafts, first_draft
from engine.formats import FUNCTIONGEMMA, LLAMA3_PYTHON, QWEN, QWEN3_CODER
from engine.spelling import call_parts, own_tokens
from engine.tools import Tool
from engine.toolset import Toolset

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
TOOL = Tool("get", "", {"properties": {"a": TEXT, "n": NUMBER, "o": TEXT, "p": TEXT}, "required": ["a", "n"]})
FIXED = Tool("get", "", {"properties": {"a": TEXT, "n": NUMBER}, "required": ["a", "n"]})
BYTES = byte_vocabulary()
HEAD = QWEN.head("get")

UNASKED = Toolset([TOOL], QWEN, BYTES).call_constraint()
"""Behind what is decided, for drafts that come from texts alone."""


def expected(text, values, starts=None, tool=TOOL, call_format=QWEN, vocabulary=BYTES):
    """What is drafted behind `text`, as text."""
    drafts = ValueDrafts(tool, call_format, vocabulary, values, starts or {})
    return vocabulary.decode(drafts(vocabulary.encode_with_markers(text), UNASKED).tokens).decode()


@pytest.mark.parametrize(
    ("text", "values", "starts", "draft"),
    [
        # The last character may merge with what follows and is left to a pick.
        ("", {"a": '"x"', "n": "12"}, {}, HEAD + '"a": "x", "n": 1'),
        (HEAD, {"a": '"x"', "n": "12"}, {}, '"a": "x", "n": 1'),
        (HEAD, {"a": '"x"'}, {}, '"a": "x'),
        (HEAD, {"n": "12"}, {}, ""),
        (HEAD, {}, {}, ""),
        (HEAD + '"a": "', {"a": '"xyz"'}, {}, "xyz"),
        (HEAD + '"a": "xy', {"a": '"xyz"'}, {}, "z"),
        (HEAD + '"a": "xyz"', {"a": '"xyz"', "n": "123"}, {}, ', "n": 12'),
        # A value that turned out otherwise is expected no more, but those behind it are.
        (HEAD + '"a": "xq', {"a": '"xyz"', "n": "123"}, {}, ""),
        (HEAD + '"a": "q", "n"', {"a": '"xyz"', "n": "123"}, {}, ": 12"),
        (HEAD + '"a": "q"', {"a": '"xyz"', "n": "123"}, {}, ', "n": 12'),
        # Starts are expected as far as they go.
        (HEAD, {}, {"a": '"xyz'}, '"a": "xy'),
        (HEAD + '"a": "x', {}, {"a": '"xyz'}, "y"),
        (HEAD + '"a": "xyz', {}, {"a": '"xyz'}, ""),
        (HEAD, {"a": '"x"'}, {"n": "123"}, '"a": "x", "n": 12'),
        # Optional arguments once their key is there.
        (HEAD + '"a": "x", "n": 1, ', {"o": '"yz"'}, {}, ""),
        (HEAD + '"a": "x", "n": 1, "o": ', {"o": '"yz"'}, {}, '"yz'),
        (HEAD + '"a": "x", "n": 1, "p": "', {"o": '"yz"', "p": '"qr"'}, {}, "qr"),
        (HEAD + '"a": "x", "n": 1, "o": "y', {}, {"o": '"yzq'}, "z"),
    ],
)
def test_values_are_expected_in_their_order_up_to_where_no_more_is_known(text, values, starts, draft):
    assert expected(text, values, starts) == draft


@pytest.mark.parametrize(
    ("text", "values", "draft"),
    [
        (HEAD, {"a": '"x"', "n": "12"}, '"a": "x", "n": 12}}\n</tool_call>'),
        (HEAD + '"a": "x", "n": 12', {"n": "12"}, "}}\n</tool_call>"),
        (HEAD + '"a": "x", "n": 13', {"n": "12"}, ""),
        (HEAD, {"a": '"x"'}, '"a": "x'),
    ],
)
def test_without_optional_arguments_the_end_of_the_call_is_expected_too(text, values, draft):
    assert expected(text, values, tool=FIXED) == draft


@pytest.mark.parametrize(
    ("call_format", "values", "draft"),
    [
        (LLAMA3_PYTHON, {"a": '"x"', "n": "12"}, 'a="x", n=12)]'),
        (
            QWEN3_CODER,
            {"a": "x", "n": "12"},
            "<parameter=a>\nx\n</parameter>\n<parameter=n>\n12\n</parameter>\n</function>\n</tool_call>",
        ),
        (FUNCTIONGEMMA, {"a": "<escape>x<escape>", "n": "12"}, "a:<escape>x<escape>,n:12}<end_function_call>"),
    ],
)
@pytest.mark.parametrize("name", VOCABULARIES)
def test_drafts_are_written_as_the_format_writes(name, call_format, values, draft):
    text = expected("", values, tool=FIXED, call_format=call_format, vocabulary=VOCABULARIES[name]())
    assert text == call_format.head("get") + draft


def test_a_bare_value_is_known_by_its_start_or_by_that_of_what_ends_it():
    head = QWEN3_CODER.head("get") + QWEN3_CODER.lead("a", is_first=True)
    for text, draft in [("x", "y\n</parameter>"), ("xy\n<", "/parameter>"), ("\n", ""), ("xy\nz", "")]:
        assert expected(head + text, {"a": "xy", "n": "1"}, call_format=QWEN3_CODER).startswith(draft)
        assert bool(draft) == bool(expected(head + text, {"a": "xy", "n": "1"}, call_format=QWEN3_CODER))


def test_a_call_that_is_spelled_in_other_tokens_than_the_tokenizers_has_no_draft():
    """Its tokens would not go on from those that are there."""
    vocabulary = toy_vocabulary()
    drafts = ValueDrafts(TOOL, QWEN, vocabulary, {"a": '"Tokyo"'})
    own = own_tokens(call_parts(QWEN, "get", {"a": '"Tokyo"'})[:-1], vocabulary)
    text = vocabulary.decode(own[:-1])
    assert drafts(own[:-2], UNASKED).tokens == own[-2:-1]
    apart = (*own[:-2], *text[len(vocabulary.decode(own[:-2])) :])
    assert vocabulary.decode(apart) == text
    assert drafts(apart[:-1], UNASKED) == NOTHING


@examples(60)
@given(cases(max_tools=1), st.data())
def test_all_that_a_call_will_have_is_expected_from_wherever_it_stands(case, data):
    """From each of its own tokens on, the rest up to the last token of the last required value, or to the end."""
    tool, form, vocabulary = case.tool, case.call_format, case.vocabulary
    required = {name: case.values[name] for name in tool.required}
    parts = call_parts(form, tool.name, required)
    own = own_tokens(parts, vocabulary)
    goal = own if not tool.optional else own_tokens(parts[:-1], vocabulary)[:-1]
    place = data.draw(st.integers(0, max(0, len(goal) - 1)))
    drafts = ValueDrafts(tool, form, vocabulary, case.values)
    assert drafts(goal[:place], UNASKED) == Expected(goal[place:])


def test_the_first_draft_is_that_of_the_first_who_expects_anything():
    asked = []

    def expects(name, *tokens):
        def draft(call_tokens, constraint):
            asked.append((name, call_tokens, constraint))
            return Expected(tokens)

        return draft

    draft = first_draft(expects("none"), expects("one", 5, 6), expects("two", 7))
    assert draft((1, 2), UNASKED) == Expected((5, 6))
    assert asked == [("none", (1, 2), UNASKED), ("one", (1, 2), UNASKED)]
    assert first_draft(expects("none"))((), UNASKED) == NOTHING
    assert first_draft()((), UNASKED) == NOTHING
