"""Entries of a vocabulary by their bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.entries import Entries

TEXTS = [b"a", b"ab", b"", b"abc", b"b", b"ab", b"\xff\xff", b"\xff"]


@pytest.mark.parametrize(
    ("text", "tokens"), [(b"ab", [1, 5]), (b"a", [0]), (b"", []), (b"abcd", []), (b"\xff", [7]), (b"\xfe", [])]
)
def test_tokens_are_found_by_their_bytes(text, tokens):
    assert Entries(TEXTS).spelling(text) == tokens


@given(st.lists(st.binary(max_size=3)), st.binary(max_size=3))
def test_entries_that_start_with_a_text_are_those(texts, start):
    entries = Entries(texts)
    expected = sorted(text for text in texts if text and text.startswith(start))
    assert entries.starting_with(start) == expected
    assert entries.extending(start) == [text for text in expected if text != start]


def test_the_longest_entry_is_known():
    assert Entries(TEXTS).longest_bytes == 3
    assert Entries([]).longest_bytes == 0
