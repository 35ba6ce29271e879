"""The text of a call: put together from values, and read back into a `ToolCall` with types kept."""

import json
from collections.abc import Mapping
from json import JSONDecoder
from typing import Any

from engine.calls import ToolCall
from engine.errors import ScheduleError
from engine.formats import ITEM_SEPARATOR, KEY_SEPARATOR, CallFormat
from engine.tools import Tool

_DECODER = JSONDecoder()
_SCANNER = JSONDecoder(parse_int=str, parse_float=str)
"""Finds where a value ends, however long its numbers are; Python reads integers of 4300 digits at most."""

_NUMBER_START = frozenset("-0123456789")
_NUMBER_PART = frozenset("0123456789.eE+-")


def finished_value(text: str) -> str | None:
    """The JSON value that `text` starts with, once it is certain that it has ended; None before.

    A string, an array, an object and a word end with their last character, a number with the first one behind it that
    cannot continue it.
    """
    try:
        _, end = _SCANNER.raw_decode(text)
    except json.JSONDecodeError:
        return None
    if text[0] in _NUMBER_START and (end == len(text) or text[end] in _NUMBER_PART):
        return None
    return text[:end]


def required_text(tool: Tool, call_format: CallFormat, values: Mapping[str, str]) -> str:
    """The required arguments of a call, keys and separators included; `values` are JSON texts by name."""
    leads = (call_format.lead(name, is_first=index == 0) for index, name in enumerate(tool.required))
    return "".join(lead + values[name] for lead, name in zip(leads, tool.required, strict=True))


def call_with_required(tool: Tool, call_format: CallFormat, values: Mapping[str, str]) -> ToolCall:
    """The call that has the required arguments and no others."""
    text = call_format.head(tool.name) + required_text(tool, call_format, values) + call_format.closer
    return read_call(text, tool, call_format)


def read_call(text: str, tool: Tool, call_format: CallFormat) -> ToolCall:
    """The call that `text` says; raises ScheduleError if it is none, which the constraints make impossible."""
    head, closer = call_format.head(tool.name), call_format.closer
    if not (text.startswith(head) and text.endswith(closer)):
        raise ScheduleError(f"no call of {tool.name!r} in the {call_format.name} format: {text!r}")
    body = text[len(head) : len(text) - len(closer)]
    try:
        arguments, number_texts = _read_arguments(body)
    except json.JSONDecodeError as error:
        raise ScheduleError(f"the arguments of {tool.name!r} are no JSON: {error}: {body!r}") from error
    return ToolCall(tool.name, arguments, text, number_texts)


def cut_call(text: str, tool: Tool | None) -> ToolCall:
    """The call that a limit cut: a fragment without arguments."""
    return ToolCall(tool.name if tool else "", None, text)


def _read_arguments(body: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Arguments by name, and the text of those that are numbers."""
    arguments: dict[str, Any] = {}
    number_texts: dict[str, str] = {}
    position = 0
    while position < len(body):
        position += len(ITEM_SEPARATOR) if arguments else 0
        name, position = _DECODER.raw_decode(body, position)
        start = position + len(KEY_SEPARATOR)
        arguments[name], position = _DECODER.raw_decode(body, start)
        if body[start] in _NUMBER_START:
            number_texts[name] = body[start:position]
    return arguments, number_texts
