"""What constraints allow: JSON by the letter, fixed separators, and one spelling of fixed text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Case, Whim, cases, examples, whims
from toy_vocabulary import VOCABULARIES, byte_vocabulary, toy_vocabulary

from engine.constraint import Constraint
from engine.errors import ScheduleError
from engine.formats import QWEN
from engine.tools import Tool
from engine.toolset import Toolset
from engine.vocabulary import Vocabulary


def tool_with(schema, **more) -> Tool:
    return Tool("get", "", {"properties": {"a": schema}, "required": ["a"], **more})


def accepts_arguments(tool: Tool, arguments: str) -> bool:
    """Whether a call of `tool` may read `{arguments}`, byte by byte."""
    vocabulary = byte_vocabulary()
    constraint = Toolset((tool,), QWEN, vocabulary).call_constraint()
    for token in vocabulary.encode(QWEN.head("get") + arguments + QWEN.closer):
        if not constraint.allows(token):
            return False
        constraint.advance(token)
    return constraint.is_finished


def accepts(schema, text: str, **more) -> bool:
    return accepts_arguments(tool_with(schema, **more), f'"a": {text}')


# Numbers by RFC 8259


@pytest.mark.parametrize(
    "text", ["0", "-0", "7", "-12", "1.5", "0.5", "-0.25", "1e5", "1e+10", "1E-09", "1.0e0", "5.0"]
)
def test_numbers_are_those_of_json(text):
    assert accepts({"type": "number"}, text)


NO_NUMBERS = [
    *("", "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1.e2", "1e", "1e+", "0x1", "1_000", "1,5"),
    *("NaN", "Infinity", "-Infinity", "1 ", " 1", '"1"', "true"),
]


@pytest.mark.parametrize("text", NO_NUMBERS)
@pytest.mark.parametrize("kind", ["number", "integer"])
def test_nothing_else_is_a_number(kind, text):
    assert not accepts({"type": kind}, text)


@pytest.mark.parametrize(
    ("text", "is_integer"),
    [
        ("0", True),
        ("-0", True),
        ("120000", True),
        ("-7", True),
        ("9" * 40, True),
        ("120000.0", False),
        ("1e3", False),
        ("1.5", False),
    ],
)
def test_integers_have_no_fraction_and_no_exponent(text, is_integer):
    assert accepts({"type": "integer"}, text) is is_integer


@pytest.mark.parametrize(
    ("text", "within"), [("0", True), ("120", True), ("99", True), ("121", False), ("-1", False), ("1000", False)]
)
def test_bounds_of_integers_are_kept(text, within):
    assert accepts({"type": "integer", "minimum": 0, "maximum": 120}, text) is within


# Members


MEMBERS = ["北京", 'a"b', "c\\d", "", 3, 2.5, None, True, "3", ["x", 1]]
TEXTS = ['"北京"', '"a\\"b"', '"c\\\\d"', '""', "3", "2.5", "null", "true", '"3"', '["x", 1]']


@pytest.mark.parametrize("text", TEXTS)
def test_each_member_of_an_enum_is_allowed_as_json_writes_it(text):
    assert accepts({"enum": MEMBERS}, text)


@pytest.mark.parametrize(
    "text", ['"北"', '"京"', '"a"b"', '"c\\d"', "33", "false", '"null"', "2", '["x",1]', '"\\u5317京"']
)
def test_nothing_but_a_member_is(text):
    assert not accepts({"enum": MEMBERS}, text)


@pytest.mark.parametrize(
    ("schema", "text"), [({"const": "é"}, '"é"'), ({"const": 1}, "1"), ({"const": {"x": None}}, '{"x": null}')]
)
def test_a_constant_leaves_no_choice(schema, text):
    assert accepts(schema, text)
    assert not accepts(schema, '"other"')


@pytest.mark.parametrize(("text", "allowed"), [('"3"', True), ("3", False)])
def test_members_of_another_type_are_not_allowed(text, allowed):
    assert accepts({"type": "string", "enum": ["3", 3]}, text) is allowed


@pytest.mark.parametrize(("text", "allowed"), [("null", True), ('"x"', True), ("3", False)])
def test_a_type_may_be_one_of_several(text, allowed):
    assert accepts({"type": ["string", "null"]}, text) is allowed
    assert accepts({"anyOf": [{"type": "string"}, {"type": "null"}]}, text) is allowed


# Strings


@pytest.mark.parametrize("text", ['""', '"\\n"', '"\\""', '"\\\\"', '"</tool_call>"', '"}}"', '"北京é😀"', '" "'])
def test_strings_hold_any_text_escaped_as_json_has_it(text):
    assert accepts({"type": "string"}, text)


@pytest.mark.parametrize(
    "text", ['"', '"a', 'a"', "'a'", '"\n"', '"\t"', '"\\x"', '"\\ud800"', "None", '"a"b"', '"a" "b"']
)
def test_other_text_is_no_string(text):
    assert not accepts({"type": "string"}, text)


@pytest.mark.parametrize(
    ("pattern", "text", "allowed"),
    [
        (r"^\d{4}-\d{2}$", '"2024-01"', True),
        (r"^\d{4}-\d{2}$", '"x2024-01"', False),
        (r"\d{4}", '"x2024y"', True),
        (r"\d{4}", '"x202y"', False),
        (r"\S", '" x"', True),
        (r"\S", '"  "', False),
    ],
)
def test_a_pattern_is_searched_for_unless_it_is_anchored(pattern, text, allowed):
    assert accepts({"type": "string", "pattern": pattern}, text) is allowed


def test_a_large_length_counts_characters_and_compiles():
    schema = {"type": "array", "items": {"type": "object", "properties": {"s": {"type": "string", "maxLength": 4000}}}}
    assert accepts(schema, '[{"s": "%s"}]' % ("北" * 4000))
    assert not accepts(schema, '[{"s": "%s"}]' % ("北" * 4001))


# Separators, order and keys


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ('"b": 1, "a": 2', True),
        ('"b": 1, "a": 2, "o": 3', True),
        ('"b": 1, "a": 2, "o": 3, "p": 4', True),
        ('"b": 1, "a": 2, "p": 4', True),
        # Order: required ones first, each group as declared.
        ('"a": 2, "b": 1', False),
        ('"o": 3, "b": 1, "a": 2', False),
        ('"b": 1, "a": 2, "p": 4, "o": 3', False),
        # Keys: all required ones, none twice, no others.
        ('"b": 1', False),
        ("", False),
        ('"b": 1, "a": 2, "a": 2', False),
        ('"b": 1, "a": 2, "x": 3', False),
        # Separators: a comma and a space, a colon and a space, no other whitespace.
        ('"b":1, "a": 2', False),
        ('"b": 1,"a": 2', False),
        ('"b": 1 , "a": 2', False),
        (' "b": 1, "a": 2', False),
        ('"b": 1, "a": 2 ', False),
        ('"b":  1, "a": 2', False),
        ('"b": 1,\n"a": 2', False),
        ('"b": 1, "a": 2,', False),
    ],
)
def test_arguments_have_one_order_and_one_layout(arguments, allowed):
    properties = {name: {"type": "integer"} for name in "obpa"}
    assert accepts_arguments(Tool("get", "", {"properties": properties, "required": ["a", "b"]}), arguments) is allowed


@pytest.mark.parametrize(("arguments", "allowed"), [("", True), ('"o": 1', True), (', "o": 1', False), (" ", False)])
def test_a_call_may_have_no_arguments_where_none_is_required(arguments, allowed):
    assert accepts_arguments(Tool("get", "", {"properties": {"o": {"type": "integer"}}}), arguments) is allowed


INNER = {"type": "object", "properties": {"y": {"type": "integer"}, "x": {"type": "integer"}}, "required": ["x"]}


@pytest.mark.parametrize(
    ("schema", "text", "allowed"),
    [
        (INNER, '{"y": 1, "x": 2}', True),
        (INNER, '{"x": 2}', True),
        (INNER, '{"x": 2, "y": 1}', False),
        (INNER, "{}", False),
        (INNER, '{"x": 2, "z": 3}', False),
        (INNER, '{"y": 1,"x": 2}', False),
        (INNER, '{"y":1, "x": 2}', False),
        (INNER, '{ "x": 2}', False),
        (INNER | {"additionalProperties": {"type": "integer"}}, '{"x": 2, "z": 3}', True),
        # An object that declares nothing takes any keys.
        ({"type": "object"}, '{"z": 3, "w": [1, {}]}', True),
        ({"type": "object"}, '{"z":3}', False),
        ({"type": "object"}, "{}", True),
        ({"type": "array", "items": {"type": "integer"}}, "[1, 2]", True),
        ({"type": "array", "items": {"type": "integer"}}, "[]", True),
        ({"type": "array", "items": {"type": "integer"}}, "[1,2]", False),
        ({"type": "array", "items": {"type": "integer"}}, "[1, 2, ]", False),
        ({"type": "array", "items": INNER}, '[{"x": 2}, {"y": 1, "x": 2}]', True),
        ({"type": "array", "items": INNER}, '[{"x": 2, "z": 2}]', False),
        (True, '{"z": [1, null]}', True),
        ({}, '"x"', True),
    ],
)
def test_nested_values_have_one_layout_and_no_keys_beside_the_declared(schema, text, allowed):
    assert accepts(schema, text) is allowed


def test_properties_named_like_keywords_are_properties():
    schema = {"type": "object", "properties": {"properties": {"type": "integer"}, "enum": INNER}}
    assert accepts(schema, '{"properties": 1, "enum": {"x": 2}}')
    assert not accepts(schema, '{"properties": 1, "enum": {"x": 2, "z": 3}}')


@pytest.mark.parametrize(
    ("schema", "text", "allowed"),
    [
        ({"$ref": "#/$defs/Color"}, '"red"', True),
        ({"$ref": "#/$defs/Color"}, '"blue"', False),
        ({"$ref": "#/$defs/Node"}, '{"next": {"next": {}}}', True),
        ({"$ref": "#/$defs/Node"}, '{"other": 1}', False),
        ({"type": "array", "items": {"$ref": "#/definitions/Old"}}, "[1]", True),
    ],
)
def test_references_to_definitions_of_the_tool_are_followed(schema, text, allowed):
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}
    definitions = {"$defs": {"Color": {"enum": ["red"]}, "Node": node}, "definitions": {"Old": {"type": "integer"}}}
    assert accepts(schema, text, **definitions) is allowed


# Fixed text in tokens


def spelled(vocabulary: Vocabulary, tokens) -> list[bytes]:
    return [vocabulary.decode([token]) for token in tokens]


def allowed_texts(constraint: Constraint, vocabulary: Vocabulary) -> set[bytes]:
    return set(spelled(vocabulary, np.flatnonzero(constraint.mask())))


def follow_forced(constraint: Constraint) -> Constraint:
    while constraint.forced():
        constraint.advance(constraint.forced()[0])
    return constraint


def test_forced_text_ends_before_a_token_that_an_entry_could_extend():
    vocabulary = toy_vocabulary()
    constraint = Toolset((tool_with({"type": "string"}),), QWEN, vocabulary).call_constraint()
    forced = vocabulary.decode(constraint.forced()).decode()
    text = QWEN.head("get") + QWEN.lead("a", is_first=True) + '"'
    assert text.startswith(forced)
    held = text[len(forced) :].encode()
    entries = spelled(vocabulary, range(vocabulary.size))
    ends = [held[start:] for start in range(len(held))]
    assert any(entry.startswith(end) and entry != end for entry in entries for end in ends)


def test_a_closing_quote_is_decoded_again_with_what_may_follow_it():
    """After writing back text that ends in a bare quote a model is off its habits, which have `",` for one token."""
    vocabulary = toy_vocabulary()
    tool = Tool("get", "", {"properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"]})
    rest = follow_forced(Toolset((tool,), QWEN, vocabulary).rest_constraint(tool, {"a": '"x"'}))
    assert spelled(vocabulary, rest.held_back()) == [b'"']
    assert allowed_texts(rest, vocabulary) == {b'"', b'",', b'", "', b'"}', b'"}}'}


def test_a_bare_space_before_a_quote_is_refused():
    """The usual spelling of what is held back has the space and the quote in one token; a space alone is a piece of it
    that the model never writes there."""
    vocabulary = toy_vocabulary()
    toolset = Toolset((tool_with({"type": "array", "items": {"type": "string"}, "minItems": 2}),), QWEN, vocabulary)
    constraint = follow_forced(toolset.call_constraint())
    for text in (b'["', b"x", b'",'):
        (token,) = (token for token in range(vocabulary.size) if vocabulary.decode([token]) == text)
        constraint.advance(token)
    assert not constraint.forced()
    assert spelled(vocabulary, constraint.held_back()) == [b' "']
    assert not constraint.allows(ord(" "))
    assert allowed_texts(constraint, vocabulary) == {b' "', b' "/', b' "a'}


@pytest.mark.parametrize("text", ['"x",', '"x"}', '"x"}}\n'])
def test_a_token_may_close_a_value_and_begin_what_follows(text):
    vocabulary = toy_vocabulary()
    tool = Tool("get", "", {"properties": {"a": {"type": "string"}, "n": {"type": "integer"}}, "required": ["a"]})
    branch = follow_forced(Toolset((tool,), QWEN, vocabulary).branch_constraint(tool, "a"))
    branch.advance_all(branch.held_back())
    branch.advance(ord("x"))
    closing = vocabulary.encode(text[2:])
    assert branch.allows(closing[0])
    branch.advance_all(closing)


def test_a_branch_ends_with_what_follows_its_value_in_the_call():
    """Behind the first of two required arguments stands the second's lead, and the call cannot end there."""
    vocabulary = toy_vocabulary()
    tool = Tool("get", "", {"properties": {name: {"type": "integer"} for name in "ab"}, "required": ["a", "b"]})
    toolset = Toolset((tool,), QWEN, vocabulary)
    followers = {}
    for name in tool.required:
        branch = follow_forced(toolset.branch_constraint(tool, name))
        branch.advance_all([*branch.held_back(), ord("7")])
        followers[name] = {text for text in allowed_texts(branch, vocabulary) if not text[:1].isdigit()}
    assert followers["a"] & {b"}", b"}}", b"}}\n"} == set()
    assert b", " in followers["a"]
    assert b"}}\n" in followers["b"]
    assert b", " not in followers["b"]


@examples(60)
@given(cases(max_call_tokens=80), whims)
def test_mask_and_allows_agree_wherever_a_call_may_go(case: Case, whim: Whim):
    """At each step of a random call; and where text is forced, one token spells it, and the next after that one."""
    writer = whim.writer(case.vocabulary)
    constraint = case.request.toolset.call_constraint()
    tokens: list[int] = []
    expected: tuple[int, ...] = ()
    for _ in range(60):
        if constraint.is_finished:
            break
        forced, mask = constraint.forced(), constraint.mask()
        assert forced[: len(expected)] == expected
        if forced:
            assert np.flatnonzero(mask).tolist() == [forced[0]]
        assert mask.any()
        assert [constraint.allows(token) for token in range(case.vocabulary.size)] == mask.tolist()
        tokens.append(forced[0] if forced else writer.next_token(tokens, constraint))
        constraint.advance(tokens[-1])
        expected = forced[1:]


@pytest.mark.parametrize("value", ["\u13ec", "x\u13ec", "\u304c\u13ec"])
def test_a_quote_that_an_entry_joins_to_the_end_of_a_character_may_be_written(value):
    """Of `\u13ec"` the last byte and the quote are one entry, which stands behind a token that cuts the character."""
    vocabulary = toy_vocabulary()
    properties = {"a": {"const": value}, "o": {"type": "string"}}
    tool = Tool("get", "", {"properties": properties, "required": ["a"]})
    constraint = follow_forced(Toolset((tool,), QWEN, vocabulary).call_constraint())
    allowed = [token for token in range(vocabulary.size) if constraint.allows(token)]
    assert b'\xac"' in {vocabulary.decode([token]) for token in allowed}
    assert np.flatnonzero(constraint.mask()).tolist() == allowed


def test_a_token_that_is_not_allowed_is_an_error():
    constraint = Toolset((tool_with({}),), QWEN, toy_vocabulary()).call_constraint()
    with pytest.raises(ScheduleError, match="token 120 is not allowed here"):
        constraint.advance(ord("x"))


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_a_marker_cannot_be_written_inside_a_value_nor_by_a_name(vocabulary):
    """`</tool_call>` in a value is text; the marker's token is allowed at the end alone."""
    vocabulary = VOCABULARIES[vocabulary]()
    tool = Tool(
        "get</tool_call>", "", {"properties": {"a<tool_call>": {"type": "string"}}, "required": ["a<tool_call>"]}
    )
    constraint = follow_forced(Toolset((tool,), QWEN, vocabulary).call_constraint())
    constraint.advance_all(constraint.held_back())
    markers = {*vocabulary.specials.values()}
    assert not markers & {*np.flatnonzero(constraint.mask()).tolist()}
    constraint.advance_all(vocabulary.encode('</tool_call>"'))
    constraint.advance_all(vocabulary.encode("}}\n"))
    assert vocabulary.decode(constraint.forced()) == b"</tool_call>"
    assert {*constraint.forced()} <= markers or not markers


@given(st.lists(st.text("get_abc", min_size=1, max_size=4), min_size=2, max_size=4, unique=True), st.data())
def test_the_chosen_tool_is_known_once_one_name_is_left(names, data):
    vocabulary = VOCABULARIES[data.draw(st.sampled_from(sorted(VOCABULARIES)))]()
    number = data.draw(st.integers(0, len(names) - 1))
    constraint = Toolset([Tool(name, "", {}) for name in names], QWEN, vocabulary).call_constraint()
    text = QWEN.head(names[number]) + QWEN.closer
    written = b""
    for token in vocabulary.encode_with_markers(text):
        fits = [n for n, name in enumerate(names) if (QWEN.head(name) + QWEN.closer).encode().startswith(written)]
        assert constraint.chosen == (fits[0] if len(fits) == 1 else None)
        constraint.advance(token)
        written += vocabulary.decode([token])
    assert constraint.chosen == number
    assert constraint.is_finished
