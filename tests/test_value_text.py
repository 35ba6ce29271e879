"""Where values end, and what they say, in every notation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import json_text

from engine.errors import ScheduleError
from engine.notation import BARE, BARE_PYTHON, COMPACT_JSON, JSON, PYTHON, marked, write_value
from engine.schema_types import JSON_TYPES
from engine.value_text import finished_value, read_value

MARKED = marked("<escape>")
NOTATIONS = {n.name: n for n in (JSON, COMPACT_JSON, PYTHON, MARKED)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # A number has ended once something stands behind it that cannot be a part of it.
        ("1", None),
        ("-", None),
        ("1.", None),
        ("1e", None),
        ("1e+", None),
        ("1e5", None),
        ("1.5", None),
        ("12,", "12"),
        ("12, ", "12"),
        ("-0.5}}", "-0.5"),
        ("1e+10]", "1e+10"),
        ("5.0\n", "5.0"),
        ("7" * 5000, None),
        ("7" * 5000 + ",", "7" * 5000),
        # Strings, arrays, objects and words have ended with their last character.
        ("", None),
        ('"', None),
        ('""', '""'),
        ('"a', None),
        ('"a\\"', None),
        ('"a\\"b"', '"a\\"b"'),
        ('"a\\\\"', '"a\\\\"'),
        ('"a\\', None),
        ('"\\u00', None),
        ('"\\u00e9"', '"\\u00e9"'),
        ('"a", "b": "', '"a"'),
        ('"北京"}', '"北京"'),
        ("tru", None),
        ("true", "true"),
        ("null, ", "null"),
        ("[", None),
        ("[1", None),
        ("[1]", "[1]"),
        ('[[], "]"', None),
        ('[[], "]"], ', '[[], "]"]'),
        ('{"a": {"b": "}"}', None),
        ('{"a": {"b": "}"}}}}', '{"a": {"b": "}"}}'),
        ("{}", "{}"),
    ],
)
def test_a_value_has_ended_once_it_is_certain(text, value):
    assert finished_value(JSON, text) == value


def values(texts: st.SearchStrategy[str], keys: st.SearchStrategy[str]) -> st.SearchStrategy:
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
    return st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=8)


ANY = values(st.text(), st.text())
PLAIN = values(st.text().filter(lambda text: "<escape>" not in text), st.from_regex(r"[a-z_.-]{1,5}", fullmatch=True))


@given(st.sampled_from((JSON, COMPACT_JSON, PYTHON)), ANY)
def test_a_value_is_found_at_no_earlier_character_than_its_last(notation, value):
    text = write_value(notation, value)
    assert all(finished_value(notation, text[:end]) is None for end in range(len(text)))
    assert finished_value(notation, text + ", ") == text


@given(PLAIN)
def test_a_value_with_marked_strings_is_found_at_no_earlier_character_than_its_last(value):
    text = write_value(MARKED, value)
    assert all(finished_value(MARKED, text[:end]) is None for end in range(len(text)))
    assert finished_value(MARKED, text + ",") == text


@given(st.sampled_from((JSON, COMPACT_JSON, PYTHON)), ANY)
def test_a_value_is_read_as_it_was_written(notation, value):
    assert json_text(read_value(notation, write_value(notation, value), JSON_TYPES)) == json_text(value)


@given(PLAIN)
def test_a_value_with_marked_strings_is_read_as_it_was_written(value):
    assert json_text(read_value(MARKED, write_value(MARKED, value), JSON_TYPES)) == json_text(value)


@pytest.mark.parametrize(
    ("notation", "value", "text"),
    [
        (JSON, {"a": [1, True, None]}, '{"a": [1, true, null]}'),
        (COMPACT_JSON, {"a": [1, True]}, '{"a":[1,true]}'),
        (PYTHON, {"a": [1.5, True, None, 'say "hi"']}, '{"a": [1.5, True, None, "say \\"hi\\""]}'),
        (MARKED, {"a": [1, False, None, 'say "hi"']}, '{a:[1,false,None,<escape>say "hi"<escape>]}'),
        (BARE, 'say "hi"', 'say "hi"'),
        (BARE, ["x", True], '["x", true]'),
        (BARE_PYTHON, ["x", True], '["x", true]'),
        (BARE_PYTHON, True, "True"),
        (BARE_PYTHON, None, "None"),
    ],
)
def test_values_are_written_as_the_family_does(notation, value, text):
    assert write_value(notation, value) == text


CLOSE = "\n</parameter>\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("ab", None),
        ("ab\n</para", None),
        (CLOSE, ""),
        ("ab" + CLOSE, "ab"),
        ("a\n</b>" + CLOSE + "x", "a\n</b>"),
    ],
)
def test_a_bare_value_has_ended_where_its_close_stands(text, value):
    assert finished_value(BARE, text, CLOSE) == value


@pytest.mark.parametrize(
    ("notation", "text", "types", "value"),
    [
        # A text that reads as a value of a type that the schema admits is that value, and a string otherwise.
        (BARE, "5", {"string"}, "5"),
        (BARE, "5", {"string", "integer"}, 5),
        (BARE, "5", {"number"}, 5),
        (BARE, "5.5", {"string", "integer"}, "5.5"),
        (BARE, "5.0", {"integer", "number"}, 5.0),
        (BARE, "true", {"string"}, "true"),
        (BARE, "true", {"boolean"}, True),
        (BARE_PYTHON, "True", {"boolean"}, True),
        (BARE_PYTHON, "true", {"boolean", "string"}, True),
        (BARE_PYTHON, "None", {"string", "null"}, None),
        (BARE, "null", {"string"}, "null"),
        (BARE, '["x"]', {"array"}, ["x"]),
        (BARE, '["x"]', {"string"}, '["x"]'),
        (BARE, '["x"', {"array", "string"}, '["x"'),
        (BARE, "", {"string"}, ""),
        (BARE, "123456789012345678901234567890", {"integer"}, 123456789012345678901234567890),
    ],
)
def test_a_bare_text_is_what_the_schema_admits(notation, text, types, value):
    read = read_value(notation, text, types)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize("text", ["", "{", "[1,]", "tru", "01", '"a'])
@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_text_that_is_no_value_is_refused(notation, text):
    with pytest.raises(ScheduleError, match=f"no value in {notation.name} notation"):
        read_value(notation, text, JSON_TYPES)
