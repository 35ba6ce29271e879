"""A call read from text that no grammar held to a format."""

import json
from collections.abc import Sequence
from typing import Any

from engine.call_text import read_call
from engine.calls import ToolCall
from engine.errors import ScheduleError
from engine.formats import CallFormat
from engine.tools import Tool

_DECODER = json.JSONDecoder()
_ARGUMENTS = ("arguments", "parameters")


def read_loosely(written: bytes, tools: Sequence[Tool], call_format: CallFormat) -> ToolCall:
    """The call in `written`; without arguments where there is none, or not yet.

    Where the format's values are JSON, the call's object is read with whatever spaces it has and in whatever order;
    other notations have to be written as the format has them. Nothing checks the arguments against a schema.
    """
    text = written.decode(errors="replace")
    if call_format.notation.is_json and call_format.quotes_tool_name:
        found = _json_object(text)
        arguments = next((found[key] for key in _ARGUMENTS if key in found), None)
        if found.get("name") in [tool.name for tool in tools] and isinstance(arguments, dict):
            return ToolCall(found["name"], arguments, text)
        return ToolCall("", None, text)
    for tool in tools:
        try:
            return read_call(text, tool, call_format)
        except ScheduleError:
            continue
    return ToolCall("", None, text)


def _json_object(text: str) -> dict[str, Any]:
    """The first object of `text`, empty where there is none."""
    start = text.find("{")
    try:
        value, _ = _DECODER.raw_decode(text, start) if start >= 0 else ({}, 0)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
