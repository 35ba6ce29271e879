"""DroidCall's functions: types in Python's notation, required and default beside them."""

import pytest

from engine.errors import ToolError
from engine.tool_forms import read_tool

STRING = {"type": "string"}
STRINGS = {"type": "array", "items": STRING}


def row(**arguments):
    return {"name": "send", "description": "Send it.", "arguments": arguments, "returns": {"type": "str"}}


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("str", STRING),
        ("int", {"type": "integer"}),
        ("float", {"type": "number"}),
        ("bool", {"type": "boolean"}),
        ("Any", {}),
        ("None", {"type": "null"}),
        ("list", {"type": "array"}),
        ("list[str]", STRINGS),
        ("List[str]", STRINGS),
        ("typing.List[str]", STRINGS),
        ("Optional[List[str]]", {"anyOf": [STRINGS, {"type": "null"}]}),
        ("Optional[str]", {"anyOf": [STRING, {"type": "null"}]}),
        ("str | None", {"anyOf": [STRING, {"type": "null"}]}),
        ("Union[int, str]", {"anyOf": [{"type": "integer"}, STRING]}),
        ("dict", {"type": "object"}),
        ("Dict[str, Any]", {"type": "object"}),
        (
            "Dict[str, List[int]]",
            {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}},
        ),
        ('Literal["a", "b"]', {"enum": ["a", "b"]}),
        ("Literal['北京', -1, True, None]", {"enum": ["北京", -1, True, None]}),
        ("Tuple[int, ...]", {"type": "array", "items": {"type": "integer"}}),
        (
            "Tuple[int, str]",
            {
                "type": "array",
                "prefixItems": [{"type": "integer"}, STRING],
                "items": False,
                "minItems": 2,
                "maxItems": 2,
            },
        ),
        (" str ", STRING),
    ],
)
def test_types_in_pythons_notation_become_json_schema(text, schema):
    tool = read_tool(row(a={"type": text}))
    assert tool.properties == {"a": schema}
    (change,) = tool.changes
    assert change.startswith(f"$.arguments.a.type: {text!r} became ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", '"" is no type; known are str'),
        ("Frob", '"Frob" is no type; known are str'),
        ("List[", '"List[" is no type'),
        ("List[str", '"List[str" is no type'),
        ("str; import os", "is no type"),
        ("__import__('os').system('x')", "is no type"),
        ("List[Frob]", "is no type"),
        ("str[int]", "is no type"),
        ("Dict[int, str]", "dict with keys of int: keys of objects in JSON are strings"),
        ("'str'", "'str' has no values in JSON"),
        (3, "expected a type in Python's notation, found 3"),
    ],
)
def test_a_type_that_is_none_is_refused_with_its_place(text, problem):
    with pytest.raises(ToolError) as caught:
        read_tool(row(good={"type": "str"}, a={"type": text}))
    assert (caught.value.tool, caught.value.path) == ("send", "$.arguments.a.type")
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("stated", "is_required", "schema"),
    [
        ({}, True, {}),
        ({"required": True}, True, {}),
        ({"required": True, "default": 1}, True, {"default": 1}),
        ({"required": False}, False, {}),
        ({"required": None, "default": None}, False, {"default": None}),
        ({"default": []}, False, {"default": []}),
        ({"description": "d", "type": "str"}, True, {"type": "string", "description": "d"}),
    ],
)
def test_an_argument_without_a_default_is_required_unless_it_says_otherwise(stated, is_required, schema):
    tool = read_tool(row(a=stated))
    assert (tool.required == ("a",), dict(tool.properties["a"])) == (is_required, schema)


@pytest.mark.parametrize(
    ("stated", "path"),
    [("str", "$.arguments.a"), ({"required": "yes"}, "$.arguments.a.required"), (None, "$.arguments.a")],
)
def test_an_argument_that_is_stated_otherwise_is_refused(stated, path):
    with pytest.raises(ToolError) as caught:
        read_tool(row(a=stated))
    assert caught.value.path == path
