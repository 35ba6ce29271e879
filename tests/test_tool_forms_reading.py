"""Files and lists of tools: what they hold, and what is refused with its place."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_vocabulary import byte_vocabulary

from engine.errors import InputError, ToolError
from engine.formats import QWEN
from engine.tool_forms import parse_tools, read_tools
from engine.toolset import Toolset

SCHEMA = {"type": "object", "properties": {"z": {}, "a": True}, "required": ["a"]}
FLAT = {"name": "get", "description": "d", "parameters": SCHEMA}
OPENAI = {"type": "function", "function": FLAT}
RESPONSES = {"type": "function", **FLAT, "strict": True}
MCP = {"name": "get", "description": "d", "inputSchema": SCHEMA}
ANTHROPIC = {"name": "get", "description": "d", "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}}
BFCL = {"name": "get", "description": "d", "parameters": SCHEMA | {"type": "dict"}}
DROIDCALL = {"name": "get", "description": "d", "arguments": {"z": {"required": False}, "a": {}}}
APP_FUNCTION = {
    "id": "get",
    "description": "d",
    "parameters": [{"name": "a", "isRequired": True, "dataType": {"type": 8}}],
}
FORMS = [OPENAI, FLAT, RESPONSES, MCP, ANTHROPIC, BFCL, DROIDCALL, APP_FUNCTION]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "around",
    [
        lambda tool: [tool],
        lambda tool: {"tools": [tool]},
        lambda tool: {"functions": [tool]},
        lambda tool: tool,
        lambda tool: [{"name": "server", "tools": [tool]}],
        lambda tool: {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}},
        lambda tool: {"id": "simple_0", "question": [], "function": [tool]},
    ],
)
def test_every_form_is_recognised_in_every_place(form, around):
    text = json.dumps(around(form))
    for read in (parse_tools(around(form)), read_tools(text, "x.json"), read_tools(f"\ufeff{text}\n", "x.json")):
        (tool,) = read.tools
        assert (tool.name, tool.description, tool.required) == ("get", "d", ("a",))
        assert read.refused == ()


@pytest.mark.parametrize("form", [OPENAI, FLAT, RESPONSES, MCP, ANTHROPIC])
def test_a_definition_in_json_schema_is_kept_as_it_is(form):
    (tool,) = parse_tools(form).tools
    assert (tool.parameters, tool.changes) == (SCHEMA, ())


def test_lines_hold_a_definition_each_in_any_form():
    forms = [form | {"name": f"get{index}"} for index, form in enumerate([FLAT, MCP, ANTHROPIC, BFCL, DROIDCALL])]
    text = "\n".join(map(json.dumps, forms)) + "\n\n"
    assert [tool.name for tool in read_tools(text, "x.jsonl").tools] == ["get0", "get1", "get2", "get3", "get4"]


BAD = {"name": "bad", "parameters": {"type": "array"}}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (3, "expected a tool as an object, found 3"),
        ("get", 'expected a tool as an object, found "get"'),
        (None, "expected a tool as an object, found null"),
        ([], "expected a tool as an object, found []"),
        ({"function": 3}, ".function: expected an object, found 3"),
        ({"type": "function", "function": []}, ".function: expected an object, found []"),
        ({"function": {}}, ".function.name: expected a non-empty string, found null"),
        ({"name": "", "parameters": {}}, '.name: expected a non-empty string, found ""'),
        ({"name": 3, "inputSchema": {}}, ".name: expected a non-empty string, found 3"),
        ({"name": "x", "description": ["d"], "parameters": {}}, '.description: expected a string, found ["d"]'),
        (
            {"name": "x", "inputSchema": {}, "annotations": {"readOnlyHint": 1}},
            ".annotations.readOnlyHint: expected true",
        ),
        ({"name": "x", "inputSchema": {}, "annotations": []}, ".annotations: expected an object, found []"),
        ({"name": "x", "parameters": {}, "x-read-only": "yes"}, '.x-read-only: expected true or false, found "yes"'),
        ({"name": "x", "parameters": []}, ".parameters: expected a JSON Schema object, found []"),
        ({"name": "x", "parameters": "none"}, '.parameters: expected a JSON Schema object, found "none"'),
        ({"name": "x", "inputSchema": True}, ".inputSchema: expected a JSON Schema object, found true"),
        ({"name": "x", "input_schema": 3}, ".input_schema: expected a JSON Schema object, found 3"),
        ({"function": BAD}, ".function.parameters.type: expected 'object', found \"array\""),
        ({"name": "x", "inputSchema": {"type": "array"}}, ".inputSchema.type: expected 'object', found \"array\""),
        ({"name": "x\ud800", "parameters": {}}, ".name: a lone surrogate is no character"),
        ({"name": "x\n", "inputSchema": {}}, ".name: control characters are not allowed"),
        ({"name": "x", "schema": {}}, "no tool: it has neither 'function' or 'parameters' (OpenAI, BFCL)"),
        ({"type": "web_search_20250305", "name": "web_search", "max_uses": 3}, "no tool: it has neither"),
        ({"name": "x", "inputSchema": {"$ref": "#/$defs/Y"}}, '.inputSchema.$ref: "#/$defs/Y" names no definition'),
        (
            {"name": "x", "inputSchema": {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}},
            '.inputSchema.$ref: "#/$defs/A" names no definition',
        ),
        ({"name": "x", "arguments": []}, ".arguments: expected an object of argument name to type, found []"),
        ({"id": "x", "parameters": [3]}, ".parameters[0]: expected an object with a name, found 3"),
    ],
)
def test_a_bad_tool_is_refused_with_its_place_and_the_others_stay(bad, message):
    read = read_tools(json.dumps({"tools": [FLAT, bad, MCP | {"name": "other"}]}), "x.json")
    assert [tool.name for tool in read.tools] == ["get", "other"]
    (error,) = read.refused
    assert isinstance(error, ToolError)
    assert error.source == "x.json"
    place, problem = message.split(": ", 1) if message.startswith(".") else ("", message)
    assert error.path == f"$.tools[1]{place}"
    assert error.problem.startswith(problem)
    assert re.match(r"x\.json: (tool '.*': )?\$\.tools\[1\]", str(error))
    str(error).encode()
    with pytest.raises(ToolError, match=re.escape(str(error))):
        read.strict()
    with pytest.raises(ToolError, match=re.escape(problem)):
        read_tools(json.dumps([bad]), "x.json")


def test_a_bad_tool_in_lines_is_named_by_its_line():
    read = read_tools(json.dumps(FLAT) + "\n\n" + json.dumps(BAD) + "\n", "x.jsonl")
    assert [str(error) for error in read.refused] == [
        "x.jsonl: tool 'bad': line 3: $.parameters.type: expected 'object', found \"array\""
    ]


def test_a_file_whose_tools_are_all_bad_is_an_error_that_names_each():
    with pytest.raises(InputError) as caught:
        read_tools(json.dumps([3, BAD]), "x.json")
    assert str(caught.value) == (
        "x.json: none of the 2 tools can be used:\n"
        "  x.json: $[0]: expected a tool as an object, found 3\n"
        "  x.json: tool 'bad': $[1].parameters.type: expected 'object', found \"array\""
    )


def nested(levels):
    schema = {}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return {"name": "deep", "parameters": schema}


def test_a_definition_that_is_nested_too_deeply_is_refused_alone():
    read = parse_tools([FLAT, nested(2000)])
    assert [tool.name for tool in read.tools] == ["get"]
    assert [error.problem for error in read.refused] == ["nested too deeply"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.json: line 1, column 1: no JSON: Expecting value"),
        ('[{"name":\n  nope}]', "x.json: line 2, column 3: no JSON: Expecting value"),
        ("[]", "x.json: $: expected a list of tools or an object with a list 'tools', and one at least"),
        ('{"tools": []}', "x.json: $: expected a list of tools or an object with a list 'tools', and one at least"),
        ("3", "x.json: $: expected a tool as an object, found 3"),
        ('{"tools": {}}', "x.json: $: no tool: it has neither"),
        ('{"name": "a"} {"name": "b"}', "x.json: line 1, column 15: no JSON: Extra data"),
        ('{"name": "a"}\n{"name": b}', "x.json: line 2, column 10: no JSON: Expecting value"),
        ("[1]\n[2]", "x.json: line 2, column 1: no JSON: Extra data"),
        ("[" * 100_000, "x.json: $: nested too deeply"),
        ("1" * 5000, "x.json: $: Exceeds the limit (4300 digits)"),
        ('{"name": "a"}\n' + "1" * 5000, "x.json: line 2: Exceeds the limit (4300 digits)"),
        ('{"name": "a"}\n' + "[" * 100_000, "x.json: line 2: maximum recursion depth exceeded"),
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
    "form",
    [
        {"function": {"name": "now"}},
        {"type": "function", "name": "now"},
        {"name": "now", "description": "The time", "strict": False},
        {"name": "now", "parameters": None},
        {"name": "now", "parameters": {}},
        {"name": "now", "parameters": {"type": "object"}},
        {"name": "now", "parameters": {"type": "dict", "properties": {}, "required": []}},
        {"name": "now", "inputSchema": {"type": "object"}},
        {"name": "now", "inputSchema": None},
        {"name": "now", "input_schema": {}},
        {"name": "now", "arguments": {}},
        {"id": "now", "parameters": []},
        {"id": "now", "response": {}},
    ],
)
def test_a_tool_may_take_no_arguments(form):
    (tool,) = parse_tools(form).tools
    assert (tool.name, tool.required, tool.optional) == ("now", (), ())


@pytest.mark.parametrize(
    ("parameters", "properties", "required", "changes"),
    [
        ({"properties": {"a": {}}}, {"a": {}}, (), ()),
        ({"properties": {"a": {}}, "required": []}, {"a": {}}, (), ()),
        (
            {"properties": {"a": {}}, "required": ["b", "a", "b"]},
            {"a": {}, "b": {}},
            ("a", "b"),
            ("$.parameters.properties.b: added, 'required' names it",),
        ),
        (
            {"required": ["x y"]},
            {"x y": {}},
            ("x y",),
            ("$.parameters.properties[\"x y\"]: added, 'required' names it",),
        ),
        (
            {"properties": None, "required": None},
            {},
            (),
            ("$.parameters.properties: null became empty", "$.parameters.required: null became empty"),
        ),
        (
            {"$ref": "#/definitions/In", "definitions": {"In": {"type": "object", "properties": {"a": {}}}}},
            {"a": {}},
            (),
            ('$.parameters.$ref: "#/definitions/In" was put in its place',),
        ),
    ],
)
def test_what_json_schema_allows_is_taken_and_what_is_odd_is_listed(parameters, properties, required, changes):
    (tool,) = parse_tools({"name": "t", "parameters": parameters}).tools
    assert (tool.properties, tool.required, tool.changes) == (properties, required, changes)


@pytest.mark.parametrize(
    ("schema", "result", "changes"),
    [
        ({"type": "float"}, {"type": "number"}, ("$.function.parameters.properties.a.type: 'float' became 'number'",)),
        (
            {"type": "STRING"},
            {"type": "string"},
            ("$.function.parameters.properties.a.type: 'STRING' became 'string'",),
        ),
        (
            {"anyOf": [{"type": "int"}, {"type": "null"}]},
            {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            ("$.function.parameters.properties.a.anyOf[0].type: 'int' became 'integer'",),
        ),
        ({"type": "frob"}, {"type": "frob"}, ()),
        (
            {"enum": [{"type": "int"}], "default": {"type": "int"}},
            {"enum": [{"type": "int"}], "default": {"type": "int"}},
            (),
        ),
        ({"properties": {"type": {"type": "string"}}}, {"properties": {"type": {"type": "string"}}}, ()),
    ],
)
def test_other_languages_names_of_types_become_jsons_and_unknown_ones_stay(schema, result, changes):
    function = {"name": "t", "parameters": {"type": "object", "properties": {"a": schema}}}
    (tool,) = parse_tools({"function": function}).tools
    assert (tool.properties["a"], tool.changes) == (result, changes)


@pytest.mark.parametrize(
    ("also", "description", "changes"),
    [
        ({"title": "T"}, "d", ()),
        ({"title": "T", "description": ""}, "T", ("$.description: taken from the title",)),
        ({"annotations": {"title": "A"}, "description": None}, "A", ("$.description: taken from the title",)),
        ({"title": 3, "description": None}, "", ()),
        ({"outputSchema": {"type": "array"}, "_meta": {}}, "d", ()),
    ],
)
def test_mcps_title_is_read_where_there_is_no_description(also, description, changes):
    (tool,) = parse_tools(MCP | also).tools
    assert (tool.description, tool.changes) == (description, changes)


@pytest.mark.parametrize(
    ("form", "read_only", "rule"),
    [
        (MCP, False, "default"),
        (MCP | {"annotations": None}, False, "default"),
        (MCP | {"annotations": {}}, False, "annotation"),
        (MCP | {"annotations": {"readOnlyHint": None}}, False, "annotation"),
        (MCP | {"annotations": {"title": "x", "readOnlyHint": False}}, False, "annotation"),
        (MCP | {"annotations": {"readOnlyHint": True}}, True, "annotation"),
        (MCP | {"annotations": {"readOnlyHint": True}, "x-read-only": False}, False, "override"),
        (MCP | {"x-read-only": True}, True, "override"),
        (OPENAI | {"annotations": {"readOnlyHint": True}}, True, "annotation"),
        (OPENAI | {"x-read-only": True}, True, "override"),
        ({"function": FLAT | {"annotations": {}}}, False, "annotation"),
        ({"function": FLAT | {"x-read-only": False, "description": "Get it"}}, False, "override"),
        (FLAT | {"description": ""}, True, "classifier"),
        (FLAT | {"description": "Get the weather"}, True, "classifier"),
        (FLAT | {"description": "Delete it"}, False, "classifier"),
        (FLAT | {"name": "frobnicate"}, False, "default"),
        (ANTHROPIC | {"description": "Get it"}, True, "classifier"),
        (ANTHROPIC | {"x-read-only": False, "description": "Get it"}, False, "override"),
        (BFCL | {"description": "Get it"}, True, "classifier"),
        (BFCL | {"x-read-only": True}, True, "override"),
        (DROIDCALL | {"description": "Get it"}, True, "classifier"),
        (DROIDCALL | {"x-read-only": True}, True, "override"),
        (APP_FUNCTION | {"id": "com.example.Notes#getNote", "description": "Gets a note"}, True, "classifier"),
        (APP_FUNCTION | {"id": "com.example.Notes#createNote"}, False, "classifier"),
        (APP_FUNCTION | {"x-read-only": True}, True, "override"),
    ],
)
def test_the_first_rule_that_applies_decides_what_only_reads(form, read_only, rule):
    (tool,) = parse_tools(form).tools
    assert (tool.read_only, tool.read_only_rule) == (read_only, rule)


@pytest.mark.parametrize("form", [OPENAI, FLAT, RESPONSES, MCP, ANTHROPIC])
def test_strictness_lets_tools_pass_that_are_taken_as_they_are(form):
    read = parse_tools(form)
    assert read.strict() == read.tools


@pytest.mark.parametrize("form", [BFCL, DROIDCALL | {"arguments": {"a": {"type": "str"}}}, APP_FUNCTION])
def test_strictness_refuses_a_tool_that_had_to_be_changed(form):
    with pytest.raises(ToolError, match=r"only usable with a change: .* became"):
        parse_tools(form).strict()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("type", "name", "id", "function", "description", "parameters", "inputSchema", "input_schema", "arguments")
likely = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys((*KEYS, "annotations", "x-read-only", "components", "tools"), json_values),
)


@given(st.lists(likely | json_values, max_size=4))
def test_no_definition_crashes_whatever_it_holds(items):
    try:
        read = read_tools(json.dumps(items), "x.json")
    except InputError as error:
        str(error).encode()
        return
    assert read.tools
    for tool in read.tools:
        json.dumps(tool.as_openai(), ensure_ascii=False).encode()


def places(value, path=()):
    """Every place in a definition, as the keys and indices that lead there."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def replaced(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


RICH = {
    "properties": {"a": {"type": "float", "enum": [1.5]}, "b": {"type": "tuple", "items": {"$ref": "#/$defs/D"}}},
    "$defs": {"D": {"type": "string", "optional": True}},
    "required": ["a", "c"],
}
RICH_APP_FUNCTION = {
    "id": "f",
    "isEnabled": True,
    "parameters": [
        {"name": "a", "isRequired": True, "dataTypeMetadata": {"type": 11, "dataTypeReference": "P"}},
        {"name": "b", "isRequired": False, "dataType": {"type": 10, "itemType": {"type": 7, "enumValues": ["1"]}}},
        {"name": "c", "dataType": {"type": 12, "allOf": [{"type": 11, "dataTypeReference": "P"}]}},
    ],
    "components": {
        "dataTypes": [
            {"name": "P", "dataTypeMetadata": {"type": 3, "properties": {"b": {"type": 8}}, "required": ["b"]}}
        ]
    },
}
RICH_FORMS = [
    {"type": "function", "function": FLAT | {"parameters": RICH}, "x-read-only": True},
    MCP
    | {
        "title": "T",
        "inputSchema": {"$ref": "#/$defs/In", "$defs": {"In": RICH, **RICH["$defs"]}},
        "annotations": {"title": "A"},
    },
    ANTHROPIC | {"input_schema": RICH},
    BFCL | {"parameters": RICH | {"type": "dict"}},
    DROIDCALL | {"arguments": {"a": {"type": "Optional[List[str]]", "required": False, "default": None}}},
    RICH_APP_FUNCTION,
]


@pytest.mark.parametrize("form", RICH_FORMS)
def test_every_form_gives_a_tool_that_compiles(form):
    Toolset(parse_tools(form).tools, QWEN, byte_vocabulary()).compile()


@given(st.data())
def test_no_definition_crashes_with_one_part_replaced(data):
    form = data.draw(st.sampled_from(RICH_FORMS))
    path = data.draw(st.sampled_from([place for place in places(form) if place]))
    bad = replaced(form, path, data.draw(json_values))
    read = parse_tools([{"name": "good", "parameters": {}}, bad], "x.json")
    assert read.tools[0].name == "good"
    assert len(read.tools) + len(read.refused) >= 2
    for error in read.refused:
        assert re.match(r"x\.json: (tool '.*': )?\$\[1\]", str(error), re.DOTALL)
        str(error).encode()
    for tool in read.tools:
        json.dumps(tool.as_openai(), ensure_ascii=False).encode()
