"""What of a schema cannot be enforced, or is no schema that a value fits: refused by its place, or left out."""

from typing import Any

import pytest
from schema_tables import X
from schema_tools import ROOT, accepts, tool_with
from toy_vocabulary import byte_vocabulary

from engine.errors import ToolError
from engine.formats import QWEN
from engine.toolset import Toolset

A = "$.parameters.properties.a"
REFUSED = [
    ({"not": {"type": "string"}}, f"{A}.not", "this keyword cannot be enforced"),
    ({"not": {}}, f"{A}.not", "this keyword cannot be enforced"),
    ({"if": {"type": "string"}, "then": {"minLength": 1}}, f"{A}.if", "this keyword"),
    ({"type": "array", "contains": {"type": "integer"}}, f"{A}.contains", "this keyword"),
    ({"type": "array", "items": {"type": "array", "uniqueItems": True}}, f"{A}.items.uniqueItems", "this keyword"),
    ({"type": "array", "unevaluatedItems": False}, f"{A}.unevaluatedItems", "this keyword"),
    ({"type": "object", "unevaluatedProperties": {}}, f"{A}.unevaluatedProperties", "this keyword"),
    ({**X, "unevaluatedProperties": False, "anyOf": [X]}, f"{A}.unevaluatedProperties", "this keyword"),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, f"{A}.dependentRequired", "this keyword"),
    ({"type": "object", "dependentSchemas": {"a": {}}}, f"{A}.dependentSchemas", "this keyword"),
    ({"type": "object", "dependencies": {"a": ["b"]}}, f"{A}.dependencies", "this keyword"),
    ({"type": "object", "propertyNames": {"maxLength": 3}}, f"{A}.propertyNames", "this keyword"),
    ({"type": "object", "minProperties": 2}, f"{A}.minProperties", "this keyword"),
    ({"$dynamicRef": "#x"}, f"{A}.$dynamicRef", "this keyword"),
    ({"type": "integer", "divisibleBy": 3}, f"{A}.divisibleBy", "this keyword"),
    ({"type": "string", "format": "iri"}, f"{A}.format", 'format "iri" cannot be enforced'),
    ({"type": "string", "format": "unknown"}, f"{A}.format", 'format "unknown" cannot be enforced'),
    ({"type": "integer", "format": "unix-time"}, f"{A}.format", 'format "unix-time"'),
    ({"type": "dict"}, f"{A}.type", 'unknown type "dict"; choose among null, boolean, integer'),
    ({"type": ["string", "float"]}, f"{A}.type", 'unknown type "float"'),
    ({"type": {"a": 1}}, f"{A}.type", 'unknown type {"a": 1}'),
    ({"type": "string", "pattern": "^(?!.*@).+$"}, f"{A}.pattern", "regex parse error: look-around"),
    ({"type": "string", "pattern": "("}, f"{A}.pattern", "regex parse error: unclosed group"),
    ({"type": "string", "pattern": r"\bfoo"}, f"{A}.pattern", "lookarounds not supported"),
    ({"type": "string", "pattern": r"(a)\1"}, f"{A}.pattern", "regex parse error: backreferences"),
    ({"oneOf": [{"type": "number"}, {"type": "integer"}]}, f"{A}.oneOf", "cannot be enforced: nothing shows"),
    ({"$ref": "#/$defs/Missing"}, f"{A}.$ref", "'#/$defs/Missing' is not there"),
    ({"$ref": "http://example.com/x"}, f"{A}.$ref", "'http://example.com/x' is outside the tool's schema"),
    ({"$ref": "other.json#/x"}, f"{A}.$ref", "'other.json#/x' is outside"),
    ({"$ref": "#anchor"}, f"{A}.$ref", "'#anchor' is no JSON pointer"),
    # The place is the deepest schema that fails by itself, behind references too.
    (
        {"type": "object", "properties": {"x.y": {"items": {"anyOf": [{"type": "null"}, {"pattern": "(?=a)"}]}}}},
        f'{A}.properties["x.y"].items.anyOf[1].pattern',
        "regex parse error",
    ),
    ({"$ref": "#/$defs/Bad"}, "$.parameters.$defs.Bad.properties.p.pattern", "regex parse error"),
    ({"allOf": [X, {"properties": {"z": {"not": {}}}}]}, f"{A}.allOf[1].properties.z.not", "this keyword"),
]
WITH_BAD = {**ROOT, "$defs": {**ROOT["$defs"], "Bad": {"properties": {"p": {"pattern": "(?=a)"}}}}}


def refusal(schema: Any, root: dict[str, Any] = WITH_BAD) -> ToolError:
    tool = tool_with(schema, root)
    with pytest.raises(ToolError) as caught:
        Toolset((tool,), QWEN, byte_vocabulary()).compile()
    return caught.value


@pytest.mark.parametrize(("schema", "path", "problem"), REFUSED)
def test_what_cannot_be_enforced_is_refused_with_tool_path_and_keyword(schema, path, problem):
    error = refusal(schema)
    assert (error.tool, error.path) == ("get", path)
    assert error.problem.startswith(problem)
    assert "\n" not in str(error)


@pytest.mark.parametrize(("schema", "path", "problem"), REFUSED)
def test_leniently_it_is_left_out_and_a_warning_says_the_same(schema, path, problem):
    toolset = Toolset((tool_with(schema, WITH_BAD),), QWEN, byte_vocabulary(), lenient=True)
    toolset.compile()
    (warning,) = toolset.warnings(toolset.tools[0])
    assert warning.startswith(f"tool 'get': {path}: {problem}")
    assert warning.endswith("; read as anyOf" if path.endswith("oneOf") else "; not enforced")


def test_a_lenient_reading_is_as_strict_as_it_can_be():
    schema = {"type": "object", "properties": {"p": {"type": "string", "pattern": "(?=a)", "maxLength": 2}}}
    assert accepts(schema, '{"p": "ab"}', lenient=True)
    assert not accepts(schema, '{"p": "abc"}', lenient=True)
    assert not accepts({"oneOf": [{"type": "number"}, {"type": "integer"}]}, '"a"', lenient=True)


def nested(schema: Any, depth: int, keyword: str = "items") -> Any:
    for _ in range(depth):
        schema = {keyword: schema if keyword == "items" else [schema]}
    return schema


NONE_FITS = [
    ({"enum": []}, f"{A}.enum", "expected a list of members, found []"),
    ({"enum": "ab"}, f"{A}.enum", 'expected a list of members, found "ab"'),
    ({"enum": ["a"], "type": "integer"}, f"{A}.enum", 'no member is of type "integer"'),
    ({"const": "a", "type": ["integer", "null"]}, f"{A}.const", 'no member is of type ["integer", "null"]'),
    ({"enum": [1, 2], "minimum": 3}, f"{A}.enum", 'no member keeps {"minimum": 3}'),
    ({"const": "a", "minLength": 2}, f"{A}.const", 'no member keeps {"minLength": 2}'),
    ({"type": []}, f"{A}.type", "no type is left"),
    ({"type": "integer", "minimum": 3, "maximum": 2}, f"{A}.minimum", "no integer is at least 3 and at most 2"),
    ({"type": "integer", "minimum": 0.2, "maximum": 0.8}, f"{A}.minimum", "no integer is at least 1 and at most 0"),
    ({"type": "number", "minimum": 3, "exclusiveMaximum": 3}, f"{A}.minimum", "no number is at least 3"),
    ({"type": "string", "minLength": 3, "maxLength": 2}, f"{A}.minLength", "Unsatisfiable schema: minLength (3)"),
    ({"type": "array", "minItems": 3, "maxItems": 2}, f"{A}.minItems", "no value has 3 items or more and 2 at most"),
    ({"type": "integer", "minimum": "3"}, f"{A}.minimum", 'expected a number, found "3"'),
    ({"type": "number", "multipleOf": 0}, f"{A}.multipleOf", "expected more than 0, found 0"),
    ({"type": "string", "minLength": -1}, f"{A}.minLength", "expected a whole number from 0 on, found -1"),
    ({"type": "string", "maxLength": 2.5}, f"{A}.maxLength", "expected a whole number from 0 on, found 2.5"),
    ({"type": "string", "maxLength": True}, f"{A}.maxLength", "expected a whole number from 0 on, found true"),
    ({"type": "string", "pattern": 3}, f"{A}.pattern", "expected a text, found 3"),
    ({"type": "object", "properties": ["a"]}, f"{A}.properties", 'expected an object, found ["a"]'),
    ({"type": "object", "required": "a"}, f"{A}.required", 'expected a list of names, found "a"'),
    ({"type": "array", "items": "string"}, f"{A}.items", 'expected a schema, found "string"'),
    ({**X, "unevaluatedProperties": False, "required": ["y"]}, f"{A}.unevaluatedProperties", "Unsatisfiable"),
    ({"anyOf": [False]}, f"{A}.anyOf", "no value is allowed"),
    ({"oneOf": [False, False]}, f"{A}.oneOf", "no value is allowed"),
    ({"anyOf": []}, f"{A}.anyOf", "expected one schema at least"),
    ({"anyOf": {}}, f"{A}.anyOf", "expected a list, found {}"),
    ({"allOf": [{"type": "string"}, {"type": "integer"}]}, f"{A}.allOf", "Unsatisfiable schema"),
    ({"type": "string", "nullable": "yes"}, f"{A}.nullable", 'expected true or false, found "yes"'),
    ({"$ref": "#/properties/a"}, f"{A}.$ref", "no value is described"),
    ({"anyOf": [{"$ref": "#/properties/a"}, {"type": "null"}]}, f"{A}.anyOf", "no value is described"),
    ({"allOf": [{"$ref": "#/$defs/Loop"}, {"type": "null"}]}, "$.parameters.$defs.Loop", "no value is described"),
    ({"$ref": "#/$defs/Endless"}, "$.parameters.$defs.Endless.properties.n.$ref", "no value of it ever ends"),
    ({"$ref": 3}, f"{A}.$ref", "expected a text, found 3"),
    (nested({"type": "string"}, 70), f"{A}{'.items' * 64}", "nested more than 64 schemas deep"),
    ({"anyOf": [nested({"type": "string"}, 300, "anyOf")]}, A, "nested"),
]
ENDLESS = {"type": "object", "properties": {"n": {"$ref": "#/$defs/Endless"}}, "required": ["n"]}
WITH_ENDLESS = {**ROOT, "$defs": {**ROOT["$defs"], "Endless": ENDLESS, "Loop": {"allOf": [{"$ref": "#/$defs/Loop"}]}}}


@pytest.mark.parametrize(("schema", "path", "problem"), NONE_FITS)
def test_a_schema_that_no_value_fits_or_that_is_none_is_refused(schema, path, problem):
    error = refusal(schema, WITH_ENDLESS)
    assert error.path.startswith(path)
    assert error.problem.startswith(problem)
