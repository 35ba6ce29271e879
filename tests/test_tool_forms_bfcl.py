"""BFCL's tools as JSON Schema, with every change listed."""

import pytest

from engine.errors import ToolError
from engine.tool_forms import tool_from_bfcl


def changed(schema):
    """An argument's schema as it comes out, and the changes under it."""
    tool = tool_from_bfcl({"name": "t", "parameters": {"type": "dict", "properties": {"a": schema}}})
    assert tool.changes[-1] == "$.parameters.type: 'dict' became 'object'"
    return tool.properties["a"], tool.changes[:-1]


@pytest.mark.parametrize(
    ("name", "json_type"),
    [
        ("dict", "object"),
        ("HashMap", "object"),
        ("float", "number"),
        ("double", "number"),
        ("long", "integer"),
        ("Boolean", "boolean"),
        ("tuple", "array"),
        ("ArrayList", "array"),
        ("Array", "array"),
        ("String", "string"),
        ("any", "string"),
        ("char", "string"),
        ("", "string"),
        ("Callable", "string"),
    ],
)
def test_types_of_other_languages_become_json_types(name, json_type):
    schema, changes = changed({"type": name})
    assert schema == {"type": json_type}
    assert changes == (f"$.parameters.properties.a.type: {name!r} became {json_type!r}",)


@pytest.mark.parametrize("name", ["string", "number", "integer", "boolean", "array", "object", "null"])
def test_json_types_stay_and_are_no_change(name):
    assert changed({"type": name}) == ({"type": name}, ())


@pytest.mark.parametrize(
    ("schema", "result", "changes"),
    [
        (
            {"type": "array", "items": {"type": "tuple", "items": {"type": "float"}}},
            {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            (
                "$.parameters.properties.a.items.items.type: 'float' became 'number'",
                "$.parameters.properties.a.items.type: 'tuple' became 'array'",
            ),
        ),
        (
            {"type": "object", "properties": {"type": {"type": "any"}}},
            {"type": "object", "properties": {"type": {"type": "string"}}},
            ("$.parameters.properties.a.properties.type.type: 'any' became 'string'",),
        ),
        (
            {"anyOf": [{"type": "integer"}, {"type": "dict"}]},
            {"anyOf": [{"type": "integer"}, {"type": "object"}]},
            ("$.parameters.properties.a.anyOf[1].type: 'dict' became 'object'",),
        ),
        ({"type": "string", "optional": True}, {"type": "string"}, ("$.parameters.properties.a.optional: dropped",)),
        (
            {"type": "string", "enum": []},
            {"type": "string"},
            ("$.parameters.properties.a.enum: dropped, it was empty",),
        ),
        (
            {"type": "string", "default": {"type": "dict"}, "enum": ["float", {"type": "any"}]},
            {"type": "string", "default": {"type": "dict"}, "enum": ["float", {"type": "any"}]},
            (),
        ),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}, ()),
        (
            {"type": "array", "items": {"type": "string"}, "enum": ["x", "y"]},
            {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
            ("$.parameters.properties.a.enum: moved to the array's items",),
        ),
        ({"type": "array", "enum": [["x"], ["y"]]}, {"type": "array", "enum": [["x"], ["y"]]}, ()),
        (
            {"type": "boolean", "enum": ["True", "False", "dontcare"]},
            {"enum": ["True", "False", "dontcare"]},
            ("$.parameters.properties.a.type: dropped, no member of 'enum' is of type 'boolean'",),
        ),
        (
            {"type": "integer", "enum": [True]},
            {"enum": [True]},
            ("$.parameters.properties.a.type: dropped, no member of 'enum' is of type 'integer'",),
        ),
        ({"type": "number", "enum": [1, 2.5]}, {"type": "number", "enum": [1, 2.5]}, ()),
        ({"type": "string", "enum": ["3", 3]}, {"type": "string", "enum": ["3", 3]}, ()),
    ],
)
def test_changes_are_made_in_schemas_and_nowhere_else(schema, result, changes):
    assert changed(schema) == (result, changes)


def test_an_argument_called_optional_stays_an_argument():
    schema = {"type": "object", "properties": {"optional": {"type": "boolean"}}}
    tool = tool_from_bfcl({"name": "t", "description": "d", "parameters": schema})
    assert (tool.name, tool.description, tool.optional, tool.changes) == ("t", "d", ("optional",), ())


@pytest.mark.parametrize("definition", [{}, {"parameters": {}}, {"name": 3, "parameters": {}}, {"name": ""}])
def test_a_definition_without_a_name_is_refused(definition):
    with pytest.raises(ToolError, match=r"^\$\.name: expected a non-empty string"):
        tool_from_bfcl(definition)


@pytest.mark.parametrize("definition", [{"name": "t"}, {"name": "t", "parameters": {"type": "dict"}}])
def test_a_definition_without_arguments_is_a_tool(definition):
    assert tool_from_bfcl(definition).properties == {}
