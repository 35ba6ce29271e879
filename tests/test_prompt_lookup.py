"""Prompt lookup: what the prompt went on with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.prompt_lookup import LONGEST, prompt_lookup

tokens = st.lists(st.integers(0, 3), max_size=12).map(tuple)


@pytest.mark.parametrize(
    ("prompt", "call", "free_rows", "drafted"),
    [
        ((1, 2, 3, 4, 5, 6), (9, 2, 3), 2, (4, 5)),
        ((1, 2, 3, 4, 5, 6), (9, 2, 3), 9, (4, 5, 6)),
        ((1, 2, 3, 4, 5, 6), (9, 2, 3), 0, ()),
        ((1, 2, 3, 4, 5, 6), (9,), 4, ()),
        # The last token of the prompt goes on with nothing.
        ((1, 2, 3, 4, 5, 6), (6,), 4, ()),
        # Three tokens tell more than the two or the one that stood later.
        ((1, 2, 3, 4, 8, 2, 3, 5, 8, 3, 6), (1, 2, 3), 1, (4,)),
        ((1, 2, 3, 4, 8, 2, 3, 5, 8, 3, 6), (7, 2, 3), 1, (5,)),
        ((1, 2, 3, 4, 8, 2, 3, 5, 8, 3, 6), (7, 7, 3), 1, (6,)),
        # Where the same stood twice, the later one counts.
        ((1, 2, 1, 3, 0), (1,), 1, (3,)),
        # The suffix reaches back into the prompt, also where the call is empty.
        ((1, 2, 3, 9, 1), (2,), 2, (3, 9)),
        ((1, 2, 3, 9, 1, 2), (), 2, (3, 9)),
        ((), (1, 2), 4, ()),
        ((1,), (1,), 4, ()),
    ],
)
def test_the_draft_is_what_followed_the_longest_suffix(prompt, call, free_rows, drafted):
    assert prompt_lookup(prompt)(call, free_rows) == drafted


@given(tokens, tokens, st.integers(0, 5))
def test_a_draft_is_the_last_place_that_a_search_token_by_token_finds(prompt, call, free_rows):
    assert prompt_lookup(prompt)(call, free_rows) == searched(prompt, call, free_rows)


def searched(prompt, call, free_rows):
    so_far = (*prompt, *call)
    for length in range(min(LONGEST, len(so_far)), 0, -1):
        for end in range(len(prompt) - 1, length - 1, -1):
            if prompt[end - length : end] == so_far[-length:]:
                return prompt[end : end + free_rows]
    return ()
