"""A call's text in the tokenizer's own tokens."""

from collections.abc import Iterator, Mapping, Sequence

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
    tokens: list[int] = []
    text = ""
    for piece in _pieces(parts, vocabulary):
        if isinstance(piece, str):
            text += piece
        else:
            tokens += [*vocabulary.encode(text), piece]
            text = ""
    return (*tokens, *vocabulary.encode(text))


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
