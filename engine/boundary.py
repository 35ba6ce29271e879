"""Which tokens of fixed text stay as they are, whatever is written behind it.

Tokenizers that merge by rank have one property that this rests on: where a token of a longer text ends inside the fixed
text, the tokens up to there are those of the text up to there alone. So all spellings of the fixed text are known: its
own, and for each end of it that a vocabulary entry extends, the own one of what stands before that end. The tokens that
all of them begin with stand; the rest is held back. Their patterns look ahead in one place, a run of white space: its
last character may part from it when what follows is none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.vocabulary import Vocabulary

CONTEXT_TOKENS = 8
"""How many tokens before a text are looked at to spell it: more than any tokenizer's pattern reaches back."""

_TAIL_TOKENS = 4
"""How many tokens at the end of a text are spelled anew for each of its ends, to save spelling all of it."""

_NO_SPACE = b"a"

_LONGEST_CHARACTER = 4
"""Bytes of a UTF-8 character, and so tokens that it may take."""


@dataclass(frozen=True, slots=True)
class FixedText:
    """Text that must come next.

    `forced` are its tokens that stand whatever follows, `held_back` is the text behind them, and `usual` are the tokens
    of that if nothing merges with it.
    """

    forced: tuple[int, ...] = ()
    held_back: bytes = b""
    usual: tuple[int, ...] = ()

    def behind(self, token: int) -> "FixedText | None":
        """What is left once `token` is written; None if that is not known."""
        if self.forced[:1] != (token,):
            return None
        left = self.forced[1:]
        return FixedText(left, self.held_back, self.usual) if left or self.held_back else None


def settle(vocabulary: Vocabulary, before: Sequence[int], text: bytes, open_bytes: int) -> FixedText:
    """`text` behind the tokens `before`, where entries may extend any end of its last `open_bytes` bytes."""
    cut_end = _cut_character(vocabulary.decode(before[-_LONGEST_CHARACTER:]) + text)
    ends = _open_ends(vocabulary, text, open_bytes, len(text) - cut_end)
    if ends is None:
        return FixedText((), text)
    whole = text[: len(text) - cut_end]
    usual = shared = spell(vocabulary, before, whole)
    starts = _last_starts(vocabulary, usual, len(whole))
    for end in ends | _last_of_spaces(whole):
        path = usual[: starts[end]] if end in starts else _spell_start(vocabulary, before, usual, text[:end])
        shared = shared[: common_length((shared, path))]
    return FixedText(shared, text[len(vocabulary.decode(shared)) :], usual[len(shared) :])


def _last_starts(vocabulary: Vocabulary, tokens: Sequence[int], end: int) -> dict[int, int]:
    """Where the last of `tokens` start, whose text ends at `end`, and how many tokens stand before each."""
    starts = {}
    for number in range(len(tokens) - 1, max(-1, len(tokens) - 1 - _TAIL_TOKENS), -1):
        end -= len(vocabulary.decode(tokens[number : number + 1]))
        starts[end] = number
    return starts


def _spell_start(vocabulary: Vocabulary, before: Sequence[int], usual: tuple[int, ...], text: bytes) -> tuple[int, ...]:
    """The tokenizer's own tokens of `text`, a start of what it spells as `usual`."""
    stem = usual[:-_TAIL_TOKENS]
    tail = text[len(vocabulary.decode(stem)) :]
    spelled = _go_on(vocabulary, (*before, *stem)[-CONTEXT_TOKENS:], tail) if tail else None
    return spell(vocabulary, before, text) if spelled is None else (*stem, *spelled)


def spell(vocabulary: Vocabulary, before: Sequence[int], text: bytes) -> tuple[int, ...]:
    """The tokenizer's own tokens of `text` behind the tokens `before`.

    Looks at as many of those before as spell their own text as the tokenizer would here.
    """
    for start in range(max(0, len(before) - CONTEXT_TOKENS), len(before)):
        tokens = _go_on(vocabulary, tuple(before[start:]), text)
        if tokens is not None:
            return tokens
    return vocabulary.encode(text)


def spell_behind(vocabulary: Vocabulary, before: Sequence[int], text: bytes) -> tuple[int, ...] | None:
    """As `spell`; None where the tokenizer would write the last few of the tokens `before` in another way.

    Those that are looked at may begin inside a word, and the first of them be another token for that alone.
    """
    first = max(0, len(before) - CONTEXT_TOKENS)
    last = max(first, len(before) - _TAIL_TOKENS) if first else 0
    paths = (_go_on(vocabulary, tuple(before[start:]), text) for start in range(first, last + 1))
    return next((path for path in paths if path is not None), None) if text else ()


def _go_on(vocabulary: Vocabulary, context: tuple[int, ...], text: bytes) -> tuple[int, ...] | None:
    """The tokenizer's own tokens of `text` behind `context`; None where it would spell the context in another way."""
    tokens = vocabulary.encode(vocabulary.decode(context) + text)
    return tokens[len(context) :] if tokens[: len(context)] == context else None


def openings(vocabulary: Vocabulary, before: Sequence[int], fixed: FixedText) -> frozenset[int]:
    """The tokens that spell a mere start of what is held back and that the tokenizer itself may begin with here.

    A start of another kind, such as a bare space before a quote, would lead the model off its habits.
    """
    held = fixed.held_back
    found = set(fixed.usual[:1])
    for end in range(1, len(held)):
        if _is_continuation(held[end]):
            found.update(vocabulary.entries.spelling(held[:end]))
            continue
        tokens = spell(vocabulary, before, held[:end])
        tail = _own_tail(vocabulary, (*before, *tokens))
        parts = end in _last_of_spaces(held) and _go_on(vocabulary, tail, held[end:] + _NO_SPACE)
        if parts or vocabulary.can_go_on(tail, held[end:]):
            found.add(tokens[0])
    return frozenset(found)


def common_length(paths: Sequence[Sequence[int]]) -> int:
    """Length of the longest prefix that all `paths` share."""
    shared = 0
    for column in zip(*paths, strict=False):
        if len(set(column)) > 1:
            break
        shared += 1
    return shared


def _last_of_spaces(text: bytes) -> set[int]:
    """Where the last character of `text` starts, if that and the one before it are white space."""
    end = text.decode(errors="ignore")[-2:]
    return {len(text) - len(end[-1].encode())} if len(end) > 1 and end.isspace() else set()


def _own_tail(vocabulary: Vocabulary, tokens: Sequence[int]) -> tuple[int, ...]:
    """The last of `tokens`, as many as spell their own text as the tokenizer would.

    Cut between `/` and `\\u001f`, say, they would not: the tokenizer's pattern takes `\\u` for a piece there.
    """
    tails = (tuple(tokens[start:]) for start in range(max(0, len(tokens) - CONTEXT_TOKENS), len(tokens)))
    return next((tail for tail in tails if vocabulary.encode(vocabulary.decode(tail)) == tail), ())


def _open_ends(vocabulary: Vocabulary, text: bytes, open_bytes: int, whole_bytes: int) -> set[int] | None:
    """Where in `text` the token may start that reaches behind its end; None if that may be before `text`.

    Where it may start inside a character, tokenizers cannot be asked for what stands before it. All ends count then
    that the token before it may start at.
    """
    ends = {end for end in range(max(0, len(text) - open_bytes), len(text)) if end <= whole_bytes}
    inside = {end for end in ends if _is_continuation(text[end])}
    starts = {_character_start(text, end) for end in inside if vocabulary.entries.extending(text[end:])}
    if whole_bytes < len(text):
        starts.add(whole_bytes)
    if any(start < 0 for start in starts):
        return None
    return (ends - inside) | {end for start in starts for end in _ends_across(vocabulary, text, start)}


def _ends_across(vocabulary: Vocabulary, text: bytes, start: int) -> Iterator[int]:
    """The ends of whole characters from which one token may reach into the character at `start`."""
    for end in range(max(0, start - vocabulary.entries.longest_bytes), start + 1):
        if not _is_continuation(text[end]) and vocabulary.entries.starting_with(text[end : start + 1]):
            yield end


def _character_start(text: bytes, end: int) -> int:
    """Where the character starts that `end` stands inside of; -1 if that is before `text`."""
    return next((start for start in range(end, -1, -1) if not _is_continuation(text[start])), -1)


def _cut_character(text: bytes) -> int:
    """How many bytes at the end of `text` are those of a character that lacks some."""
    start = _character_start(text, len(text) - 1) if text else 0
    there = len(text) - start
    return there if 0 < there < _character_bytes(text[start]) else 0


def _character_bytes(first: int) -> int:
    """How many bytes the UTF-8 character has that starts with the byte `first`."""
    return 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


def _is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80
