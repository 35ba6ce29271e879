"""Python functions and Pydantic models as tools."""

import dataclasses
import enum
import functools
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal, NewType, NotRequired, TypedDict
from uuid import UUID

import pydantic
import pytest
from jsonschema import Draft202012Validator
from toy_vocabulary import byte_vocabulary

from engine.errors import ToolError
from engine.formats import QWEN
from engine.tool_forms import parse_tools, read_tool
from engine.toolset import Toolset

STRING, INTEGER = {"type": "string"}, {"type": "integer"}


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Place(TypedDict):
    city: str
    country: NotRequired[str]


@dataclasses.dataclass
class Node:
    value: int
    next: "Node | None" = None


class Address(pydantic.BaseModel):
    street: str


UserId = NewType("UserId", int)


def of(hint):
    """The schema of an argument with a hint, and the tool's definitions."""

    def function(a):
        pass

    function.__annotations__["a"] = hint
    tool = read_tool(function)
    Draft202012Validator.check_schema(dict(tool.parameters))
    return tool.properties["a"], tool.parameters.get("$defs")


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, STRING),
        (bool, {"type": "boolean"}),
        (float, {"type": "number"}),
        (None, {"type": "null"}),
        (Any, {}),
        (object, {}),
        (list, {"type": "array"}),
        (list[int], {"type": "array", "items": INTEGER}),
        (Sequence[str], {"type": "array", "items": STRING}),
        (set[str], {"type": "array", "items": STRING}),
        (dict, {"type": "object"}),
        (Mapping[str, int], {"type": "object", "additionalProperties": INTEGER}),
        (Literal["a", 1, None], {"enum": ["a", 1, None]}),
        (Literal[Color.RED], {"enum": ["red"]}),
        (Color, {"enum": ["red", "blue"]}),
        (int | None, {"anyOf": [INTEGER, {"type": "null"}]}),
        ("list[int]", {"type": "array", "items": INTEGER}),
        (Annotated[int, "days from now"], INTEGER | {"description": "days from now"}),
        (Annotated[int, pydantic.Field(description="days")], INTEGER | {"description": "days"}),
        (Annotated[int, 3], INTEGER),
        (UserId, INTEGER),
        (date, {"type": "string", "format": "date"}),
        (datetime, {"type": "string", "format": "date-time"}),
        (UUID, {"type": "string", "format": "uuid"}),
    ],
)
def test_a_type_hint_becomes_json_schema(hint, schema):
    assert of(hint) == (schema, None)


@pytest.mark.parametrize(
    ("hint", "name", "definition"),
    [
        (
            Place,
            "Place",
            {"type": "object", "properties": {"city": STRING, "country": STRING}, "required": ["city"]},
        ),
        (
            Node,
            "Node",
            {
                "type": "object",
                "properties": {"value": INTEGER, "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
                "required": ["value"],
            },
        ),
        (
            Address,
            "Address",
            {
                "type": "object",
                "title": "Address",
                "properties": {"street": {"title": "Street", "type": "string"}},
                "required": ["street"],
            },
        ),
    ],
)
def test_a_class_with_fields_is_a_definition_that_may_contain_itself(hint, name, definition):
    assert of(hint) == ({"$ref": f"#/$defs/{name}"}, {name: definition})
    assert of(list[hint]) == ({"type": "array", "items": {"$ref": f"#/$defs/{name}"}}, {name: definition})


@pytest.mark.parametrize("hint", [Callable[[], int], complex, dict[int, str], bytes, type, Literal[b"x"], "Nowhere"])
def test_a_type_without_values_in_json_is_refused(hint):
    with pytest.raises(ToolError) as caught:
        of(hint)
    assert caught.value.tool == "function"


def test_two_classes_of_one_name_are_refused():
    other = dataclasses.make_dataclass("Node", [("x", int)])

    def function(a: Node, b: other):
        pass

    with pytest.raises(ToolError, match=r"\$\.b: two classes are called Node"):
        read_tool(function)


def google(city: str, days: int = 3, unit="celsius"):
    """Weather forecast of a city.

    Looks days ahead.

    Args:
        city: Name of the city,
            in English.
        days (int): How many days.
        unit (Literal["celsius", "kelvin"], optional): Which scale.

    Returns:
        A table.
    """


def numpy_style(city: str, days: int = 3, unit="celsius"):
    """Weather forecast of a city.

    Looks days ahead.

    Parameters
    ----------
    city : str
        Name of the city,
        in English.
    days : int, optional
        How many days.
    unit : Literal["celsius", "kelvin"], optional
        Which scale.

    Returns
    -------
    A table.
    """


def sphinx(city: str, days: int = 3, unit="celsius"):
    """Weather forecast of a city.

    Looks days ahead.

    :param city: Name of the city,
        in English.
    :param days: How many days.
    :type days: int
    :param unit: Which scale.
    :type unit: Literal["celsius", "kelvin"]
    :returns: A table.
    """


@pytest.mark.parametrize("function", [google, numpy_style, sphinx])
def test_a_function_is_its_signature_and_docstring_in_any_style(function):
    tool = read_tool(function)
    assert (tool.name, tool.description) == (function.__name__, "Weather forecast of a city.\n\nLooks days ahead.")
    assert (tool.required, tool.optional, tool.changes) == (("city",), ("days", "unit"), ())
    assert tool.properties == {
        "city": STRING | {"description": "Name of the city,\nin English."},
        "days": INTEGER | {"description": "How many days.", "default": 3},
        "unit": {"enum": ["celsius", "kelvin"], "description": "Which scale.", "default": "celsius"},
    }


def starred(a: int, *rest, b: object = object(), **more):
    """Do.

    Args:
        b (something odd): B.
    """


def prose(a):
    """Do.

    Args:
        a (some words): A.
    """


class Bound:
    def method(self, x: int) -> None:
        """Do."""

    async def later(self, x: int) -> None:
        """Do."""


@pytest.mark.parametrize(
    ("function", "names", "changes"),
    [
        (
            starred,
            ("a", "b"),
            (
                "$.rest: *rest left out, it has no names",
                "$.more: **more left out, it has no names",
                "$.b: its default is no JSON and is not shown to the model",
            ),
        ),
        (prose, ("a",), ('$.a: the docstring\'s type "some words" was not understood, any value may come',)),
        (Bound().method, ("x",), ()),
        (Bound().later, ("x",), ()),
    ],
)
def test_what_a_call_cannot_name_or_show_is_listed(function, names, changes):
    tool = read_tool(function)
    assert (tuple(tool.properties), tool.changes) == (names, changes)


def positional(a, /):
    pass


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (lambda x: x, "expected a function with a name, found <function"),
        (functools.partial(google), "expected a function with a name, found functools.partial"),
        (positional, r"tool 'positional': \$\.a: positional only"),
        (dict.get, "positional only"),
        (Node, "expected a tool as an object, found 'type'"),
        (object(), "expected a tool as an object, found 'object'"),
    ],
)
def test_what_is_no_function_that_can_be_called_by_name_is_refused(item, message):
    with pytest.raises(ToolError, match=message):
        read_tool(item)


class Forecast(pydantic.BaseModel):
    """Weather forecast of a city."""

    city: str = pydantic.Field(description="Name of the city")
    days: int = pydantic.Field(3, ge=1, le=14)
    place: Address | None = None


class Tree(pydantic.BaseModel):
    """A tree."""

    label: str
    children: "list[Tree]" = []


def test_a_model_is_a_tool_of_its_fields():
    tool = read_tool(Forecast)
    assert (tool.name, tool.description, tool.changes) == ("Forecast", "Weather forecast of a city.", ())
    assert (tool.required, tool.optional) == (("city",), ("days", "place"))
    assert tool.properties["days"] == {"default": 3, "maximum": 14, "minimum": 1, "title": "Days", "type": "integer"}
    assert tool.parameters["$defs"].keys() == {"Address"}


def test_a_model_that_contains_itself_is_followed_to_its_fields():
    tool = read_tool(Tree)
    assert (tool.name, tool.required, tool.optional) == ("Tree", ("label",), ("children",))
    assert tool.properties["children"]["items"] == {"$ref": "#/$defs/Tree"}
    assert tool.changes == ('$.$ref: "#/$defs/Tree" was put in its place',)


class NoSchema(pydantic.BaseModel):
    call: Callable[[], int]


def test_a_model_without_a_schema_is_refused_by_its_own_reason():
    with pytest.raises(ToolError, match=r"tool 'NoSchema': \$: the model has no JSON Schema: Cannot generate"):
        read_tool(NoSchema)


def test_functions_and_models_and_json_may_be_offered_together():
    read = parse_tools([google, Forecast, {"name": "now", "parameters": {}}, lambda: None])
    assert [tool.name for tool in read.tools] == ["google", "Forecast", "now"]
    assert [error.path for error in read.refused] == ["$[3]"]


def everything(
    a: Place,
    b: Node,
    c: list[Address],
    d: tuple[int, str],
    e: tuple[int, ...] = (),
    f: Color | None = None,
    g: Mapping[str, int] | None = None,
    h: UUID | None = None,
    i: date | None = None,
):
    """Do."""


@pytest.mark.parametrize("item", [everything, google, Forecast, Tree])
def test_functions_and_models_give_tools_that_compile(item):
    Toolset([read_tool(item)], QWEN, byte_vocabulary()).compile()
