"""Values that a request names: which of its words count, in which order, and which do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.said_values import said_type, said_values

TEXT, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("from 3 to -5", (3, -5)),
        ("12,000 people and 1,234,567.5", (12000, 1234567.5)),
        ("1,2345", (1, 2345)),
        ("5, 6,7", (5, 6, 7)),
        ("It is 3.14.", (3.14,)),
        ("on 2023-10-15", (2023, 10, 15)),
        ("50% of $20", (50, 20)),
        ("0 or 0.5", (0, 0.5)),
        # Not as JSON writes them.
        ("agent 007", ()),
        ("1e5", ()),
        (".5", ()),
        ("\u0661\u0662 and 1\u0663", ()),
        # Parts of words, versions and addresses.
        ("10th, x2, 5km, a_3", ()),
        ("3.14.15 and 192.168.0.1", ()),
        # More digits than a value may have.
        ("9" * 41, ()),
        ("9" * 5000, ()),
        ("0." + "1" * 21, ()),
    ],
)
def test_numbers_are_taken_where_they_stand_alone_and_as_json_writes_them(said, numbers):
    assert said_values(NUMBER, said) == numbers


def test_an_integer_has_no_point():
    assert said_values(INTEGER, "2.5 or 3 or 4.0") == (3,)


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("Fly to New York from Newark", ("New York", "Newark")),
        ("say 'hello world' to \"Bob\"", ("hello world", "Bob", "Bob")),
        ("play \u201cSo What\u201d now", ("So What", "So What")),
        ("Is it in Paris? Then go.", ("Paris",)),
        ("ask J. R. Smith.", ("J. R. Smith",)),
        ("at AT&T", ("AT&T",)),
        # Words that start a sentence, an apostrophe, quotes that do not pair, nothing between quotes.
        ("Tell me. What is it? Well! Good", ()),
        ("don't say it's", ()),
        ("say 'hello to them", ()),
        ('say "" twice', ()),
        ("", ()),
    ],
)
def test_texts_are_quoted_ones_and_names(said, texts):
    assert said_values(TEXT, said) == texts


@pytest.mark.parametrize(
    ("members", "said", "found"),
    [
        (["celsius", "fahrenheit"], "in Fahrenheit, not Celsius", ("fahrenheit", "celsius")),
        (["day", "week"], "for two weeks", ("week",)),
        (["York", "New", "New York"], "to New York", ("New York", "New", "York")),
        ([3, True, None, 1.5], "3 of 1.5, true", (3, 1.5, True)),
        (["a.b", "a+b", "("], "axb a+b", ("a+b",)),
        # No word, the end of one, the empty text.
        (["elsius", ""], "in Celsius", ()),
        (["kelvin"], "in Celsius", ()),
        (["a", "kg", 3], "and kgs, 30 of them", ()),
        ([], "in Celsius", ()),
    ],
)
def test_members_are_found_as_words_in_the_order_of_the_request(members, said, found):
    assert said_values({"enum": members}, said) == found


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        {"type": "boolean"},
        {"type": "array", "items": TEXT},
        {"type": ["string", "integer"]},
        {"type": []},
        {"type": None},
        {"$ref": "#/$defs/City"},
        {"anyOf": [TEXT, INTEGER]},
        {"type": "string", "default": "Rome"},
        {"enum": None},
        {"enum": 5},
    ],
)
def test_a_schema_that_names_no_type_of_words_has_nothing_said(schema):
    assert said_values(schema, "Fly to Paris on day 5") == ()


@pytest.mark.parametrize(
    ("declared", "kind"),
    [
        ("string", "string"),
        (["string", "null"], "string"),
        (["null", "integer"], "integer"),
        (["string", "integer"], None),
        (["null"], None),
        (None, None),
    ],
)
def test_null_beside_a_type_does_not_count(declared, kind):
    assert said_type({"type": declared}) == kind


@given(
    st.one_of(
        st.sampled_from((TEXT, INTEGER, NUMBER)),
        st.builds(
            lambda members: {"enum": members}, st.lists(st.one_of(st.text(max_size=4), st.integers(), st.none()))
        ),
    ),
    st.text(st.sampled_from("aB 0123.,-'\"\u201c\u201d\u0661\n(["), max_size=30),
)
def test_whatever_is_said_has_values_that_the_schema_could_have(schema, said):
    for value in said_values(schema, said):
        if "enum" in schema:
            assert value in schema["enum"]
            assert str(value).lower() in said.lower()
        elif schema is TEXT:
            assert value in said
        else:
            assert str(value).removesuffix(".0") in said.replace(",", "")
