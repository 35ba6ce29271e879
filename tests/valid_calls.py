"""Whether a call is valid, by libraries that know nothing of ours."""

import ast
import json
import re
from dataclasses import replace
from typing import Any

import jsonschema
from law_cases import tool_called
from strategies import Case

from engine.calls import ToolCall
from engine.notation import PYTHON, write_value

NUMBER = re.compile(r"-?(\d[\d.eE+-]*|Infinity)")


def check_validity(call: ToolCall, case: Case) -> None:
    """The call says what was read of it, which keeps its tool's schema, in the order of writing."""
    tool = tool_called(call, case)
    assert read_independently(call, case) == call.arguments
    check_written_again(call, case)
    jsonschema.validate(call.arguments, tool.parameters)
    required = len(tool.required)
    written = list(call.arguments)
    assert tuple(written[:required]) == tool.required
    assert written[required:] == [name for name in tool.optional if name in written]


def read_independently(call: ToolCall, case: Case) -> dict[str, Any]:
    """The arguments that the text says, where its notation is one that Python's own libraries read."""
    form = case.call_format
    body = call.text[len(form.head(call.name)) : len(call.text) - len(form.end(bool(call.arguments)))]
    if form.notation.is_json:
        return json.loads(f"{{{body}}}")
    if form.notation is PYTHON:
        keywords = ast.parse(f"f({body})", mode="eval").body.keywords
        return {keyword.arg: ast.literal_eval(keyword.value) for keyword in keywords}
    return call.arguments


def check_written_again(call: ToolCall, case: Case) -> None:
    """Where strings are not escaped, written again the arguments give the same text, up to how numbers are spelled."""
    form = case.call_format
    if not form.notation.escapes_strings or form.notation.bare_strings:
        values = {name: write_value(form.notation, value) for name, value in call.arguments.items()}
        written = replace(case, tool=tool_called(call, case), values=values).text
        assert NUMBER.sub("0", written) == NUMBER.sub("0", call.text)
