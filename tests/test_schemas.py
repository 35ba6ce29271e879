"""What of a tool's schema is enforced: tables of schemas, with texts that a call may and may not have for a value."""

import json
import re
from typing import Any

import jsonschema
import pytest
from strategies import Case
from toy_vocabulary import byte_vocabulary
from tracing import trace

from engine.errors import ToolError
from engine.formats import QWEN
from engine.numbers import MAX_FRACTION_DIGITS, MAX_INTEGER_DIGITS
from engine.schedules import BASIC
from engine.schemas import enforce, explain
from engine.tools import Tool
from engine.toolset import Toolset
from sim.random_walk import RandomWalk

CHECKER = jsonschema.Draft202012Validator.FORMAT_CHECKER

NODE = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}}, "required": ["v"]}
CAT = {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind"]}
DOG = {"type": "object", "properties": {"kind": {"const": "dog"}, "barks": {"type": "boolean"}}, "required": ["kind"]}
ROOT = {
    "type": "object",
    "properties": {"a": True, "color": {"$ref": "#/$defs/Color"}},
    "$defs": {
        "Color": {"type": "string", "enum": ["red", "green"]},
        "Node": NODE,
        "Cat": CAT,
        "Dog": DOG,
        "Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        "odd/name ~": {"const": 1},
        "Base": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        "Open": {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": True},
    },
    "definitions": {"Old": {"type": "boolean"}},
}


def tool_with(schema: Any, root: dict[str, Any] = ROOT) -> Tool:
    return Tool("get", "", {**root, "properties": {**root["properties"], "a": schema}, "required": ["a"]})


def accepts(schema: Any, text: str, lenient: bool = False) -> bool:
    """Whether a call may have `text` for the value of an argument of this schema, byte by byte."""
    vocabulary = byte_vocabulary()
    constraint = Toolset((tool_with(schema),), QWEN, vocabulary, lenient).call_constraint()
    for token in vocabulary.encode(QWEN.head("get") + QWEN.lead("a", True) + text + QWEN.end(True)):
        if constraint.is_finished or not constraint.allows(token):
            return False
        constraint.advance(token)
    return constraint.is_finished


def table(rows: list[tuple[Any, list[str], list[str]]]) -> list[Any]:
    return [
        pytest.param(schema, text, allowed, id=f"{json.dumps(schema)[:60]} {text[:30]}")
        for schema, good, bad in rows
        for allowed, texts in ((True, good), (False, bad))
        for text in texts
    ]


BIG = "9" * MAX_INTEGER_DIGITS
LONG = "1" * MAX_FRACTION_DIGITS

NUMBERS = [
    (
        {"type": "number"},
        ["0", "-0", "1e+10", "1E-09", "1e5", "0.5", "-0.25", "1.0e0", BIG, f"0.{LONG}", "9e307", "1e-999", "12.5E3"],
        ["01", "-01", "1.e2", ".5", "-.5", "+1", "1.", "1e", "NaN", "Infinity", "1e999", "1e308", BIG + "9"],
    ),
    ({"type": "number"}, [], [f"0.{LONG}1", "12e300", "0x1", "1_0", '"1"', "1 ", "--1", "1e5.0", "1e1000"]),
    ({"type": "integer"}, ["0", "-0", "-7", "120000", BIG, "-" + BIG], ["120000.0", "1e3", "1.5", "01", BIG + "9"]),
    ({"type": "integer", "minimum": 0}, ["0", "7", BIG], ["-1", "-0", "0.0", BIG + "9"]),
    ({"type": "integer", "minimum": -5}, ["-5", "-0", "0", "9"], ["-6", "-10", "-5.0"]),
    ({"type": "integer", "maximum": -5}, ["-5", "-100"], ["-4", "0", "5", "-05"]),
    ({"type": "integer", "minimum": 1, "maximum": 120}, ["1", "99", "120"], ["0", "121", "200", "1000", "012"]),
    ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 3}, ["1", "2"], ["0", "3"]),
    ({"type": "integer", "minimum": 0.5, "maximum": 2.5}, ["1", "2"], ["0", "3", "1.5"]),
    ({"type": "integer", "minimum": 10**19}, [str(10**19), str(10**20)], ["9223372036854775807", "1"]),
    ({"type": "integer", "minimum": 2**63, "maximum": 2**63 + 1}, [str(2**63 + 1)], [str(2**63 - 1), str(2**63 + 2)]),
    ({"type": "integer", "multipleOf": 5}, ["0", "10", "-15"], ["12", "1", "5.0"]),
    ({"type": "integer", "format": "int32"}, ["2147483647", "-2147483648"], ["2147483648", "-2147483649"]),
    ({"type": "integer", "format": "int64"}, [str(2**63 - 1), str(-(2**63))], [str(2**63)]),
    ({"type": "integer", "format": "int32", "minimum": 0}, ["0", "2147483647"], ["-1", "2147483648"]),
    ({"type": "number", "format": "float"}, ["1.5", "1e10"], ["x"]),
    ({"type": "number", "minimum": 0, "maximum": 1}, ["0", "1", "0.5", "1.0", "0.0"], ["1.1", "-0.1", "2", "5e-1"]),
    ({"type": "number", "minimum": -1.5}, ["-1.5", "-1.49", "0", "99.5"], ["-1.51", "-2", "-1.500001"]),
    ({"type": "number", "exclusiveMinimum": 0}, ["0.1", "3"], ["0", "0.0", "-1"]),
    ({"type": "number", "maximum": 10, "exclusiveMaximum": True}, ["9.9", "-3"], ["10", "10.0"]),
    ({"type": "number", "exclusiveMaximum": 0.3}, ["0.29999"], ["0.3", "0.29999999999999999999"]),
    ({"type": "number", "multipleOf": 0.01}, ["0.01", "1.25"], ["0.015"]),
    ({"type": ["integer", "null"]}, ["3", "null"], ["3.0", "x"]),
    ({"type": ["integer", "number"]}, ["3", "3.5"], ["x"]),
    ({"type": "array", "items": {"type": "integer"}}, [f"[{BIG}]"], [f"[{BIG}9]", "[1.0]"]),
    ({"type": "array", "items": {"type": "number"}}, [f"[0.{LONG}, 1e5]"], ["[1e999]", f"[0.{LONG}1]"]),
    ({}, ["1e5", BIG], ["1e999", BIG + "9", "[1e999]", '{"k": 1e999}']),
]

MEMBERS = [
    (
        {"enum": ["北京", 'a"b', "c\\d", 3, None, True]},
        ['"北京"', '"a\\"b"', '"c\\\\d"', "3", "null", "true"],
        ['"北"', '"3"', "false", '"null"', '"\\u5317京"', '"a"b"', "3.0"],
    ),
    ({"enum": [2**70, 1e-7, 0.1, 1e300]}, [str(2**70), "1e-07", "0.1", "1e+300"], [str(2**70 + 1), "0", "0.10"]),
    ({"enum": [["x", 1], {"k": [None]}]}, ['["x", 1]', '{"k": [null]}'], ['["x",1]', '["x"]', "{}"]),
    ({"enum": ["3", 3], "type": "string"}, ['"3"'], ["3"]),
    ({"enum": [1.0, 2.5], "type": "integer"}, ["1"], ["1.0", "2.5"]),
    ({"enum": [2**70, -1, "x", None], "minimum": 0}, [str(2**70), '"x"', "null"], ["-1"]),
    ({"enum": ["a", "ab", "abc", 7], "minLength": 2, "maxLength": 2}, ['"ab"', "7"], ['"a"', '"abc"']),
    ({"enum": [[], [1], {}], "minItems": 1}, ["[1]", "{}"], ["[]"]),
    ({"enum": ["ab", "b"], "pattern": "^a"}, ['"ab"'], ['"b"']),
    ({"enum": ["a", "ab", "abc"]}, ['"a"', '"ab"', '"abc"'], ['""', '"abcd"', '"b"']),
    ({"const": "é"}, ['"é"'], ['"e"', '"\\u00e9"']),
    ({"const": {"x": None}}, ['{"x": null}'], ["{}"]),
    ({"const": "a", "title": "Kind", "default": "a"}, ['"a"'], ['"b"']),
    ({"enum": ["a", None], "nullable": True, "type": "string"}, ['"a"', "null"], ['"b"']),
]

STRINGS = [
    ({"type": "string"}, ['""', '"\\n"', '"\\u0001"', '"</tool_call>"', '"北京é😀"'], ['"\n"', '"\\ud800"', "x", '"a']),
    ({"type": "string", "maxLength": 2}, ['"北京"', '"\\n\\""', '"😀é"'], ['"abc"', '"北京x"']),
    ({"type": "string", "minLength": 2.0}, ['"ab"'], ['"a"']),
    ({"type": "string", "maxLength": 4000}, ['"%s"' % ("é" * 4000)], ['"%s"' % ("é" * 4001)]),
    (
        {"type": "array", "items": {"type": "object", "properties": {"s": {"type": "string", "maxLength": 4000}}}},
        ['[{"s": "%s"}]' % ("北" * 4000)],
        ['[{"s": "%s"}]' % ("北" * 4001)],
    ),
    ({"type": "string", "pattern": r"^\d{4}-\d{2}$"}, ['"2024-01"'], ['"x2024-01"', '"2024-1"', '"2024-01\\n"']),
    ({"type": "string", "pattern": r"\d{2}"}, ['"x12y"', '"12"'], ['"x1y2"', '""']),
    ({"type": "string", "pattern": r"\S"}, ['" x"', '"x"'], ['" "', '""']),
    ({"type": "string", "pattern": "^a|b$"}, ['"ax"', '"xb"'], ['"xa"', '"bx"']),
    ({"type": "string", "pattern": r"^\/[a-z]+\.x$"}, ['"/a.x"'], ['"/ayx"', '"a.x"']),
    ({"type": "string", "pattern": "^[&&a]$"}, ['"&"', '"a"'], ['"b"']),
    ({"type": "string", "pattern": "^[[a]$"}, ['"["', '"a"'], ['"b"']),
    (
        {"type": "string", "format": "date"},
        ['"2024-02-29"', '"2000-02-29"', '"1999-12-31"', '"2023-02-28"'],
        ['"2023-02-29"', '"1900-02-29"', '"2024-02-30"', '"2024-04-31"', '"0000-01-01"', '"2024-2-29"', '"x"'],
    ),
    ({"type": "string", "format": "date", "pattern": "^20"}, ['"2024-02-29"'], ['"2023-02-29"', '"1999-01-01"']),
    ({"type": "string", "format": "date-time"}, ['"2024-02-29T10:00:00Z"'], ['"2023-02-29T10:00:00Z"', '"2024-02-29"']),
    ({"type": "string", "format": "uuid"}, ['"123e4567-e89b-12d3-a456-426614174000"'], ['"123"']),
    ({"type": "string", "format": "password"}, ['"x"'], ["1"]),
]

ARRAYS = [
    ({"type": "array", "items": {"type": "integer"}}, ["[]", "[1]", "[1, 2]"], ["[1,2]", "[1, ]", '["a"]', "1"]),
    ({"type": "array", "items": {"enum": ["a"]}, "minItems": 1, "maxItems": 2}, ['["a"]', '["a", "a"]'], ["[]"]),
    ({"type": "array", "items": {"type": "null"}, "maxItems": 1}, ["[]", "[null]"], ["[null, null]"]),
    ({"type": "array", "maxItems": 0}, ["[]"], ["[1]"]),
    ({"type": "array", "items": {"type": "null"}, "maxItems": 100000}, ["[null]"], ["[1]"]),
    ({"type": "array"}, ['[1, "a", [{}]]'], ["[1,2]", "x"]),
    ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}, ['[1, "a", true]', "[1]"], ['["a"]']),
    (
        {"type": "array", "items": [{"type": "integer"}, {"type": "string"}], "additionalItems": False},
        ['[1, "a"]', "[]"],
        ['[1, "a", 2]', '["a"]'],
    ),
    (
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "null"}, "minItems": 2},
        ["[1, null]", "[1, null, null]"],
        ["[1]", "[1, 2]"],
    ),
    ({"type": "array", "uniqueItems": False, "items": {"type": "integer"}}, ["[1, 1]"], ["[a]"]),
    ({"type": "array", "uniqueItems": True, "items": {"type": "integer"}, "maxItems": 1}, ["[1]"], ["[1, 2]"]),
]

X = {"type": "object", "properties": {"x": {"type": "integer"}}}
Y = {"type": "object", "properties": {"y": {"type": "boolean"}}, "required": ["y"]}
OBJECTS = [
    ({**X, "required": ["x"]}, ['{"x": 1}'], ["{}", '{"x": 1, "z": 2}', '{"x":1}', '{"x": "1"}']),
    # Declared order, whatever the order of `required`, and no other keys.
    (
        {"type": "object", "properties": {"z": {"type": "integer"}, "a": {"type": "integer"}}, "required": ["a"]},
        ['{"z": 1, "a": 2}', '{"a": 2}'],
        ['{"a": 2, "z": 1}', '{"z": 1}', '{"a": 2, "b": 3}', '{"a": 2, "a": 3}'],
    ),
    ({**X, "additionalProperties": {"type": "null"}}, ['{"x": 1, "z": null}', '{"z": null}'], ['{"z": 1}']),
    ({**X, "additionalProperties": True}, ['{"x": 1, "z": [1]}'], ['{"x": "a"}']),
    ({"type": "object"}, ["{}", '{"k": [1, {}]}'], ['{"k":1}']),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, ['{"k": 1, "l": 2}'], ['{"k": "a"}']),
    ({"type": "object", "additionalProperties": False}, ["{}"], ['{"k": 1}']),
    ({"type": "object", "properties": {}, "required": ["k"]}, ['{"k": 1}'], ["{}"]),
    ({**X, "required": ["k"]}, ['{"k": 1}', '{"x": 1, "k": 1}'], ["{}", '{"x": 1}']),
    (
        {"type": "object", "properties": {"x": False, "y": {"type": "integer"}}},
        ["{}", '{"y": 1}'],
        ['{"x": 1}', '{"x": 1, "y": 1}'],
    ),
    ({"type": "object", "patternProperties": {"^x": {"type": "integer"}}}, ['{"x1": 1}', "{}"], ['{"y": 1}']),
    ({"type": "object", "propertyNames": {"type": "string"}}, ['{"k": 1}'], ["1"]),
    ({"type": "object", "propertyNames": {"pattern": "^[a-z]+$"}}, ['{"ab": 1}', "{}"], ['{"A": 1}']),
    (
        {"type": "object", "propertyNames": {"enum": ["a", "b"]}, "additionalProperties": {"type": "integer"}},
        ['{"a": 1, "b": 2}', '{"b": 1}', "{}"],
        ['{"c": 1}', '{"a": "x"}'],
    ),
    ({"type": "object", "propertyNames": {"enum": ["a"]}, "unevaluatedProperties": False}, ["{}"], ['{"a": 1}']),
    ({**X, "minProperties": 1}, ['{"x": 1}'], ["{}"]),
    ({"type": "object", "minProperties": 1, "maxProperties": 1}, ['{"k": 1}'], ["{}", '{"k": 1, "l": 2}']),
    ({**X, "unevaluatedProperties": False}, ['{"x": 1}'], ['{"z": 1}']),
    ({"type": "object", "properties": {"properties": X, "enum": {"const": 1}}}, ['{"properties": {}, "enum": 1}'], []),
    ({"properties": {"x": {"type": "integer"}}}, ['{"x": 1}', "3", '"a"'], ['{"x": "a"}', '{"z": 1}']),
    (True, ["1", '{"z": [1, null]}', '"x"'], ["x", "[1,2]"]),
    ({"title": "Anything", "x-order": 3, "deprecated": True}, ["1", '"x"'], ["x"]),
]

COMBINED = [
    ({"allOf": [X, Y]}, ['{"x": 1, "y": true}', '{"y": true}'], ["{}", '{"y": true, "z": 1}', '{"x": "a", "y": true}']),
    ({"allOf": [{"$ref": "#/$defs/Base"}, Y]}, ['{"id": 1, "y": true}'], ['{"id": 1}', '{"id": 1, "y": true, "z": 1}']),
    ({**X, "allOf": [Y], "description": "d"}, ['{"x": 1, "y": true}'], ['{"x": 1}']),
    ({"allOf": [{"$ref": "#/$defs/Color"}], "description": "d"}, ['"red"'], ['"blue"']),
    ({"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 3}]}, ['"ab"', '"abc"'], ['"a"', '"abcd"']),
    ({"allOf": [{"enum": [1, "a", "b"]}, {"type": "string"}]}, ['"a"'], ["1"]),
    ({"allOf": [{"pattern": "a"}, {"pattern": "b"}], "type": "string"}, ['"ab"', '"ba"'], ['"a"', '"b"']),
    ({"$ref": "#/$defs/Base", "properties": {"y": {"type": "null"}}}, ['{"id": 1, "y": null}', '{"id": 1}'], ["{}"]),
    ({"$ref": "#/$defs/Base", "description": "d"}, ['{"id": 1}'], ['{"id": 1, "y": 1}']),
    (
        {"allOf": [{"$ref": "#/$defs/Open"}, {"properties": {"y": {"type": "null"}}}]},
        ['{"id": 1, "y": null, "z": 2}', '{"y": null}'],
        ['{"y": 1}'],
    ),
    (
        {**X, "anyOf": [{"required": ["x"]}, Y]},
        ['{"x": 1}', '{"y": true}', '{"x": 1, "y": true}'],
        ["{}", '{"x": 1, "z": 1}'],
    ),
    ({"anyOf": [X, Y]}, ['{"x": 1}', "{}", '{"y": true}'], ['{"x": 1, "y": true}', '{"z": 1}']),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ['"x"', "null"], ["3"]),
    ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}, ["3", "[3]"], ['"3"']),
    ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, ['"x"', "3"], ["3.5"]),
    (
        {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}], "discriminator": {"propertyName": "kind"}},
        ['{"kind": "cat", "lives": 7}', '{"kind": "dog", "barks": true}'],
        ['{"kind": "cat", "barks": true}', '{"kind": "cow"}', "{}"],
    ),
    ({"anyOf": [False, {"type": "null"}]}, ["null"], ["1"]),
    ({"anyOf": [True, {"type": "null"}], "type": "integer"}, ["1"], ["null"]),
    ({"oneOf": [False, {"type": "null"}]}, ["null"], ["1"]),
    (
        {"anyOf": [{"type": "string"}, {"type": "integer"}], "oneOf": [{"type": "integer"}, {"type": "null"}]},
        ["1"],
        ['"a"', "null"],
    ),
    ({"allOf": [{"anyOf": [{"const": 1}, {"const": 2}]}], "anyOf": [{"const": 2}, {"const": 3}]}, ["2"], ["1", "3"]),
    ({**X, "allOf": [{"unevaluatedProperties": False}]}, ["{}"], ['{"x": 1}', '{"z": 1}']),
    ({"allOf": [{**X, "unevaluatedProperties": False}]}, ['{"x": 1}'], ['{"z": 1}']),
    ({"type": "string", "nullable": True}, ['"x"', "null"], ["3"]),
    ({"$ref": "#/$defs/Color", "nullable": True}, ['"red"', "null"], ['"blue"']),
    ({"type": "string", "nullable": False}, ['"x"'], ["null"]),
]

REFERENCES = [
    ({"$ref": "#/$defs/Color"}, ['"red"'], ['"blue"', '"re"', "red"]),
    ({"type": "array", "items": {"$ref": "#/definitions/Old"}}, ["[true]"], ["[1]"]),
    ({"$ref": "#/$defs/Node"}, ['{"v": 1, "next": {"v": 2}}', '{"v": 1}'], ['{"next": {"v": 1}}', '{"v": 1, "w": 2}']),
    ({"$ref": "#/$defs/Tree"}, ["[]", "[[], [[]]]"], ["[1]"]),
    ({"$ref": "#/$defs/odd~1name%20~0"}, ["1"], ["2"]),
    ({"$ref": "#/properties/color"}, ['"green"'], ['"blue"']),
    # `#` is the tool's whole schema, not the argument's.
    ({"anyOf": [{"$ref": "#"}, {"type": "null"}]}, ['{"a": null, "color": "red"}', "null"], ['{"color": "blue"}', "1"]),
    ({"type": "object", "properties": {"n": {"$ref": "#/$defs/Node"}}}, ['{"n": {"v": 1}}'], ['{"n": 1}']),
]


ALL = [*NUMBERS, *MEMBERS, *STRINGS, *ARRAYS, *OBJECTS, *COMBINED, *REFERENCES]


@pytest.mark.parametrize(
    ("schema", "text", "allowed"),
    table(ALL),
)
def test_a_call_may_have_the_values_of_its_schema_and_no_others(schema, text, allowed):
    assert accepts(schema, text) is allowed


OTHER_DIALECTS = ("nullable", "additionalItems", "'exclusiveMaximum': True", "[[", "&&")


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        pytest.param(schema, text, id=f"{json.dumps(schema)[:60]} {text[:30]}")
        for schema, good, _ in ALL
        for text in good
        if not any(keyword in str(schema) for keyword in OTHER_DIALECTS)
    ],
)
def test_validity_what_these_tables_accept_validates_with_jsonschema(schema, text):
    """But for OpenAPI and older drafts, which the validator does not know, and for what Python reads otherwise."""
    root = tool_with(schema).parameters
    jsonschema.Draft202012Validator(root).validate({"a": json.loads(text)})


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


ANNOTATIONS = {
    "title": "t",
    "description": "d",
    "default": 1,
    "examples": [1],
    "deprecated": True,
    "readOnly": True,
    "writeOnly": True,
    "$comment": "c",
    "$id": "x",
    "$anchor": "a",
    "$schema": "s",
    "contentEncoding": "base64",
    "contentMediaType": "m",
    "contentSchema": {},
    "x-order": 1,
    "discriminator": {},
    "optional": True,
    "xml": {},
    "$dynamicAnchor": "a",
    "then": {},
    "else": {},
    "minContains": 2,
    "maxContains": 2,
    "additionalItems": False,
    "dependentRequired": {},
    "unevaluatedItems": True,
    "uniqueItems": False,
    "nullable": False,
}


@pytest.mark.parametrize("keyword", ANNOTATIONS)
def test_annotations_and_what_limits_nothing_change_nothing(keyword):
    plain = enforce(tool_with({"type": "string", "maxLength": 3}), "a")
    assert enforce(tool_with({"type": "string", "maxLength": 3, keyword: ANNOTATIONS[keyword]}), "a") == plain


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, "$.parameters.anyOf"),
        ({"oneOf": [{"required": ["a"]}]}, "$.parameters.oneOf"),
        ({"allOf": [{"required": ["a"]}]}, "$.parameters.allOf"),
        ({"not": {"required": ["a"]}}, "$.parameters.not"),
        ({"if": {"required": ["a"]}}, "$.parameters.if"),
        ({"minProperties": 1}, "$.parameters.minProperties"),
        ({"maxProperties": 1}, "$.parameters.maxProperties"),
        ({"dependentRequired": {"a": ["b"]}}, "$.parameters.dependentRequired"),
        ({"$ref": "#/$defs/X"}, "$.parameters.$ref"),
        ({"patternProperties": {"^a": {"type": "string"}}}, "$.parameters.patternProperties"),
        ({"minProperties": 1, "required": ["a"]}, None),
        ({"maxProperties": 2}, None),
        ({"dependentRequired": {}, "allOf": []}, None),
        ({"additionalProperties": False, "title": "t"}, None),
    ],
)
def test_keywords_that_tie_arguments_together_are_refused_or_left_out_with_a_warning(parameters, path):
    tool = Tool("get", "", {"properties": {"a": {}, "b": {}}, **parameters})
    toolset, lenient = (Toolset((tool,), QWEN, byte_vocabulary(), is_lenient) for is_lenient in (False, True))
    lenient.compile()
    if path is None:
        toolset.compile()
        assert lenient.warnings(tool) == ()
        return
    with pytest.raises(ToolError, match=re.escape(f"tool 'get': {path}: not supported here")):
        toolset.compile()
    assert [text.startswith(f"tool 'get': {path}: ") for text in lenient.warnings(tool)] == [True]


def test_a_lenient_reading_is_as_strict_as_it_can_be():
    schema = {"type": "object", "properties": {"p": {"type": "string", "pattern": "(?=a)", "maxLength": 2}}}
    assert accepts(schema, '{"p": "ab"}', lenient=True)
    assert not accepts(schema, '{"p": "abc"}', lenient=True)
    assert not accepts({"oneOf": [{"type": "number"}, {"type": "integer"}]}, '"a"', lenient=True)


@pytest.mark.parametrize(("schema", "_good", "_bad"), ALL)
def test_nothing_is_wrong_with_a_schema_that_is_enforced(schema, _good, _bad):
    assert explain(tool_with(schema), "a") is None
    assert enforce(tool_with(schema), "a", lenient=True) == enforce(tool_with(schema), "a")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "schema", [schema for schema, *_ in ALL if not any(keyword in str(schema) for keyword in OTHER_DIALECTS)]
)
def test_validity_a_random_walk_writes_only_calls_that_validate(schema, seed):
    """Whatever is allowed at each step, what comes out at the end keeps the schema."""
    tool = tool_with(schema)
    case = Case((tool,), tool, {}, max_call_tokens=200)
    run = trace(BASIC[seed], case.request, RandomWalk(seed, case.vocabulary))
    if run.call.arguments is not None:
        jsonschema.Draft202012Validator(tool.parameters, format_checker=CHECKER).validate(dict(run.call.arguments))
