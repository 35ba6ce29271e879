"""How families write calls."""

import json

import pytest

from engine.errors import InputError, ToolError
from engine.formats import FORMATS, FUNCTIONGEMMA, GEMMA4, LFM2, QWEN3_CODER, CallFormat, format_named
from engine.notation import quote, write_value

CALLS = {
    "qwen": '<tool_call>\n{"name": "get", "arguments": {"a": "x y", "b": [1, true]}}\n</tool_call>',
    "hermes": '<tool_call>\n{"name": "get", "arguments": {"a": "x y", "b": [1, true]}}\n</tool_call>',
    "llama3_json": '{"name": "get", "parameters": {"a": "x y", "b": [1, true]}}',
    "llama3_python": '[get(a="x y", b=[1, True])]',
    "lfm2": '<|tool_call_start|>[get(a="x y", b=[1, True])]<|tool_call_end|>',
    "smollm2": '<tool_call>[{"name": "get", "arguments": {"a": "x y", "b": [1, true]}}]</tool_call>',
    "mistral": '[TOOL_CALLS][{"name": "get", "arguments": {"a": "x y", "b": [1, true]}}]',
    "mistral_args": '[TOOL_CALLS]get[ARGS]{"a": "x y", "b": [1, true]}',
    "functiongemma": "<start_function_call>call:get{a:<escape>x y<escape>,b:[1,true]}<end_function_call>",
    "gemma4": '<|tool_call>call:get{a:<|"|>x y<|"|>,b:[1,true]}<tool_call|>',
    "qwen3_coder": "<tool_call>\n<function=get>\n<parameter=a>\nx y\n</parameter>\n<parameter=b>\n[1, true]\n"
    "</parameter>\n</function>\n</tool_call>",
    "mcp": '{"name": "get", "arguments": {"a": "x y", "b": [1, true]}}',
}
EMPTY = {
    "qwen": '<tool_call>\n{"name": "get", "arguments": {}}\n</tool_call>',
    "llama3_python": "[get()]",
    "mistral_args": "[TOOL_CALLS]get[ARGS]{}",
    "gemma4": "<|tool_call>call:get{}<tool_call|>",
    "qwen3_coder": "<tool_call>\n<function=get>\n</function>\n</tool_call>",
}


def written(call_format: CallFormat, arguments: dict) -> str:
    leads = [call_format.lead(name, index == 0) for index, name in enumerate(arguments)]
    values = [write_value(call_format.notation, value) for value in arguments.values()]
    body = "".join(lead + value for lead, value in zip(leads, values, strict=True))
    return call_format.head("get") + body + call_format.end(bool(arguments))


@pytest.mark.parametrize("call_format", FORMATS, ids=lambda each: each.name)
def test_a_call_is_put_together_from_head_leads_and_end(call_format):
    assert written(call_format, {"a": "x y", "b": [1, True]}) == CALLS[call_format.name]


@pytest.mark.parametrize("name", EMPTY)
def test_a_call_without_arguments_has_no_separators(name):
    assert written(format_named(name), {}) == EMPTY[name]


@pytest.mark.parametrize("text", ["", "plain", 'q"', "b\\", "\n\t", "北京 é 😀", "</tool_call>", "Content-Type"])
def test_quoted_text_is_json_with_nothing_escaped_that_need_not_be(text):
    assert json.loads(quote(text)) == text
    assert all(char in quote(text) for char in text if char not in '"\\\n\t')


@pytest.mark.parametrize("call_format", FORMATS)
def test_a_format_is_found_by_its_name(call_format):
    assert format_named(call_format.name) is call_format


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(InputError, match=r"^unknown call format 'hermes2'; choose one of: qwen, hermes, .*, mcp$"):
        format_named("hermes2")


@pytest.mark.parametrize(
    ("call_format", "tool", "argument", "problem"),
    [
        (LFM2, "get(x)", "a", r"\$\.name: the lfm2 format writes names without quotes, so \"get\(x\)\""),
        (LFM2, "get", "a=b", r"\$\.parameters\.properties\.a=b: .* from the \"=\" behind it"),
        (LFM2, "get", "", r"\$\.parameters\.properties\.: "),
        (LFM2, "get", " a", r"\$\.parameters\.properties\. a: "),
        (GEMMA4, "get{", "a", r"\$\.name"),
        (FUNCTIONGEMMA, "get", "a:b", r"\$\.parameters\.properties\.a:b"),
        (QWEN3_CODER, "get>", "a", r"\$\.name"),
        (QWEN3_CODER, "get", "a>", r"\$\.parameters\.properties\.a>"),
        (QWEN3_CODER, "get", "a\nb", r"\$\.parameters\.properties\.a\nb"),
    ],
)
def test_names_that_end_nowhere_without_quotes_are_refused(call_format, tool, argument, problem):
    with pytest.raises(ToolError, match=problem):
        call_format.check_names(tool, (argument,))


@pytest.mark.parametrize("call_format", FORMATS, ids=lambda each: each.name)
@pytest.mark.parametrize("name", ["get", "math.add", "get-weather", "server__get", "北京", "a/b", "x y"])
def test_common_names_can_be_written_in_every_format(call_format, name):
    call_format.check_names(name, (name,))
