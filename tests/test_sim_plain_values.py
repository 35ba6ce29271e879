"""Values that a schema itself suggests: which come first, and that the first of them keep bounds and lengths."""

from itertools import islice

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.plain_values import plain_values


def first_values(schema, count=1):
    return list(islice(plain_values(schema, schema if isinstance(schema, dict) else {}), count))


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"type": "string"}, [""]),
        ({"type": "integer"}, [0]),
        ({"type": "number"}, [0]),
        ({"type": "boolean"}, [False]),
        ({"type": "null"}, [None]),
        ({"type": "array", "items": {"type": "string"}}, [[]]),
        ({"type": "object"}, [{}]),
        ({"type": "string", "default": "metric"}, ["metric", ""]),
        ({"type": "string", "default": None}, [""]),
        ({"type": "integer", "default": "10"}, [0]),
        ({"type": ["string", "null"], "default": None}, [None, ""]),
        ({"enum": ["b", "a"]}, ["b", ""]),
        ({"enum": ["b", "a"], "default": "a"}, ["a", "b", ""]),
        ({"const": 7}, [7, 0]),
        ({"type": ["null", "integer"]}, [0, None]),
        ({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}, [0, None, 3]),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"enum": ["x"]}}}, ["", "x"]),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, ["", 0]),
        (True, ["", 0, 0, False, [], {}, None]),
    ],
)
def test_the_default_comes_first_then_the_first_member_then_the_shortest_of_each_type(schema, values):
    assert first_values(schema, len(values)) == values


bounds = st.fixed_dictionaries(
    {"type": st.just("integer")},
    optional={"minimum": st.integers(-5, 9), "exclusiveMinimum": st.integers(-5, 9)},
)
limited = st.one_of(
    bounds,
    st.integers(-9, 9).map(lambda most: {"type": "integer", "maximum": most}),
    st.integers(-9, 9).map(lambda most: {"type": "number", "exclusiveMaximum": most}),
    st.integers(0, 5).map(lambda least: {"type": "string", "minLength": least}),
)


def nested(inner):
    """An array of so many items at least, an object that has to have a key."""
    least = st.integers(0, 3)
    return st.one_of(
        st.builds(lambda item, least: {"type": "array", "items": item, "minItems": least}, inner, least),
        st.builds(lambda item: {"type": "object", "properties": {"k": item, "o": item}, "required": ["k"]}, inner),
    )


@given(st.recursive(limited, nested))
def test_the_first_value_keeps_bounds_lengths_and_required_keys(schema):
    (value,) = first_values(schema)
    jsonschema.validate(value, schema)
