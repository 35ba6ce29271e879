"""When a value has ended, and what a call's text says."""

import pytest
from hypothesis import given
from strategies import Case, cases, examples

from engine.call_text import call_text, call_with_required, cut_call, read_call
from engine.calls import ToolCall
from engine.errors import ScheduleError
from engine.formats import FORMATS, QWEN
from engine.notation import write_value
from engine.tools import Tool

TOOL = Tool("get", "", {"properties": {"b": {}, "o": {}, "a": {}}, "required": ["a", "b"]})


@examples(60)
@given(cases())
def test_reading_gives_back_the_arguments_that_were_written(case: Case):
    call = read_call(case.text, case.tool, case.call_format)
    values = case.arguments
    assert call == ToolCall(case.tool.name, values, case.text, call.number_texts)
    assert [type(value) for value in call.arguments.values()] == [type(value) for value in values.values()]
    numbers = {n: t for n, t in case.values.items() if type(values[n]) in (int, float)}
    assert call.number_texts == numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5.0", 5.0),
        ("1e3", 1000.0),
        ("-0", 0),
        ("1E-09", 1e-9),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("9007199254740993", 9007199254740993),
    ],
)
def test_numbers_keep_their_type_their_digits_and_the_models_spelling(text, value):
    call = read_call(QWEN.head("get") + f'"a": {text}' + QWEN.closer, TOOL, QWEN)
    assert (call.arguments["a"], type(call.arguments["a"])) == (value, type(value))
    assert call.number_texts == {"a": text}


@pytest.mark.parametrize("text", ['"5"', "[5]", "true", "null", '{"x": 5}'])
def test_only_numbers_have_number_texts(text):
    assert read_call(QWEN.head("get") + f'"a": {text}' + QWEN.closer, TOOL, QWEN).number_texts == {}


@pytest.mark.parametrize("call_format", FORMATS)
def test_required_arguments_are_written_in_declared_order(call_format):
    values = {"a": "1", "b": write_value(call_format.notation, "x, y")}
    call = call_with_required(TOOL, call_format, values)
    assert call.text == call_text(TOOL, call_format, {"b": values["b"], "a": "1"})
    assert call.arguments == {"b": "x, y", "a": 1}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no call of 'get' in the qwen format"),
        (QWEN.head("got") + QWEN.closer, "no call of 'get'"),
        (QWEN.head("get") + '"a": 1', "no call of 'get'"),
        (QWEN.head("get") + '"a": ' + QWEN.closer, "no call of 'get'"),
        (QWEN.head("get") + '"a": 1, ' + QWEN.closer, "no call of 'get'"),
        (QWEN.head("get") + '"a": "\\x"' + QWEN.closer, "no value in json notation"),
    ],
)
def test_text_that_is_no_call_is_refused(text, problem):
    with pytest.raises(ScheduleError, match=problem):
        read_call(text, TOOL, QWEN)


def test_a_cut_call_has_no_arguments():
    assert cut_call("x", TOOL) == ToolCall("get", None, "x")
    assert cut_call("x", None) == ToolCall("", None, "x")
    assert not cut_call("x", TOOL).is_complete


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (ToolCall("get", {"a": 1}, '"a": 1'), True),
        (ToolCall("get", {"a": 1.0}, '"a": 1.0'), False),
        (ToolCall("get", {"a": True}, '"a": true'), False),
        (ToolCall("got", {"a": 1}, '"a": 1'), False),
        (ToolCall("get", None, '"a": 1'), False),
    ],
)
def test_calls_are_the_same_where_tool_values_and_types_are(other, same):
    assert ToolCall("get", {"a": 1}, '"a": 1').same_call(other) is same
