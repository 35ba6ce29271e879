"""Tools from OpenAI's and MCP's forms, and what is wrong with the others."""

import json
import re

import pytest

from engine.errors import InputError, ToolError
from engine.tools import Tool, parse_tools, read_tools

SCHEMA = {"type": "object", "properties": {"z": {}, "a": True}, "required": ["a"]}
OPENAI = {"type": "function", "function": {"name": "get", "description": "d", "parameters": SCHEMA}}
BARE = OPENAI["function"]
MCP = {"name": "get", "description": "d", "inputSchema": SCHEMA}


@pytest.mark.parametrize("form", [OPENAI, BARE, MCP])
@pytest.mark.parametrize("around", [lambda tool: [tool], lambda tool: {"tools": [tool]}, lambda tool: tool])
def test_every_form_gives_the_same_tool(form, around):
    assert parse_tools(around(form)) == (Tool("get", "d", SCHEMA),)
    assert read_tools(json.dumps(around(form)), "x.json") == (Tool("get", "d", SCHEMA),)


@pytest.mark.parametrize(
    ("annotations", "read_only"),
    [
        ({}, False),
        ({"annotations": None}, False),
        ({"annotations": {}}, False),
        ({"annotations": {"title": "x", "readOnlyHint": False}}, False),
        ({"annotations": {"readOnlyHint": True}}, True),
    ],
)
def test_only_the_read_only_hint_makes_a_tool_read_only(annotations, read_only):
    (from_mcp,) = parse_tools([MCP | annotations])
    (from_openai,) = parse_tools([{"function": BARE | annotations}])
    assert from_mcp.read_only is from_openai.read_only is read_only


@pytest.mark.parametrize("parameters", [{}, {"parameters": None}, {"parameters": {}}])
def test_an_openai_function_without_parameters_takes_no_arguments(parameters):
    (tool,) = parse_tools([{"function": {"name": "now"} | parameters}])
    assert (tool.description, tool.required, tool.optional) == ("", (), ())


def test_arguments_come_in_declared_order_whatever_the_order_of_required():
    tool = Tool("t", "", {"properties": {"z": {}, "o": {}, "a": {}}, "required": ["a", "z"]})
    assert (tool.required, tool.optional) == (("z", "a"), ("o",))


def test_the_template_gets_the_definition_back():
    (tool,) = parse_tools([OPENAI])
    assert tool.as_openai() == OPENAI


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.json: line 1, column 1: no JSON: Expecting value"),
        ('[{"name":\n  nope}]', "x.json: line 2, column 3: no JSON: Expecting value"),
        ("[]", "x.json: $: expected a list of tools or an object with a list 'tools', and one tool at least"),
        ("3", "x.json: $: expected a list of tools"),
        ('{"tools": {}}', "x.json: $: expected a list of tools"),
        ("[3]", "x.json: $[0]: expected a tool as an object, found 3"),
        (
            '[{"name": "x"}]',
            "x.json: $[0]: no tool: it has neither 'function' or 'parameters' (OpenAI) nor 'inputSchema'",
        ),
        ('[{"function": 3}]', "x.json: $[0].function: expected an object"),
        ('[{"function": {}}]', "x.json: $[0].function.name: expected a non-empty string, found null"),
        ('[{"name": "", "parameters": {}}]', 'x.json: $[0].name: expected a non-empty string, found ""'),
        ('[{"name": 3, "inputSchema": {}}]', "x.json: $[0].name: expected a non-empty string, found 3"),
        (
            '[{"name": "a", "inputSchema": {}}, {"name": "b", "inputSchema": {}, "annotations": {"readOnlyHint": 1}}]',
            "x.json: $[1].annotations.readOnlyHint: expected true or false",
        ),
        (
            '[{"name": "a", "inputSchema": {}, "annotations": []}]',
            "x.json: $[0].annotations.readOnlyHint: expected true or false",
        ),
        (
            '[{"name": "b", "inputSchema": {}}, {"name": "a", "parameters": {}}, {"name": "b", "parameters": {}}]',
            "x.json: $: tool names appear more than once: b",
        ),
    ],
)
def test_a_file_that_holds_no_tools_says_where(text, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}"):
        read_tools(text, "x.json")


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
    ("keyword", "value"),
    [
        ("anyOf", [{"required": ["a"]}, {"required": ["b"]}]),
        ("oneOf", [{"required": ["a"]}]),
        ("allOf", [{"required": ["a"]}]),
        ("not", {"required": ["a"]}),
        ("if", {"required": ["a"]}),
        ("minProperties", 1),
        ("maxProperties", 1),
        ("dependentRequired", {"a": ["b"]}),
        ("$ref", "#/$defs/X"),
        ("patternProperties", {"^a": {"type": "string"}}),
    ],
)
def test_keywords_that_tie_arguments_together_are_refused(keyword, value):
    with pytest.raises(ToolError) as caught:
        Tool("get", "", {"properties": {"a": {}, "b": {}}, keyword: value})
    assert (caught.value.tool, caught.value.path) == ("get", f"$.parameters.{keyword}")


@pytest.mark.parametrize("name", ["get\n", "a\x00b", "\x1f"])
def test_a_name_with_a_control_character_is_refused(name):
    with pytest.raises(ToolError, match=r"\$\.name: control characters are not allowed"):
        Tool(name, "", {})
