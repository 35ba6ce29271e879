"""A call's text in the tokenizer's own tokens."""

from collections.abc import Iterator, Mapping, Sequence

from engine.boundary import spell_behind
from engine.constraint import marker_bytes
from engine.formats import CallFormat
from engine.lark import Plain
from engine.notation import Notation
from engine.vocabulary import Vocabulary

Part = str | Plain
"""Fixed text, in which markers are their tokens, or a name or a value, in which they are text."""


def call_parts(call_format: CallFormat, tool_name: str, values: Mapping[str, str]) -> list[Part]:
    """A call whose arguments have these texts, in the order of writing."""
    parts: list[Part] = [call_format.opener, Plain(call_format.tool_name(tool_name)), call_format.arguments_lead]
    for index, (name, value) in enumerate(values.items()):
        before = call_format.value_close + call_format.item_separator if index else ""
        parts += [before + call_format.key_open, Plain(call_format.key(name)), call_format.key_close]
        parts += value_parts(call_format.notation, value)
    return [*parts, call_format.end(bool(values))]


def text_of(parts: Sequence[Part]) -> str:
    """The text of `parts`."""
    return "".join(part.text if isinstance(part, Plain) else part for part in parts)


def own_tokens(parts: Sequence[Part], vocabulary: Vocabulary) -> tuple[int, ...]:
    """The tokens of `parts`: each marker its token, all between two markers as the tokenizer itself spells it."""
    texts, markers = _cut_at_markers(parts, vocabulary)
    return _joined([vocabulary.encode(text) for text in texts], markers)


def tokens_behind(written: Sequence[int], parts: Sequence[Part], vocabulary: Vocabulary) -> tuple[int, ...]:
    """The tokens of `parts` behind those `written`, none where the tokenizer would not go on from these.

    Spells only what is new, with a few tokens before it.
    """
    texts, markers = _cut_at_markers(parts, vocabulary)
    places = [number for number, token in enumerate(written) if token in vocabulary.markers]
    before = written[places[-1] + 1 :] if places else written
    start = vocabulary.decode(before)
    if [written[place] for place in places] != markers[: len(places)]:
        return ()
    first, *others = (text.encode() for text in texts[len(places) :])
    if not first.startswith(start):
        return ()
    spelled = spell_behind(vocabulary, before, first[len(start) :])
    if spelled is None:
        return ()
    return _joined([spelled, *map(vocabulary.encode, others)], markers[len(places) :])


def spelled_with_markers(parts: Sequence[Part], vocabulary: Vocabulary) -> bytes:
    """The text of `parts`, each marker as `marker_bytes`."""
    pieces = _pieces(parts, vocabulary)
    return b"".join(piece.encode() if isinstance(piece, str) else marker_bytes(piece) for piece in pieces)


def _joined(texts: Sequence[tuple[int, ...]], markers: Sequence[int]) -> tuple[int, ...]:
    """The tokens of texts with the markers between them."""
    first, *others = texts
    pairs = zip(markers, others, strict=True)
    return (*first, *(token for marker, text in pairs for token in (marker, *text)))


def _cut_at_markers(parts: Sequence[Part], vocabulary: Vocabulary) -> tuple[list[str], list[int]]:
    """The texts of `parts` between markers, one more than there are markers, and the tokens of those."""
    texts, markers = [""], []
    for piece in _pieces(parts, vocabulary):
        if isinstance(piece, str):
            texts[-1] += piece
        else:
            texts.append("")
            markers.append(piece)
    return texts, markers


def _pieces(parts: Sequence[Part], vocabulary: Vocabulary) -> Iterator[str | int]:
    """Text, and markers as their tokens."""
    for part in parts:
        if isinstance(part, Plain):
            yield part.text
        else:
            yield from (vocabulary.specials.get(piece, piece) for piece in vocabulary.markup.pieces(part))


def value_parts(notation: Notation, text: str) -> list[Part]:
    """A value's text; where the notation marks its strings, the marks are fixed text."""
    if notation.bare_strings or notation.escapes_strings:
        return [Plain(text)]
    first, *others = text.split(notation.string_mark)
    return [Plain(first), *(part for other in others for part in (notation.string_mark, Plain(other)))]
