"""Tools as values: what they say of their arguments, and what makes no tool."""

import re

import pytest

from engine.errors import ToolError
from engine.tools import Tool


def test_arguments_come_in_declared_order_whatever_the_order_of_required():
    tool = Tool("t", "", {"properties": {"z": {}, "o": {}, "a": {}}, "required": ["a", "z"]})
    assert (tool.required, tool.optional) == (("z", "a"), ("o",))


def test_the_template_gets_the_definition_in_openais_form():
    function = {"name": "get", "description": "d", "parameters": {"type": "object", "properties": {"a": True}}}
    assert Tool(**function).as_openai() == {"type": "function", "function": function}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ([], "$.parameters: expected a JSON Schema object, found []"),
        (None, "$.parameters: expected a JSON Schema object, found null"),
        ({"type": "array"}, "$.parameters.type: expected 'object', found \"array\""),
        ({"type": ["object", "null"]}, '$.parameters.type: expected \'object\', found ["object", "null"]'),
        ({"properties": ["a"]}, "$.parameters.properties: expected an object of argument name to schema"),
        ({"properties": {"a": "string"}}, '$.parameters.properties.a: expected a schema, found "string"'),
        ({"properties": {"a": False}}, "$.parameters.properties.a: expected a schema, found false"),
        ({"properties": {"a.b": 1}}, '$.parameters.properties["a.b"]: expected a schema, found 1'),
        ({"required": "a"}, '$.parameters.required: expected a list of argument names, found "a"'),
        ({"required": None}, "$.parameters.required: expected a list of argument names, found null"),
        (
            {"properties": {"b": {}, "a": {}}, "required": ["c"]},
            "$.parameters.required: \"c\" is not among the properties ['a', 'b']",
        ),
        ({"properties": {"a": {}}, "required": [["a"]]}, '$.parameters.required: ["a"] is not among the properties'),
    ],
)
def test_parameters_that_are_no_object_schema_are_refused_with_tool_path_and_problem(parameters, message):
    with pytest.raises(ToolError, match="^" + re.escape(f"tool 'get': {message}")):
        Tool("get", "", parameters)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", '$.name: expected a non-empty string, found ""'),
        (3, "$.name: expected a non-empty string, found 3"),
        ("get\n", "tool 'get\\n': $.name: control characters are not allowed"),
        ("a\x00b", "tool 'a\\x00b': $.name: control characters are not allowed"),
        ("\x1f", "tool '\\x1f': $.name: control characters are not allowed"),
        ("a\ud800", "tool 'a\\ud800': $.name: a lone surrogate is no character"),
    ],
)
def test_a_name_that_cannot_be_written_is_refused(name, message):
    with pytest.raises(ToolError, match="^" + re.escape(message)) as caught:
        Tool(name, "", {})
    str(caught.value).encode()


@pytest.mark.parametrize("name", ["get weather", "a.b/c", "天気", "get😀", "<tool>", 'say "hi"', "\\", "\x7f"])
def test_a_name_may_hold_any_other_character(name):
    assert Tool(name, "", {}).name == name


LONE = "\udfff"


@pytest.mark.parametrize(
    ("description", "properties", "path"),
    [
        (LONE, {}, "$.description"),
        ("", {LONE: {}}, '$.parameters.properties["\\udfff"]'),
        ("", {"a": {"enum": ["x", LONE]}}, "$.parameters.properties.a.enum[1]"),
        ("", {"a": {"properties": {LONE: True}}}, '$.parameters.properties.a.properties["\\udfff"]'),
        ("", {"a": {"description": f"x{LONE}"}}, "$.parameters.properties.a.description"),
    ],
)
def test_a_lone_surrogate_is_refused_wherever_it_is(description, properties, path):
    with pytest.raises(ToolError, match="a lone surrogate is no character") as caught:
        Tool("get", description, {"properties": properties})
    assert caught.value.path == path
    str(caught.value).encode()


@pytest.mark.parametrize(
    ("value", "path", "problem"),
    [
        (float("nan"), "", "expected a value of JSON, found NaN"),
        ([1, float("-inf")], "[1]", "expected a value of JSON, found -Infinity"),
        ({"b": {1}}, ".b", "expected a value of JSON, found 'set'"),
        ({1: 2}, "", "expected text as a key, found 1"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(value, path, problem):
    with pytest.raises(ToolError) as caught:
        Tool("get", "", {"properties": {"a": {"default": value}}})
    assert (caught.value.path, caught.value.problem) == (f"$.parameters.properties.a.default{path}", problem)


def test_a_pair_of_surrogates_is_a_character():
    assert Tool("get", "\U0001f600", {"properties": {"\U0001f600": {}}}).required == ()
