"""Fixed text in tokens: which stand, which are held back, and what may spell those; on the toy vocabulary."""

import pytest
from toy_vocabulary import toy_vocabulary, unmarked_vocabulary

from engine.boundary import FixedText, common_length, openings, settle, spell

TOY = toy_vocabulary()


def tokens(*texts: str | bytes) -> tuple[int, ...]:
    """The entries that are spelled like `texts`."""
    return tuple(TOY.entries.spelling(text if isinstance(text, bytes) else text.encode())[0] for text in texts)


@pytest.mark.parametrize(
    ("before", "text", "open_bytes", "forced", "held_back", "usual"),
    [
        # Nothing may follow that merges: all of it stands.
        ((), '{"city": ', 0, ('{"', "city", '": '), "", ()),
        # An entry extends the quote, or all of `": `: it is held back as a whole.
        ((), '{"city": "', 1, ('{"', "city", '": '), '"', ('"',)),
        ((), '{"city": ', 3, ('{"', "city"), '": ', ('": ',)),
        # Cutting a token in two leaves its first half, which may be spelled in another way than the whole.
        ((), "Tokyo", 3, (), "Tokyo", ("Tokyo",)),
        ((), "xTokyo", 3, ("x",), "Tokyo", ("Tokyo",)),
        # What stands before has a say.
        (("get",), "_x", 0, ("_", "x"), "", ()),
        # A character that is not whole yet is held back, with all that an entry may merge it with.
        ((), b"x" + b"\xe5", 1, ("x",), b"\xe5", ()),
        ((b"\xf0",), b"\x9f", 0, (), b"\x9f", ()),
        # An entry of half characters may begin inside a whole one.
        ((), "x北".encode(), 3, ("x",), "北".encode(), (b"\xe5\x8c", b"\x97")),
    ],
)  # fmt: skip
def test_fixed_text_is_settled(before, text, open_bytes, forced, held_back, usual):
    data = text.encode() if isinstance(text, str) else text
    held = held_back.encode() if isinstance(held_back, str) else held_back
    assert settle(TOY, tokens(*before), data, open_bytes) == FixedText(tokens(*forced), held, tokens(*usual))


def test_the_first_forced_token_is_left_behind():
    fixed = settle(TOY, (), b'{"city": "', 1)
    assert fixed.behind(fixed.forced[0]) == FixedText(fixed.forced[1:], fixed.held_back, fixed.usual)
    assert fixed.behind(fixed.forced[1]) is None
    assert FixedText((7,)).behind(7) is None


def test_a_bare_space_opens_nothing_that_the_tokenizer_would_write():
    fixed = FixedText((), b' "', tokens(' "'))
    assert openings(TOY, tokens("city"), fixed) == {*tokens(' "')}


def test_a_start_opens_what_is_held_back_where_the_tokenizer_may_cut_behind_it():
    """`12` may follow `x`, and is a token then; no entry starts with `x` and is longer."""
    vocabulary = unmarked_vocabulary()
    (x,) = vocabulary.encode("x")
    assert vocabulary.can_go_on((x,), b"1")
    assert not vocabulary.can_go_on((x,), b"x")
    assert openings(vocabulary, (), FixedText((), b"x1", vocabulary.encode("x1"))) == {x}


def test_text_is_spelled_behind_as_much_context_as_spells_itself():
    assert spell(TOY, tokens("Content-"), b"Type") == TOY.encode("Type")
    # The tokenizer would have written `To` and `kyo` as one.
    assert spell(TOY, tokens("To"), b"kyo") == TOY.encode("kyo")


@pytest.mark.parametrize(("paths", "length"), [([[1, 2], [1, 3]], 1), ([[1], [1, 2]], 1), ([[2], [1]], 0), ([[]], 0)])
def test_the_shared_start_of_paths_is_counted(paths, length):
    assert common_length(paths) == length
