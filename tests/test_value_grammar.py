"""What the grammars of values that are no JSON accept and refuse."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, plain_names, scalars
from toy_vocabulary import byte_vocabulary, toy_vocabulary

from engine.errors import ToolError
from engine.formats import FUNCTIONGEMMA, GEMMA4, LFM2, QWEN3_CODER, CallFormat
from engine.notation import write_value
from engine.tools import Tool
from engine.toolset import Toolset

DEFINITIONS = {
    "Color": {"enum": ["red", "blue"]},
    "Node": {
        "type": "object",
        "properties": {"value": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
        "required": ["value"],
    },
}


def accepts(call_format: CallFormat, schema: Any, text: str) -> bool:
    """Whether a call may have `text` for its only value."""
    tool = Tool("get", "", {"properties": {"a": schema}, "required": ["a"], "$defs": DEFINITIONS})
    vocabulary = byte_vocabulary()
    constraint = Toolset((tool,), call_format, vocabulary).call_constraint()
    call = call_format.head("get") + call_format.lead("a", True) + text + call_format.end(True)
    for token in vocabulary.encode(call):
        if constraint.is_finished or not constraint.allows(token):
            return False
        constraint.advance(token)
    return constraint.is_finished


PYTHON_TEXTS = [
    ({"type": "boolean"}, ["True", "False"], ["true", "None", "1"]),
    ({"type": "null"}, ["None"], ["null", "False"]),
    ({"type": ["string", "null"]}, ['"a"', "None", '""'], ["'a'", "null", "a"]),
    ({"type": "string"}, ['"say \\"hi\\""', '"北京"', '"a\\n"'], ['"a\\/"', "'a'", '"a']),
    ({"type": "string", "minLength": 2, "maxLength": 3}, ['"ab"', '"北京x"'], ['"a"', '"abcd"']),
    ({"type": "integer", "minimum": 1, "maximum": 12}, ["1", "12"], ["0", "13", "1.0", "True"]),
    ({"type": "number"}, ["1.5", "-0.25", "1e+10", "7"], ["01", "1.e2", "-.5"]),
    ({"enum": ['a"b', "北京", 3, None, True]}, ['"a\\"b"', '"北京"', "3", "None", "True"], ["true", '"3"', "null"]),
    ({"const": {"k": [1, None]}}, ['{"k": [1, None]}'], ['{"k": [1, null]}', "{}"]),
    ({"type": "string", "enum": ["a", 3]}, ['"a"'], ["3"]),
    (
        {"type": "array", "items": {"type": "boolean"}},
        ["[]", "[True]", "[True, False]"],
        ["[true]", "[True,False]", "[1]"],
    ),
    (
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3},
        ["[1, 2]", "[1, 2, 3]"],
        ["[]", "[1]", "[1, 2, 3, 4]"],
    ),
    ({"type": "array", "minItems": 1}, ['["a", 1, None]', "[[]]"], ["[]"]),
    ({"type": "array", "maxItems": 0}, ["[]"], ["[1]"]),
    (
        {"prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "items": False, "type": "array"},
        ['[1, "a"]'],
        ["[1]", '[1, "a", 2]', '["a", 1]'],
    ),
    (
        {"prefixItems": [{"type": "integer"}], "minItems": 1, "items": {"type": "null"}, "type": "array"},
        ["[1]", "[1, None, None]"],
        ["[]", "[None]", "[1, 2]"],
    ),
    (
        {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "boolean"}}, "required": ["x"]},
        ['{"x": 1}', '{"x": 1, "y": True}'],
        ["{}", '{"y": True, "x": 1}', '{"x": 1, "z": 2}', '{"x": 1,"y": True}'],
    ),
    (
        {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "boolean"}}},
        ["{}", '{"x": 1}', '{"y": False}', '{"x": 1, "y": True}'],
        ['{, "y": True}', '{"y": True, "x": 1}'],
    ),
    (
        {"type": "object", "additionalProperties": {"type": "null"}},
        ["{}", '{"q": None}', '{"q": None, "r": None}'],
        ['{"q": 1}', "{q: None}"],
    ),
    (
        {"type": "object", "properties": {"x": {"type": "integer"}}, "additionalProperties": {"type": "null"}},
        ["{}", '{"x": 1}', '{"x": 1, "q": None}', '{"q": None}'],
        ['{"x": 1, "q": 2}'],
    ),
    ({"type": "object", "properties": {}, "additionalProperties": False}, ["{}"], ['{"x": 1}']),
    ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, ["3", "True"], ['"a"', "true"]),
    ({"oneOf": [{"type": "integer"}, {"type": "null"}], "minimum": 3}, ["3", "None"], ["2"]),
    ({"allOf": [{"type": "integer", "minimum": 3}]}, ["3"], ["2"]),
    ({"$ref": "#/$defs/Color"}, ['"red"'], ['"green"']),
    (
        {"$ref": "#/$defs/Node"},
        ['{"value": 1}', '{"value": 1, "next": {"value": 2, "next": None}}'],
        ['{"next": None}', '{"value": 1, "next": 2}'],
    ),
    ({}, ["1", '"a"', "None", "[True, {}]", '{"a": [None]}'], ["true", "[true]", "a"]),
    (True, ["1", '{"a": None}'], ["null"]),
]

MARKED_TEXTS = [
    ({"type": "string"}, ['<|"|>a "b" \\ c<|"|>', '<|"|><|"|>', '<|"|>a\nb<|"|>'], ['"a"', "a", '<|"|>a<|"|>b<|"|>']),
    ({"type": "string", "minLength": 2, "maxLength": 3}, ['<|"|>北京<|"|>'], ['<|"|>a<|"|>', '<|"|>abcd<|"|>']),
    ({"type": "string", "pattern": "^[a-c]+$"}, ['<|"|>abc<|"|>'], ['<|"|>abd<|"|>', '<|"|><|"|>']),
    ({"type": "string", "pattern": "b+"}, ['<|"|>abc<|"|>', '<|"|>b<|"|>'], ['<|"|>ac<|"|>']),
    ({"type": "string", "format": "date"}, ['<|"|>2024-02-28<|"|>'], ['<|"|>2024-2-28<|"|>', '<|"|>x<|"|>']),
    ({"enum": ["a b", 3, False]}, ['<|"|>a b<|"|>', "3", "false"], ['"a b"', "False"]),
    (
        {"type": "array", "items": {"type": "string"}},
        ["[]", '[<|"|>a<|"|>,<|"|>b<|"|>]'],
        ['[<|"|>a<|"|>, <|"|>b<|"|>]'],
    ),
    (
        {"type": "object", "properties": {"x": {"type": "string"}}},
        ["{}", '{x:<|"|>a<|"|>}'],
        ['{"x":<|"|>a<|"|>}', "{x: 1}"],
    ),
    ({"type": "object"}, ["{}", '{k:1,l:<|"|>a<|"|>}'], ['{"k":1}']),
    ({"type": ["integer", "null"]}, ["1", "None"], ["null"]),
]

BARE_TEXTS = [
    ({"type": "string"}, ["", "a", 'say "hi"', "a\nb", "a\n</param", "5", "<tool_call>"], ["a\n</parameter>\nb"]),
    ({"type": "string", "minLength": 2, "maxLength": 3}, ["ab", "北京x"], ["a", "abcd"]),
    ({"type": "string", "pattern": "^a|b$"}, [], []),
    ({"type": "integer", "minimum": 1}, ["1", "12"], ["0", "a", "1.5", " 1"]),
    ({"type": "boolean"}, ["True", "False"], ["true"]),
    ({"type": ["string", "null"]}, ["None", "a"], []),
    ({"enum": ["a", "b c", 3]}, ["a", "b c", "3"], ["b", '"a"']),
    ({"type": "array", "items": {"type": "string"}}, ['["a", "b"]', "[]"], ["[a]", '["a","b"]']),
    (
        {"type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"]},
        ['{"x": true}'],
        ['{"x": True}', "{}"],
    ),
    ({"$ref": "#/$defs/Color"}, ["red"], ["green", '"red"']),
    ({"type": "array", "items": {"$ref": "#/$defs/Node"}}, ['[{"value": 1, "next": null}]'], ['[{"value": "a"}]']),
    ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "null"}}]}, ["1", "[null]"], ["a", "[None]"]),
]


def table(rows: list) -> list:
    return [
        pytest.param(schema, text, allowed, id=f"{schema} {text!r}")
        for schema, good, bad in rows
        for allowed, texts in ((True, good), (False, bad))
        for text in texts
    ]


@pytest.mark.parametrize(("schema", "text", "allowed"), table(PYTHON_TEXTS))
def test_python_literals_of_a_schema(schema, text, allowed):
    assert accepts(LFM2, schema, text) is allowed


@pytest.mark.parametrize(("schema", "text", "allowed"), table(MARKED_TEXTS))
def test_values_with_marked_strings_of_a_schema(schema, text, allowed):
    assert accepts(GEMMA4, schema, text) is allowed


@pytest.mark.parametrize(("schema", "text", "allowed"), table(BARE_TEXTS))
def test_bare_values_of_a_schema(schema, text, allowed):
    assert accepts(QWEN3_CODER, schema, text) is allowed


@pytest.mark.parametrize(
    ("call_format", "schema", "problem"),
    [
        (LFM2, {"not": {"type": "string"}}, r"properties\.a\.not: this keyword cannot be enforced"),
        (LFM2, {"type": "array", "items": {"type": "array", "contains": {}}}, r"a\.items\.contains: this keyword"),
        (LFM2, {"type": "array", "uniqueItems": True}, r"a\.uniqueItems: this keyword"),
        (LFM2, {"type": "object", "patternProperties": {}}, r"a\.patternProperties"),
        (LFM2, {"allOf": [{"pattern": "a"}, {"pattern": "b"}]}, r"a\.allOf: .*'allOf'"),
        (LFM2, {"enum": ["a", "b"], "pattern": "^a"}, r"a\.pattern: .*'pattern' beside members"),
        (LFM2, {"oneOf": [{"type": "number"}, {"type": "integer"}]}, r"a\.oneOf: .*fits two of its schemas"),
        (LFM2, {"$ref": "#/$defs/None"}, r"'#/\$defs/None' is not there"),
        (LFM2, {"anyOf": [{"minimum": 1}, {"type": "null"}], "minimum": 2}, "'minimum' beside 'anyOf' and in it"),
        (LFM2, {"type": "array", "prefixItems": [{}]}, "1 prefixItems with minItems 0"),
        (LFM2, {"type": "object", "properties": {}, "required": ["x"]}, r"a\.required: .*'x'"),
        (LFM2, {"enum": ["a"], "type": "integer"}, "no member is of type"),
        (GEMMA4, {"type": "string", "format": "uri"}, "the format 'uri'; known here are date, "),
        (GEMMA4, {"type": "string", "pattern": "^a|b$"}, "anchors belong to one alternative"),
        (GEMMA4, {"type": "string", "pattern": "a$b"}, "an anchor inside"),
        (GEMMA4, {"type": "object", "properties": {"a:b": {}}}, "'a:b' as a key without quotes"),
        (QWEN3_CODER, {"type": "string", "pattern": "x^"}, "an anchor inside"),
    ],
)
def test_what_a_notation_cannot_enforce_is_refused_by_path_and_keyword(call_format, schema, problem):
    with pytest.raises(ToolError, match=problem):
        accepts(call_format, schema, "")


@examples(60)
@given(scalars(), plain_names, st.data())
def test_validity_every_value_of_a_scalar_schema_is_accepted_as_it_is_written(argument, name, data):
    value = data.draw(argument.values)
    text = write_value(LFM2.notation, value)
    assert accepts(
        LFM2,
        {"type": "object", "properties": {name: argument.schema}, "additionalProperties": False},
        f'{{"{name}": {text}}}',
    )


def test_a_mark_that_is_a_token_stands_between_bytes_that_cannot_spell_it():
    vocabulary = toy_vocabulary()
    mark = vocabulary.specials["<escape>"]
    tool = Tool("get", "", {"properties": {"a": {"type": "string"}}, "required": ["a"]})
    from_format = Toolset((tool,), FUNCTIONGEMMA, vocabulary)
    constraint = from_format.call_constraint()
    while forced := constraint.forced():
        constraint.advance_all(forced)
    constraint.advance(vocabulary.encode("<")[0])
    assert constraint.allows(mark)
    constraint.advance_all(vocabulary.encode("escape"))
    assert not constraint.allows(vocabulary.encode(">")[0])
