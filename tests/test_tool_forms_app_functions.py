"""Android's AppFunctions: the stored form of their metadata as JSON."""

import pytest

from engine.errors import ToolError
from engine.tool_forms import read_tool

STRING = {"type": "string"}
NULL = {"type": "null"}
NOTE = {
    "type": 3,
    "objectQualifiedName": "com.example.Note",
    "properties": [
        {"name": "title", "dataTypeMetadata": {"type": 8, "description": "Its title"}},
        {
            "name": "parent",
            "dataTypeMetadata": {"type": 11, "dataTypeReference": "com.example.Note", "isNullable": True},
        },
    ],
    "required": ["title"],
}
CREATE_NOTE = {
    "id": "com.example.Notes#createNote",
    "packageName": "com.example",
    "isEnabled": True,
    "schema": None,
    "description": "Creates a note.",
    "parameters": [
        {
            "name": "note",
            "isRequired": True,
            "description": "The new note",
            "dataTypeMetadata": {"type": 11, "dataTypeReference": "com.example.Note", "isNullable": False},
        },
        {"name": "pinned", "isRequired": False, "dataTypeMetadata": {"type": 1, "isNullable": True}},
    ],
    "response": {"valueType": {"type": 8}},
    "components": {"dataTypes": [{"name": "com.example.Note", "dataTypeMetadata": NOTE}]},
}


def function(data_type, is_required=True, **components):
    parameter = {"name": "a", "isRequired": is_required, "dataType": data_type}
    return {"id": "f", "parameters": [parameter], "components": {"dataTypes": components}}


def test_a_function_is_called_by_its_id_with_its_parameters_and_components():
    tool = read_tool(CREATE_NOTE)
    assert (tool.name, tool.description) == ("com.example.Notes#createNote", "Creates a note.")
    assert (tool.required, tool.optional) == (("note",), ("pinned",))
    reference = {"$ref": "#/$defs/0_com_example_Note"}
    assert tool.parameters["$defs"]["0_com_example_Note"] == {
        "type": "object",
        "properties": {"title": STRING | {"description": "Its title"}, "parent": {"anyOf": [reference, NULL]}},
        "required": ["title"],
    }
    assert tool.properties == {
        "note": reference | {"description": "The new note"},
        "pinned": {"anyOf": [{"type": "boolean"}, NULL]},
    }
    assert '$.parameters[1].dataTypeMetadata.type: boolean became {"type": "boolean"}' in tool.changes


@pytest.mark.parametrize(
    ("data_type", "schema"),
    [
        ({"type": 0}, NULL),
        ({"type": 0, "isNullable": True}, NULL),
        ({"type": 1}, {"type": "boolean"}),
        ({"type": 2}, STRING),
        ({"type": 4}, {"type": "number"}),
        ({"type": 5}, {"type": "number"}),
        ({"type": 6}, {"type": "integer"}),
        ({"type": 7, "enumValues": ["1", "-2"]}, {"type": "integer", "enum": [1, -2]}),
        ({"type": 8, "enumValues": ["AUTO", "1"]}, {"type": "string", "enum": ["AUTO", "1"]}),
        ({"type": 8, "enumValues": []}, STRING),
        ({"type": "TYPE_STRING"}, STRING),
        ({"type": "string", "isNullable": True}, {"anyOf": [STRING, NULL]}),
        ({"type": 10, "itemType": {"type": 8}}, {"type": "array", "items": STRING}),
        (
            {"type": 3, "properties": {"b": {"type": 8}}, "required": ["b"]},
            {"type": "object", "properties": {"b": STRING}, "required": ["b"]},
        ),
        ({"type": 14, "oneOf": [{"type": 8}, {"type": 7}]}, {"anyOf": [STRING, {"type": "integer"}]}),
        ({"type": 14, "matchOneOf": [{"type": 8}, {"type": 7}]}, {"anyOf": [STRING, {"type": "integer"}]}),
        (
            {
                "type": 12,
                "allOf": [
                    {"type": 11, "dataTypeReference": "P"},
                    {"type": 3, "properties": {"c": {"type": 8}}, "required": ["c"]},
                ],
            },
            {"type": "object", "properties": {"b": STRING, "c": STRING}, "required": ["b", "c"]},
        ),
    ],
)
def test_data_types_become_json_schema(data_type, schema):
    part = {"type": 3, "properties": {"b": {"type": 8}}, "required": ["b"]}
    assert read_tool(function(data_type, P=part)).properties == {"a": schema}


@pytest.mark.parametrize(
    ("data_type", "path", "problem"),
    [
        (None, "", "expected a data type as an object, found null"),
        ({}, ".type", "null is no type; known are 0 (unit), 1 (boolean)"),
        ({"type": 9}, ".type", "9 is no type"),
        ({"type": "frob"}, ".type", '"frob" is no type'),
        ({"type": 13}, "", "a Parcelable cannot be written as JSON"),
        ({"type": 10}, ".itemType", "expected a data type as an object, found null"),
        ({"type": 10, "itemType": {"type": 13}}, ".itemType", "a Parcelable cannot be written as JSON"),
        ({"type": 11, "dataTypeReference": "Q"}, ".dataTypeReference", "\"Q\" is not among the components ['P']"),
        ({"type": 14, "oneOf": []}, ".oneOf", "expected a list of data types, found []"),
        ({"type": 7, "enumValues": ["x"]}, ".enumValues", 'expected integers, found ["x"]'),
        ({"type": 8, "isNullable": "no"}, ".isNullable", 'expected true or false, found "no"'),
        ({"type": 3, "properties": [3]}, ".properties[0]", "expected an object with a name, found 3"),
    ],
)
def test_a_data_type_that_no_call_can_hold_is_refused_with_its_place(data_type, path, problem):
    with pytest.raises(ToolError) as caught:
        read_tool(function(data_type, P={"type": 8}))
    assert (caught.value.tool, caught.value.path) == ("f", f"$.parameters[0].dataType{path}")
    assert caught.value.problem.startswith(problem)


def test_an_optional_parcelable_is_left_out():
    tool = read_tool(function({"type": 13}, is_required=False))
    assert (tool.properties, tool.changes) == (
        {},
        ("$.parameters[0]: left out, a Parcelable cannot be written as JSON",),
    )


def test_a_disabled_function_is_refused():
    with pytest.raises(ToolError, match=r"\$\.isEnabled: the function is disabled"):
        read_tool(CREATE_NOTE | {"isEnabled": False})
