"""Guesses of whole values: from which words or defaults, how far they are drafted, and how sure they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import argument_names, cases, examples, formats, plain_names, vocabulary_named, vocabulary_names
from toy_vocabulary import VOCABULARIES, byte_vocabulary, toy_vocabulary

from engine.call_text import read_so_far
from engine.drafts import NOTHING
from engine.formats import FUNCTIONGEMMA, LLAMA3_PYTHON, QWEN, QWEN3_CODER
from engine.spelling import call_parts, own_tokens
from engine.tools import Tool
from engine.value_guesses import ValueGuesses

TEXT, INTEGER, NUMBER, FLAG = ({"type": kind} for kind in ("string", "integer", "number", "boolean"))
BYTES = byte_vocabulary()


class Holds:
    """A constraint that holds these tokens back."""

    def __init__(self, tokens=()):
        self.tokens = tuple(tokens)

    def held_back(self):
        return self.tokens


UNHELD = Holds()


def tool(required, **optional):
    return Tool("get", "", {"properties": {**required, **optional}, "required": list(required)})


def lead(names, call_format=QWEN):
    """A call's text up to the value of the last of `names`, the others being 0."""
    *before, last = names.split()
    texts = "".join(call_format.lead(name, index == 0) + "0" for index, name in enumerate(before))
    return call_format.head("get") + texts + call_format.lead(last, not before)


def expected(asked, said, text, call_format=QWEN, vocabulary=BYTES, held=""):
    """What is drafted behind `text`."""
    guesses = ValueGuesses(asked, call_format, vocabulary, said)
    return guesses(vocabulary.encode_with_markers(text), Holds(vocabulary.encode(held)))


def guessed(*args, vocabulary=BYTES, **how):
    """The same as text."""
    return vocabulary.decode(expected(*args, vocabulary=vocabulary, **how).tokens).decode()


@pytest.mark.parametrize(
    ("schema", "said", "draft"),
    [
        # Bytes: the one that ends the value is the first of what follows it.
        (TEXT, "from Rome to Oslo", '"Rome",'),
        (TEXT, "the 'old town' of Rome", '"old town",'),
        (INTEGER, "at 12,000 or 3", "12000,"),
        (NUMBER, "at -2.5", "-2.5,"),
        ({"type": ["integer", "null"]}, "at 5", "5,"),
        ({"enum": ["km", "mile"]}, "in miles", '"mile",'),
        ({"enum": [1, 2]}, "2 of them", "2,"),
        ({"enum": [True, None]}, "is true", "true,"),
        # What tells nothing.
        (TEXT, "nothing here", ""),
        (TEXT, "", ""),
        (INTEGER, "agent 007 at 1e5", ""),
        (INTEGER, "9" * 5000, ""),
        ({"enum": ["", "("]}, "in a town", ""),
        (FLAG, "is true", ""),
        (True, "Fly to Rome at 5", ""),
        ({"$ref": "#/$defs/City"}, "to Rome at 5", ""),
        ({"anyOf": [TEXT, INTEGER]}, "to Rome at 5", ""),
        ({"type": ["string", "integer"]}, "to Rome at 5", ""),
        # Defaults, of whatever type; a text with one is not looked for.
        ({"type": "string", "default": "km"}, "to Rome", '"km",'),
        ({"type": "integer", "default": 7}, "at 5", "5,"),
        ({"type": "integer", "default": 7}, "now", "7,"),
        ({"type": "integer", "default": "x"}, "now", '"x",'),
        ({"enum": ["km"], "default": ["é"]}, "now", '["é"],'),
        ({"default": None}, "now", ""),
    ],
)
def test_a_value_is_guessed_whole_from_words_or_a_default(schema, said, draft):
    asked = tool({"a": schema, "b": TEXT})
    assert guessed(asked, said, lead("a")) == draft


@pytest.mark.parametrize(
    ("text", "draft"),
    [
        ('"', 'Rome",'),
        ('"R', ""),
        ("1", ""),
        ('"Rome"', ","),
    ],
)
def test_a_text_that_has_begun_is_guessed_no_more(text, draft):
    assert guessed(tool({"a": TEXT, "b": TEXT}), "to Rome", lead("a") + text) == draft


@pytest.mark.parametrize(("text", "draft"), [("", "125,"), ("1", "25,"), ("2", ""), ("12", "")])
def test_a_number_may_have_its_first_digit(text, draft):
    assert guessed(tool({"a": INTEGER, "b": TEXT}), "at 125", lead("a") + text) == draft


@pytest.mark.parametrize(
    ("names", "said", "draft"),
    [
        # Each in its turn; what the call has is not expected again.
        ("a", "from 0 to 3", "0"),
        ("a b", "from 0 to 3", "3"),
        ("a b", "from 0", ""),
        # In a branch the first values are those of the arguments that are not there, as far as there are so many.
        ("b", "from 5 to 3", "3"),
        ("b", "from 5", "5"),
        ("c", "from 5 to 3 by Rome to Oslo", '"Rome"'),
        ("d", "from 5 to 3 by Rome to Oslo", '"Oslo"'),
    ],
)
def test_the_words_are_handed_out_in_their_order(names, said, draft):
    asked = tool({"a": INTEGER, "b": INTEGER, "c": TEXT, "d": TEXT, "e": FLAG})
    assert guessed(asked, said, lead(names))[:-1] == draft


@pytest.mark.parametrize(
    ("text", "draft"),
    [
        # One token: the rest of a required one is fixed, that of an optional one may be another.
        (lead("a") + "0,", " "),
        (lead("a b") + '"x"', ","),
        (lead("a b") + '"x", ', '"'),
        (lead("a b") + '"x", "o": "y"', ","),
        (lead("a b") + '"x", "o": "y", "p": "z"', ""),
    ],
)
def test_behind_a_value_the_next_argument_is_expected(text, draft):
    assert guessed(tool({"a": INTEGER, "b": TEXT}, o=TEXT, p=TEXT), "", text) == draft


def test_a_call_without_further_arguments_is_expected_to_end():
    assert guessed(tool({"a": INTEGER}), "at 5", lead("a")) == "5}"


@pytest.mark.parametrize(
    ("call_format", "schema", "said", "draft"),
    [
        (LLAMA3_PYTHON, {"enum": [True, False]}, "false", "False,"),
        (LLAMA3_PYTHON, TEXT, "in Rome", '"Rome",'),
        (FUNCTIONGEMMA, TEXT, "in Rome", "<escape>Rome<escape>,"),
        (FUNCTIONGEMMA, {"default": ["x", 1]}, "", "[<escape>x<escape>,1],"),
        (FUNCTIONGEMMA, INTEGER, "at 5", "5,"),
        (QWEN3_CODER, TEXT, "in Rome", "Rome\n"),
        (QWEN3_CODER, {"default": True}, "", "True\n"),
        (QWEN3_CODER, INTEGER, "at 5", "5\n"),
    ],
)
def test_guesses_are_written_as_the_format_writes(call_format, schema, said, draft):
    asked = tool({"a": schema, "b": TEXT})
    assert guessed(asked, said, lead("a", call_format), call_format) == draft


def test_a_marker_that_opens_a_text_leaves_all_of_it_to_guess():
    asked = tool({"a": TEXT, "b": TEXT})
    text = lead("a", FUNCTIONGEMMA) + "<escape>"
    assert guessed(asked, "in Rome", text, FUNCTIONGEMMA) == "Rome<escape>,"


@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_guess_has_the_tokenizers_own_tokens_up_to_the_one_that_ends_the_value(name):
    vocabulary = VOCABULARIES[name]()
    own = own_tokens(call_parts(QWEN, "get", {"a": '"Tokyo"', "b": '"x"'}), vocabulary)
    place = start_of_value(own, vocabulary)
    draft = ValueGuesses(tool({"a": TEXT, "b": TEXT}), QWEN, vocabulary, "to Tokyo")(own[:place], UNHELD)
    whole = own[: place + len(draft.tokens)]
    value_end = len(lead("a") + '"Tokyo"')
    assert draft.tokens == whole[place:]
    assert len(vocabulary.decode(whole[:-1])) <= value_end < len(vocabulary.decode(whole))


def start_of_value(tokens, vocabulary):
    """How many of a call's tokens come before the one that starts the first value, or reaches into it."""
    ends = [len(vocabulary.decode(tokens[:number])) for number in range(len(tokens))]
    return max(number for number, end in enumerate(ends) if end <= len(lead("a")))


def test_a_call_in_other_tokens_than_the_tokenizers_is_not_guessed():
    vocabulary = toy_vocabulary()
    asked = tool({"city": TEXT, "b": TEXT})
    apart = (*vocabulary.encode_with_markers(QWEN.head("get"))[:-1], *QWEN.head("get")[-1:].encode())
    apart += tuple(b'"city": "')
    assert vocabulary.decode(apart).decode() == QWEN.head("get") + '"city": "'
    assert ValueGuesses(asked, QWEN, vocabulary, "to Tokyo")(apart, UNHELD) == NOTHING


def test_what_is_held_back_is_expected_where_nothing_is_guessed():
    asked = tool({"a": TEXT, "b": TEXT})
    text = QWEN.head("get") + '"a":'
    assert guessed(asked, "", text, held=' "') == ' "'
    assert guessed(asked, "to Rome", text, held=' "') == ' "Rome",'


def last_odds(schema, said, held=""):
    """How sure the last token is that is drafted of a value of `schema`."""
    return expected(tool({"a": schema, "b": TEXT}), said, QWEN.head("get") + '"a":', held=held).odds[-1]


def test_text_that_may_go_on_in_the_same_token_is_less_sure():
    sure = last_odds(TEXT, "", ' "')
    assert sure == last_odds(INTEGER, "", " ")
    assert sure > last_odds(FLAG, "", " ") == last_odds({"type": "array"}, "", " [") == last_odds({}, "", ' ["')


def first_odds(schema, said):
    return expected(tool({"a": schema, "b": TEXT}), said, lead("a")).odds[0]


def test_how_sure_a_guess_is_follows_from_its_kind():
    member, one, some = first_odds({"enum": ["km"]}, "5 km"), first_odds(INTEGER, "at 5"), first_odds(INTEGER, "5 or 6")
    text, default = first_odds(TEXT, "in Rome"), first_odds({"type": "integer", "default": 5}, "now")
    assert 1 > member == one > some > text > default > 0


def test_the_last_token_is_less_sure_where_it_tells_that_another_argument_follows():
    required = expected(tool({"a": INTEGER, "b": TEXT}), "at 5", lead("a"))
    optional = expected(tool({"a": INTEGER}, b=TEXT), "at 5", lead("a"))
    ended = expected(tool({"a": INTEGER}), "at 5", lead("a"))
    assert required.tokens == optional.tokens
    assert required.odds[-1] == ended.odds[-1] > optional.odds[-1]


_WORDS = (
    "Tokyo",
    "New York",
    "12,000",
    "-3.5",
    "007",
    "1e5",
    "3.14.15",
    "'",
    '"',
    "\u201ca",
    "true",
    "km",
    ".",
    "\u0663",
)
requests = st.lists(st.one_of(st.sampled_from(_WORDS), st.text(max_size=4)), max_size=8).map(" ".join)
odd_schemas = st.one_of(
    st.just(True),
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(("string", "integer", "number", "boolean", "array", ["string", "null"], [], None)),
            "enum": st.one_of(
                st.none(), st.lists(st.sampled_from(("", "km", "(", 5, -3.5, True, None, ["km"], {"a": 1})), max_size=4)
            ),
            "default": st.sampled_from(
                (None, True, 5, 1e300, 10**50, "", "Tokyo", '"', "<escape>", [{"a": ["é"]}], {})
            ),
            "$ref": st.just("#/$defs/none"),
            "anyOf": st.just([TEXT]),
        },
    ),
)


@examples(150)
@given(st.data(), formats, vocabulary_names, requests)
def test_no_schema_and_no_request_makes_a_guess_fail(data, call_format, vocabulary_name, said):
    """Odds for each token, wherever a call stands, with any text for its values."""
    names = argument_names if call_format.quotes_keys else plain_names
    schemas = data.draw(st.dictionaries(names, odd_schemas, max_size=4))
    required = data.draw(st.lists(st.sampled_from(list(schemas)), unique=True)) if schemas else []
    asked = Tool("get", "", {"properties": schemas, "required": required})
    vocabulary = vocabulary_named(vocabulary_name)
    order = [name for name in (*asked.required, *asked.optional) if data.draw(st.booleans())]
    values = {
        name: data.draw(st.sampled_from(('"Tokyo"', "5", "true", "<escape>x<escape>", "[", '"'))) for name in order
    }
    tokens = vocabulary.encode_with_markers(call_format.call("get", values))
    written = tokens[: data.draw(st.integers(0, len(tokens)))]
    held = tokens[len(written) : len(written) + data.draw(st.integers(0, 2))]
    drafted = ValueGuesses(asked, call_format, vocabulary, said)(written, Holds(held))
    assert len(drafted.odds) == len(drafted.tokens)
    assert all(0 <= odds <= 1 for odds in drafted.odds)


@examples(100)
@given(cases(max_tools=1), requests, st.data())
def test_a_guess_goes_on_as_some_call_starts(case, said, data):
    """As the tokenizer itself spells the start of a call that has the values written so far."""
    own = own_tokens(call_parts(case.call_format, case.tool.name, case.values), case.vocabulary)
    written = own[: data.draw(st.integers(0, len(own)))]
    words = " ".join([said, *case.values.values()])
    draft = ValueGuesses(case.tool, case.call_format, case.vocabulary, words)(written, UNHELD)
    whole = (*written, *draft.tokens)
    assert not draft.tokens or any(calls[: len(whole)] == whole for calls in calls_from(case, whole))


def calls_from(case, tokens):
    """Calls that start with the text of `tokens`, in their own tokens: ended there, or with another argument behind."""
    tool, form = case.tool, case.call_format
    so_far = read_so_far(case.vocabulary.decode(tokens).decode(errors="ignore"), tool, form)
    open_value = {} if so_far.open_name is None else {so_far.open_name: so_far.open_text}
    values = {**so_far.finished, **open_value}
    yield own_tokens(call_parts(form, tool.name, values), case.vocabulary)
    for name in (*tool.required, *tool.optional):
        if name not in values:
            yield own_tokens(call_parts(form, tool.name, {**values, name: ""}), case.vocabulary)
