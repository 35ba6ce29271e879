"""Which format a model is found to write."""

from dataclasses import replace

import pytest
from llama_cpp_files import TEMPLATES, needs_templates
from toy_vocabulary import toy_vocabulary, unmarked_vocabulary

from engine.errors import InputError
from engine.formats import FUNCTIONGEMMA, GEMMA4, LFM2, LLAMA3_JSON, MCP, QWEN, SMOLLM2
from engine.recognise_format import recognise_format

WRITES_QWEN = (
    "{{ tools }}{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>\n"
    '{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>{% endfor %}'
    "{% endfor %}"
)
LISTS_TOOLS = "{{ tools }}{% for m in messages %}{{ m.content }}{% endfor %}"


def with_marker(marker: str):
    """A vocabulary that has such a marker as a token."""
    return replace(toy_vocabulary(), specials={marker: 3})


@pytest.mark.parametrize(
    ("template", "vocabulary", "call_format", "reason"),
    [
        (None, unmarked_vocabulary(), MCP, "no chat template: a system prompt explains the generic form"),
        ("{{ messages }}", unmarked_vocabulary(), MCP, "template has no tools: a system prompt"),
        (
            "You are a helpful AI assistant named SmolLM, trained by Hugging Face",
            unmarked_vocabulary(),
            SMOLLM2,
            "SmolLM",
        ),
        (WRITES_QWEN, unmarked_vocabulary(), QWEN, "chat template writes calls so"),
        (LISTS_TOOLS, with_marker("<|tool_call_start|>"), LFM2, "the marker <|tool_call_start|>"),
        ("{{ messages }}", with_marker("<|tool_call_start|>"), LFM2, "the marker <|tool_call_start|>"),
        (None, with_marker("<start_function_call>"), FUNCTIONGEMMA, "the marker <start_function_call>"),
        (LISTS_TOOLS, with_marker("<|tool_call>"), GEMMA4, "the marker <|tool_call>"),
    ],
)
def test_a_model_is_recognised_by_its_template_and_markers(template, vocabulary, call_format, reason):
    recognised = recognise_format(template, vocabulary)
    assert recognised.call_format == call_format
    assert reason in recognised.reason


def test_what_the_template_writes_comes_before_what_the_vocabulary_has():
    assert recognise_format(WRITES_QWEN, with_marker("<|tool_call_start|>")).call_format == QWEN


def test_a_template_with_another_form_of_calls_asks_for_a_name():
    problem = r"not known: its template leaves calls in the history out; choose one by --format: qwen, .*mcp$"
    with pytest.raises(InputError, match=problem):
        recognise_format(LISTS_TOOLS, unmarked_vocabulary())


@needs_templates
@pytest.mark.parametrize(
    ("name", "marker", "call_format"),
    [
        ("LFM2.5-Instruct", "<|tool_call_start|>", LFM2),
        ("LFM2-8B-A1B", "<|tool_call_start|>", LFM2),
        ("LFM2.5-8B-A1B", "<|tool_call_start|>", LFM2),
        ("google-gemma-4-31B-it", "<|tool_call>", GEMMA4),
        ("meta-llama-Llama-3.2-3B-Instruct", "<|eot_id|>", LLAMA3_JSON),
        ("microsoft-Phi-3.5-mini-instruct", "<|end|>", MCP),
    ],
)
def test_real_models_are_recognised(name, marker, call_format):
    template = (TEMPLATES / f"{name}.jinja").read_text(encoding="utf-8")
    assert recognise_format(template, with_marker(marker)).call_format == call_format
