"""The text of a call: put together from values, and read back into a `ToolCall` with types kept."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.calls import ToolCall
from engine.errors import ScheduleError
from engine.formats import CallFormat
from engine.schema_types import admitted_types
from engine.schemas import untried_schema
from engine.tools import Tool
from engine.value_text import read_value, value_end
from engine.vocabulary import Vocabulary


def call_text(tool: Tool, call_format: CallFormat, values: Mapping[str, str]) -> str:
    """The call whose arguments have these texts, in the order of `values`."""
    return call_format.call(tool.name, values)


def call_with_required(tool: Tool, call_format: CallFormat, values: Mapping[str, str]) -> ToolCall:
    """The call that has the required arguments and no others."""
    return read_call(call_text(tool, call_format, {name: values[name] for name in tool.required}), tool, call_format)


def read_call(text: str, tool: Tool, call_format: CallFormat) -> ToolCall:
    """The call that `text` says; raises ScheduleError if it is none, which the constraints make impossible."""
    texts = {name: value for name, value, _ in _argument_texts(text, tool, call_format)}
    if call_text(tool, call_format, texts) != text:
        raise ScheduleError(f"no call of {tool.name!r} in the {call_format.name} format: {text!r}")
    arguments = {name: _read(tool, name, value, call_format) for name, value in texts.items()}
    numbers = {name: texts[name] for name, value in arguments.items() if type(value) in (int, float)}
    return ToolCall(tool.name, arguments, text, numbers)


@dataclass(frozen=True, slots=True)
class SoFar:
    """What a call that is being written has: finished values by name, and the argument whose value is open."""

    finished: Mapping[str, str]
    open_name: str | None = None
    open_text: str = ""


def read_so_far(text: str, tool: Tool, call_format: CallFormat) -> SoFar:
    """The arguments in the start of a call of `tool`; what stands behind the last finished value may be fixed text."""
    found = list(_argument_texts(text, tool, call_format))
    finished = {name: value for name, value, is_finished in found if is_finished}
    if len(finished) == len(found):
        return SoFar(finished)
    name, value, _ = found[-1]
    return SoFar(finished, name, value)


def read_written(tokens: Iterable[int], tool: Tool, call_format: CallFormat, vocabulary: Vocabulary) -> SoFar:
    """`read_so_far` of the text of `tokens`, the last of which may cut a character."""
    return read_so_far(vocabulary.decode(tokens).decode(errors="ignore"), tool, call_format)


def cut_call(text: str, tool: Tool | None) -> ToolCall:
    """The call that a limit cut: a fragment without arguments."""
    return ToolCall(tool.name if tool else "", None, text)


def _argument_texts(text: str, tool: Tool, call_format: CallFormat) -> Iterator[tuple[str, str, bool]]:
    """Each argument that `text` has, and whether its value has ended: the required ones, then others that are there."""
    position = len(call_format.head(tool.name))
    is_first = True
    for name in (*tool.required, *tool.optional):
        lead = call_format.lead(name, is_first)
        if not text.startswith(lead, position):
            continue
        start = position + len(lead)
        end = value_end(call_format.notation, text, start, call_format.value_close)
        position, is_first = len(text) if end is None else end, False
        yield name, text[start:position], end is not None


def _read(tool: Tool, argument: str, text: str, call_format: CallFormat) -> Any:
    notation = call_format.notation
    # Only a bare text may be a string or what it says, by its schema.
    types = admitted_types(schema := untried_schema(tool, argument), schema) if notation.bare_strings else ()
    return read_value(notation, text, types)
