"""Guesses of the tool: which one the request's words mean, and how far its name is drafted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases, examples
from toy_vocabulary import VOCABULARIES, byte_vocabulary, toy_vocabulary

from engine.drafts import NOTHING
from engine.formats import FUNCTIONGEMMA, QWEN
from engine.spelling import call_parts, own_tokens
from engine.tool_guesses import ToolGuesses
from engine.tools import Tool
from engine.toolset import Toolset

BYTES = byte_vocabulary()
WEATHER = ("get_weather", "Current conditions in a city")
NEWS = ("get_news", "Newest headlines about a topic")
MAIL = ("sendMail", "Send a message to somebody")


def toolset(*tools, call_format=QWEN, vocabulary=BYTES):
    return Toolset([Tool(name, about, {}) for name, about in tools], call_format, vocabulary)


def guessed(said, *tools, text="", **how):
    """What is drafted behind `text`, as text."""
    asked = toolset(*tools, **how)
    expected = ToolGuesses(asked, said)(asked.vocabulary.encode_with_markers(text), asked.call_constraint())
    return asked.vocabulary.decode(expected.tokens).decode()


@pytest.mark.parametrize(
    ("said", "tools", "name"),
    [
        # Up to the first character that no other tool has there.
        ("What is the weather?", (NEWS, WEATHER), "get_w"),
        ("Tell me the NEWS", (WEATHER, NEWS), "get_n"),
        ("Any headlines about the city council?", (WEATHER, NEWS), "get_n"),
        ("Please mail Bob", (WEATHER, NEWS, MAIL), "s"),
        # A word of the name counts twice; of tools with equally many the first is taken.
        ("weather headlines", (NEWS, WEATHER), "get_w"),
        ("weather or news", (NEWS, WEATHER), "get_n"),
        ("weather or news", (WEATHER, NEWS), "get_w"),
        # A name that starts another's is told from it by its end.
        ("add", (("add", ""), ("add_all", "")), 'add"'),
        ("add all", (("add", ""), ("add_all", "")), "add_"),
        # Nothing that is shared tells nothing; neither do short words.
        ("", (WEATHER, NEWS), None),
        ("at 5 to 12?", (("at", "to"), NEWS), None),
        ("Bonjour", (WEATHER, NEWS), None),
        # A tool that is alone is no guess.
        ("weather", (WEATHER,), None),
    ],
)
def test_the_tool_with_most_words_of_the_request_is_expected(said, tools, name):
    assert guessed(said, *tools) == ("" if name is None else QWEN.opener + '"' + name)


def test_what_is_written_already_is_not_drafted_again():
    assert guessed("weather", NEWS, WEATHER, text=QWEN.opener + '"get') == "_w"
    assert guessed("weather", NEWS, WEATHER, text=QWEN.opener + '"get_w') == ""


def test_a_call_that_names_another_tool_has_no_draft():
    assert guessed("weather", NEWS, WEATHER, text=QWEN.opener + '"get_n') == ""


def test_names_without_quotes_are_told_apart_by_what_follows_them():
    """The last token before the first argument may merge with that, and is not drafted."""
    tools = (("add", ""), ("add_all", ""))
    assert guessed("add", *tools, call_format=FUNCTIONGEMMA) == FUNCTIONGEMMA.opener + "add"
    assert guessed("all", *tools, call_format=FUNCTIONGEMMA) == FUNCTIONGEMMA.opener + "add_"


def test_only_tokens_that_tell_tools_apart_are_unsure():
    """`e` is shared by all; `s` tells two from the third, `w` and `n` those two; what stands between is sure."""
    asked = toolset(("sea_wind", ""), ("sea_news", ""), ("bus_news", ""))
    expected = ToolGuesses(asked, "sea wind")(BYTES.encode_with_markers(QWEN.opener), asked.call_constraint())
    assert BYTES.decode(expected.tokens) == b'"sea_w'
    assert [odds == 1 for odds in expected.odds] == [True, False, True, True, True, False]


@pytest.mark.parametrize("name", VOCABULARIES)
def test_the_draft_has_the_tokenizers_own_tokens(name):
    vocabulary = VOCABULARIES[name]()
    asked = toolset(NEWS, WEATHER, vocabulary=vocabulary)
    expected = ToolGuesses(asked, "weather")((), asked.call_constraint())
    own = own_tokens(call_parts(QWEN, "get_weather", {}), vocabulary)
    assert expected.tokens == own[: len(expected.tokens)] != ()


def test_a_call_in_other_tokens_than_the_tokenizers_has_no_draft():
    vocabulary = toy_vocabulary()
    asked = toolset(NEWS, WEATHER, vocabulary=vocabulary)
    (*start, _, _) = own_tokens(call_parts(QWEN, "get_weather", {})[:2], vocabulary)
    apart = (*start[:-1], *vocabulary.decode(start[-1:]))
    assert ToolGuesses(asked, "weather")(apart, asked.call_constraint()) == NOTHING


@examples(60)
@given(cases(), st.lists(st.sampled_from(("get", "weather", "math", "add", "say", "hi", ".", "北京"))), st.data())
def test_a_guess_goes_on_as_the_call_of_some_tool_starts(case, words, data):
    """From wherever a call stands; with odds for each token, and nothing where one tool is offered."""
    asked = case.request.toolset
    written = case.vocabulary.encode_with_markers(case.text)
    written = written[: data.draw(st.integers(0, len(written)))]
    said = " ".join([*words, case.tool.name])
    expected = ToolGuesses(asked, said)(written, asked.call_constraint())
    starts = [own_tokens(call_parts(case.call_format, tool.name, {}), case.vocabulary) for tool in case.tools]
    whole = (*written, *expected.tokens)
    assert not expected.tokens or any(start[: len(whole)] == whole for start in starts)
    assert not expected.tokens or len(case.tools) > 1
    assert len(expected.odds) == len(expected.tokens)
    assert all(0 <= odds <= 1 for odds in expected.odds)
