"""Calls made to measure: so many arguments, values of about so many tokens, a prompt of so many."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from engine.errors import InputError
from engine.llamacpp import Preparer
from engine.tools import Tool
from sim.workload import WorkloadCall

TOOL_NAME = "fill_form"

WORDS = (
    *("time", "year", "people", "way", "day", "man", "thing", "woman", "life", "child", "world", "school", "state"),
    *("family", "student", "group", "country", "problem", "hand", "part", "place", "case", "week", "company", "system"),
    *("program", "question", "work", "government", "number", "night", "point", "home", "water", "room", "mother"),
    *("area", "money", "story", "fact", "month", "lot", "right", "study", "book", "eye", "job", "word", "business"),
)
"""Plain words, each one token behind a space in the vocabularies of today's models."""

LENGTHS = (1.0, 1.5, 0.5)
"""Lengths of values over the one that was asked for, in turn: were all alike, side by side they would end at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallShape:
    """How a made call looks: numbers of its required and its optional arguments, and lengths in tokens.

    Values have `value_tokens` tokens times `LENGTHS`, in turn.
    """

    arguments: int
    optional_arguments: int
    value_tokens: int
    prompt_tokens: int


def made_call(shape: CallShape, preparer: Preparer) -> WorkloadCall:
    """A request for one read-only tool whose arguments are texts; the accepted answer writes all of them.

    Values are plain words, no two alike as long as there are words. What the user says does not have them, so that
    drafts out of the request gain nothing. The prompt is filled up with words. Raises InputError where the tool alone
    makes it longer than it should be, or where the vocabulary has none of the words as one token.
    """
    words = _words(preparer)
    tool = _tool(shape)
    values = _values(shape, preparer, words)
    content = _content(shape, preparer, tool, words)
    accepted = {name: [value] for name, value in zip(tool.properties, values, strict=True)}
    return WorkloadCall("made", ({"role": "user", "content": content},), (tool,), TOOL_NAME, accepted)


def _tool(shape: CallShape) -> Tool:
    names = [f"field_{number}" for number in range(1, 1 + shape.arguments + shape.optional_arguments)]
    properties = {name: {"type": "string"} for name in names}
    parameters = {"type": "object", "properties": properties, "required": names[: shape.arguments]}
    return Tool(TOOL_NAME, "Fill in a form.", parameters, read_only=True)


def _words(preparer: Preparer) -> tuple[str, ...]:
    encode = preparer.model.vocabulary.encode
    words = tuple(word for word in WORDS if len(encode(f" {word}")) == 1)
    if not words:
        raise InputError(f"{preparer.model.name}: its vocabulary has none of the words {', '.join(WORDS[:3])} ...")
    return words


def _values(shape: CallShape, preparer: Preparer, words: Sequence[str]) -> Iterator[str]:
    """A text for each argument; the first word has no space before it and may be several tokens."""
    encode = preparer.model.vocabulary.encode
    supply = cycle(words)
    for length in islice(cycle(LENGTHS), shape.arguments + shape.optional_arguments):
        text = next(supply)
        missing = round(shape.value_tokens * length) - len(encode(text))
        yield text + "".join(f" {word}" for word in islice(supply, max(0, missing)))


def _content(shape: CallShape, preparer: Preparer, tool: Tool, words: Sequence[str]) -> str:
    """What the user says, so long that the prompt has `prompt_tokens`."""
    start = "Fill in the form:"
    toolset = preparer.toolset((tool,))
    shortest = len(preparer.request([{"role": "user", "content": start}], toolset).prompt)
    missing = shape.prompt_tokens - shortest
    if missing < 0:
        arguments = shape.arguments + shape.optional_arguments
        raise InputError(
            f"--prompt-tokens {shape.prompt_tokens}: the tool with {arguments} arguments takes {shortest}; "
            f"expected {shortest} or more"
        )
    return start + "".join(f" {word}" for word in islice(cycle(words), missing))
