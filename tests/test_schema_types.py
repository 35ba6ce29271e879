"""Which JSON types a schema admits."""

import pytest

from engine.schema_types import JSON_TYPES, admitted_types, resolve

ROOT = {
    "$defs": {"A": {"type": "string"}, "B/c": {"$ref": "#/$defs/A"}, "Loop": {"$ref": "#/$defs/Loop"}},
    "list": [{}],
}


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({}, JSON_TYPES),
        (True, JSON_TYPES),
        (False, set()),
        ({"type": "string"}, {"string"}),
        ({"type": "number"}, {"number", "integer"}),
        ({"type": ["integer", "null"]}, {"integer", "null"}),
        ({"enum": ["a", 3, None]}, {"string", "integer", "number", "null"}),
        ({"enum": ["a", 3], "type": "string"}, {"string"}),
        ({"const": True}, {"boolean"}),
        ({"const": 1.5}, {"number"}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"string", "null"}),
        ({"oneOf": [{"type": "array"}, True], "type": ["array", "object"]}, {"array", "object"}),
        ({"allOf": [{"type": ["string", "null"]}, {"type": "string"}]}, {"string"}),
        ({"$ref": "#/$defs/A"}, {"string"}),
        ({"$ref": "#/$defs/B~1c"}, {"string"}),
        ({"$ref": "#/$defs/Loop"}, JSON_TYPES),
        ({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "boolean"}]}, {"string", "boolean"}),
    ],
)
def test_types_follow_from_all_keywords_together(schema, types):
    assert admitted_types(schema, ROOT) == types


@pytest.mark.parametrize(
    ("reference", "schema"),
    [("#", ROOT), ("#/$defs/A", {"type": "string"}), ("#/list/0", {}), ("#/$defs/B~1c", {"$ref": "#/$defs/A"})],
)
def test_a_local_reference_is_followed(reference, schema):
    assert resolve(reference, ROOT) == schema


@pytest.mark.parametrize("reference", ["#/$defs/C", "#/list/1", "#/list/x", "http://elsewhere/x"])
def test_a_reference_to_nowhere_fails(reference):
    with pytest.raises((KeyError, IndexError, ValueError)):
        resolve(reference, ROOT)
