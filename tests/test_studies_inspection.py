"""What `inspect` shows of a tool."""

import json

import pytest
from hypothesis import assume, given
from strategies import Case, cases, examples
from toy_vocabulary import byte_vocabulary, toy_vocabulary

from engine.formats import FUNCTIONGEMMA, LFM2, QWEN
from engine.tools import Tool
from engine.toolset import Toolset
from studies.inspection import inspect_tool, shown

TOOL = Tool(
    "get",
    "",
    {
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "unit": {"const": "c"},
            "a": {"type": "null"},
        },
        "required": ["city", "days", "unit"],
    },
)


def view(tool: Tool, call_format=QWEN, vocabulary=None):
    return inspect_tool(tool, Toolset((tool,), call_format, vocabulary or toy_vocabulary()))


def test_head_leads_and_closer_are_shown_in_tokens():
    seen = view(TOOL)
    assert shown(seen.head) == '<tool_call>│⏎{│"name│":·│"│get│",·"│arguments│":·│{"'
    city, days, unit, a = seen.leads
    assert (city.lead, city.held_back) == (("city",), ('":·', '"'))
    assert (days.argument, days.is_required) == ("days", True)
    assert (shown(unit.lead), unit.held_back) == ('unit│":·│"│c', ('"',))
    assert (a.argument, a.is_required, a.value) == ("a", False, "null")
    assert seen.closer == ("}}⏎", "</tool_call>")


def test_lines_mark_boundaries_and_name_each_part():
    head, *leads, closer = view(TOOL).lines()[1:]
    assert head.startswith('  head    <tool_call>│⏎{│"name│')
    assert [line.split()[0] for line in leads] == ["city", "days", "unit", "a"]
    assert '│ held back: ":·│"  ← {"type": "string"}' in leads[0]
    assert leads[-1].endswith("(optional)")
    assert closer == "  closer  }}⏎│</tool_call>"


@pytest.mark.parametrize("parameters", [{}, {"properties": {"a": {"type": "integer"}}}])
def test_tools_without_required_arguments_have_a_head_up_to_what_comes_next(parameters):
    seen = view(Tool("get", "", parameters), vocabulary=byte_vocabulary())
    assert "".join(seen.head).startswith('<tool_call>⏎{"name":·"get",·"arguments":·{')
    assert [lead.argument for lead in seen.leads] == list(parameters.get("properties", {}))


def test_a_format_that_starts_with_a_pick_shows_the_usual_token():
    assert "".join(view(TOOL, LFM2).head).startswith("<|tool_call_start|>[get")
    assert "".join(view(TOOL, FUNCTIONGEMMA).head).startswith("<start_function_call>call:get{")


def test_a_tool_that_cannot_be_written_says_why():
    seen = view(Tool("get", "", {"properties": {"a=b": {}}, "required": ["a=b"]}), LFM2)
    assert seen.lines()[0].startswith("get  refused: $.parameters.properties.a=b: ")
    assert json.loads(seen.as_json())["refused"]


@examples(40)
@given(cases(max_tools=1))
def test_head_and_lead_together_read_as_the_start_of_a_call(case: Case):
    seen = view(case.tool, case.call_format, case.vocabulary)
    for lead in seen.leads:
        text = case.call_format.head(case.tool.name) + case.call_format.lead(lead.argument, True)
        written = "".join((*seen.head, *lead.lead)) if lead.is_required else None
        assume(text.isascii() and "\x7f" not in text)
        fixed = visible(text)
        if written is not None:
            # A value's schema may fix its start too.
            assert written.startswith(fixed) or (lead.held_back and fixed.startswith(written))


def visible(text: str) -> str:
    return text.translate(str.maketrans({" ": "·", "\n": "⏎", "\t": "⇥", "\r": "␍"}))


def test_tokens_are_shown_with_a_mark_between_them():
    assert shown(("a", "·b", "c")) == "a│·b│c"
