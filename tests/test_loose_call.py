"""Calls read from text that nothing held to a format: what is one, and what is none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FORMATS, cases, examples

from engine.formats import LLAMA3_JSON, LLAMA3_PYTHON, QWEN, QWEN3_CODER
from engine.loose_call import read_loosely
from engine.tools import Tool

GET = Tool("get", "", {"properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"]})
SET = Tool("set", "", {"properties": {}})
TOOLS = (SET, GET)


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ('<tool_call>\n{"name": "get", "arguments": {"a": "x"}}\n</tool_call>', "get", {"a": "x"}),
        ('<tool_call>\n{"name": "get", "arguments": {"a": "x"}}', "get", {"a": "x"}),
        ('{"name":"get","arguments":{"n":1,"a":"x"}}', "get", {"n": 1, "a": "x"}),
        ('  {\n "arguments" : { } ,\n "name" : "set" }\n and more {', "set", {}),
        ('{"name": "get", "parameters": {"a": "x"}}', "get", {"a": "x"}),
        # What keeps no schema is read all the same: nobody held the model to one.
        ('{"name": "get", "arguments": {"b": [1.5, null]}}', "get", {"b": [1.5, None]}),
        ('{"id": 3, "name": "get", "arguments": {"a": "{"}}', "get", {"a": "{"}),
    ],
)
def test_a_call_in_json_is_read_with_any_spaces_and_in_any_order(text, name, arguments):
    call = read_loosely(text.encode(), TOOLS, QWEN)
    assert (call.name, call.arguments, call.text) == (name, arguments, text)
    assert read_loosely(text.encode(), TOOLS, LLAMA3_JSON).arguments == arguments


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The weather is fine.",
        "<tool_call>\n{",
        '<tool_call>\n{"name": "get", "arguments": {"a": "x"}',
        '{"name": "other", "arguments": {}}',
        '{"name": ["get"], "arguments": {}}',
        '{"name": {"get": 1}, "arguments": {}}',
        '{"name": null, "arguments": {}}',
        '{"name": "get"}',
        '{"name": "get", "arguments": null}',
        '{"name": "get", "arguments": "{}"}',
        '{"name": "get", "arguments": ["x"]}',
        '{"arguments": {"a": "x"}}',
        '["get"]',
        # The first object counts, as a reader of the model's text would have it.
        '{"a": 1} {"name": "get", "arguments": {}}',
        "{'name': 'get', 'arguments': {}}",
        '{"a": ' + "[" * 100_000,
        '{"a": ' * 20_000,
        '{"a": ' + "9" * 5000 + "}",
    ],
)
def test_other_text_is_no_call(text):
    call = read_loosely(text.encode(), TOOLS, QWEN)
    assert (call.name, call.arguments, call.text) == ("", None, text)


@pytest.mark.parametrize(
    ("call_format", "text", "name", "arguments"),
    [
        (LLAMA3_PYTHON, '[get(a="x")]', "get", {"a": "x"}),
        (LLAMA3_PYTHON, '[get(a="x", n=1)]', "get", {"a": "x", "n": 1}),
        (LLAMA3_PYTHON, "[set()]", "set", {}),
        (LLAMA3_PYTHON, '[get(a="x"', "", None),
        (LLAMA3_PYTHON, '[get( a = "x" )]', "", None),
        (LLAMA3_PYTHON, '[other(a="x")]', "", None),
        (
            QWEN3_CODER,
            "<tool_call>\n<function=get>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>",
            "get",
            {"a": "x"},
        ),
        (QWEN3_CODER, "<tool_call>\n<function=get>\n<parameter=a>\nx\n</parameter>\n", "", None),
    ],
)
def test_in_other_notations_a_call_is_written_as_the_format_has_it(call_format, text, name, arguments):
    call = read_loosely(text.encode(), TOOLS, call_format)
    assert (call.name, call.arguments) == (name, arguments)


def test_bytes_that_are_no_text_are_shown_as_such():
    assert read_loosely(b'{"name": "\xff', TOOLS, QWEN).text == '{"name": "\ufffd'


@examples(60)
@given(cases(), st.integers(0, 200))
def test_validity_a_call_as_its_format_has_it_is_read_whole_and_never_before_its_end(case, cut):
    """JSON calls end with their last bracket, other ones with the format's last character."""
    form = case.call_format
    whole = read_loosely(case.text.encode(), case.tools, form)
    assert (whole.name, whole.arguments) == (case.tool.name, case.arguments)
    is_json = form.notation.is_json and form.quotes_tool_name
    end = case.text.rindex("}") if is_json else len(case.text) - 1
    assert read_loosely(case.text.encode()[: min(cut, len(case.text[:end].encode()))], case.tools, form).name == ""


_PIECES = [
    "{",
    "}",
    "[",
    "]",
    '"',
    ":",
    ", ",
    "name",
    "get",
    '"name": "get"',
    '"arguments": ',
    "1",
    "-",
    "\\",
    "=",
    "(",
]


@given(
    st.lists(st.sampled_from([*_PIECES, "[get(", ")]", "<tool_call>", "True"]), max_size=12), st.sampled_from(FORMATS)
)
def test_no_text_is_an_error(pieces, call_format):
    call = read_loosely("".join(pieces).encode(), TOOLS, call_format)
    assert call.arguments is None or isinstance(json.loads(json.dumps(call.arguments)), dict)
