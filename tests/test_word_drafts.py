"""Drafts from the user's words: where they are found, how far they go, and when they are not looked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases, examples
from toy_vocabulary import byte_vocabulary, toy_vocabulary

from engine.formats import FUNCTIONGEMMA, LLAMA3_PYTHON, QWEN, QWEN3_CODER
from engine.tools import Tool
from engine.toolset import Toolset
from engine.word_drafts import WordDrafts

TEXT = {"type": "string"}
TOOL = Tool(
    "get",
    "",
    {"properties": {"a": TEXT, "b": TEXT, "n": {"type": "integer"}, "o": TEXT}, "required": ["a", "b", "n"]},
)
SAID = 'Send "hello world" from New York to Newark, 12345 times.\nThen {stop} in Zürich'
BYTES = byte_vocabulary()

UNASKED = Toolset([TOOL], QWEN, BYTES).call_constraint()
"""Behind what is decided, for drafts that come from texts alone."""


def drafted(value, said=SAID, call_format=QWEN, vocabulary=BYTES, before=""):
    """What is drafted behind an open value of `a`, as text."""
    text = call_format.head("get") + (before or call_format.lead("a", is_first=True)) + value
    draft = WordDrafts(TOOL, call_format, vocabulary, said)
    return vocabulary.decode(draft(vocabulary.encode_with_markers(text), UNASKED).tokens).decode()


@pytest.mark.parametrize(
    ("value", "draft"),
    [
        # The last character is left to a pick: it may merge with what the model writes behind it.
        ('"New Y', "ork to Newark, 12345 times"),
        ('"New', " York to Newark, 12345 times"),
        ('"Newa', "rk, 12345 times"),
        ('"to', " Newark, 12345 times"),
        ('"Send', ""),
        ('"hello', " worl"),
        ('"Then', ""),
        ('"in', " Züric"),
        # That of a word which is all that follows is not.
        ('"Zü', "rich"),
        # Digits of a number.
        ("1", "2345"),
        ("123", "45"),
        ("-1", ""),
        # Too short, not said, said as the end of a word, over a character that has to be escaped.
        ('"N', ""),
        ('"', ""),
        ("", ""),
        ('"Boston', ""),
        ('"ork', ""),
        ('"stop}', ""),
        ('"times.\\n', ""),
        ('"Zürich', ""),
        # A value that is neither a string nor a number, or has ended.
        ("tru", ""),
        ("-", ""),
        ('"New"', ""),
        ('["New', ""),
    ],
)
def test_the_words_that_follow_are_drafted_behind_the_start_of_a_word(value, draft):
    assert drafted(value) == draft


def sureness(value, following):
    """How sure the first token is that is drafted behind `value`, where the request goes on with `following`."""
    text = QWEN.head("get") + QWEN.lead("a", is_first=True) + f'"{value}'
    draft = WordDrafts(TOOL, QWEN, BYTES, f"{value}{following} and so on")
    return draft(BYTES.encode_with_markers(text), UNASKED).odds[0]


@pytest.mark.parametrize(
    ("surer", "less_sure"),
    [
        # Within a word, the blank behind it, a mark that ends a phrase.
        (("the c", "ity of"), ("the city", " of")),
        (("the city", " of"), ("the city", ", of")),
        (("the city", " of"), ("the city", "' of")),
        # A mark without a blank joins words, but for a quote.
        (("two", "-way"), ("two", ", way")),
        (("me", "@b.com"), ("me", ". At")),
        (("Anne", "-Marie"), ("Anne", "'s dog")),
        (("Anne", "-Marie"), ("Anne", "\u2019s dog")),
        # A name has more words with capitals, and seldom others.
        (("New York", " City"), ("the city", " of")),
        (("the city", " of"), ("New York", " is")),
        # The more words are copied, the surer is another, also behind a name.
        (("the city", " of"), ("city", " of")),
        (("one two three four", " five"), ("one two three", " four")),
        (("one two three", " four"), ("one two", " three")),
        (("one two three Four", " five"), ("one two three", " four")),
    ],
)
def test_how_sure_a_token_is_follows_from_the_words_around_it(surer, less_sure):
    assert 1 > sureness(*surer) > sureness(*less_sure) > 0


def test_all_of_a_word_is_equally_sure():
    text = QWEN.head("get") + QWEN.lead("a", is_first=True) + '"Z\u00fc'
    expected = WordDrafts(TOOL, QWEN, BYTES, "in Z\u00fcri\u00e9ch")(BYTES.encode_with_markers(text), UNASKED)
    assert BYTES.decode(expected.tokens).decode() == "ri\u00e9ch"
    assert len(set(expected.odds)) == 1


def test_without_what_was_said_nothing_is_drafted():
    assert drafted('"New', said="") == ""


def test_a_draft_has_the_tokenizers_own_tokens():
    vocabulary = toy_vocabulary()
    text = QWEN.head("get") + QWEN.lead("a", is_first=True) + '"To'
    draft = WordDrafts(TOOL, QWEN, vocabulary, "from Toget the city now")
    tokens = draft(vocabulary.encode_with_markers(text), UNASKED).tokens[:3]
    assert [vocabulary.decode([token]) for token in tokens] == [b"get", b" the", b" "]


def test_a_value_that_would_be_spelled_otherwise_with_the_words_has_no_draft():
    """Behind `To` the tokenizer would have written `Tokyo` whole."""
    vocabulary = toy_vocabulary()
    assert drafted('"To', said="from Tokyo", vocabulary=vocabulary) == ""


@pytest.mark.parametrize(
    ("call_format", "value", "draft"),
    [
        (LLAMA3_PYTHON, '"New', " York to Newark, 12345 times"),
        (LLAMA3_PYTHON, "New", ""),
        (QWEN3_CODER, "New", " York to Newark, 12345 times"),
        (FUNCTIONGEMMA, "<escape>New", " York to Newark, 12345 times"),
        (FUNCTIONGEMMA, "New", ""),
    ],
)
def test_strings_are_marked_as_the_format_marks_them(call_format, value, draft):
    assert drafted(value, call_format=call_format) == draft


@pytest.mark.parametrize(
    ("before", "value", "draft"),
    [
        ('"a": "x", "b": ', '"New', " York to Newark, 12345 times"),
        ('"a": "x", "b": "y", "n": 1, "o": ', '"to', " Newark, 12345 times"),
        # In a branch the argument stands first.
        ('"b": ', '"New', " York to Newark, 12345 times"),
        ('"a": "New", "b"', "", ""),
    ],
)
def test_the_open_value_is_the_one_that_goes_on(before, value, draft):
    assert drafted(value, before=before) == draft


@examples(60)
@given(cases(max_tools=1), st.text('aTo kyé北.\n"\\{', max_size=30), st.data())
def test_a_draft_goes_on_with_words_that_were_said(case, said, data):
    """From wherever a call stands, text that stands in what was said, with odds for each token."""
    tokens = case.vocabulary.encode_with_markers(case.text)
    place = data.draw(st.integers(0, len(tokens)))
    expected = WordDrafts(case.tool, case.call_format, case.vocabulary, said)(tokens[:place], UNASKED)
    assert len(expected.odds) == len(expected.tokens)
    assert all(0 <= odds <= 1 for odds in expected.odds)
    assert case.vocabulary.decode(expected.tokens) in said.encode()
