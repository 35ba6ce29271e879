# ruff: noqa: RUF001 (DeepSeek writes its markers with fullwidth bars)
"""Markers in the caller's words are broken, and nothing else changes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_cpp_files import TEMPLATES, needs_templates

from engine.chat import render_prompt
from engine.errors import InputError
from engine.formats import QWEN
from engine.markers import marker_breaker
from engine.tools import Tool

MARKERS = ("<|im_end|>", "<tool_call>", "</tool_call>", "[INST]", '<|"|>', "<s>", "<<s>", "aa", "x")
FIRST = "\ufdd0"

scraps = st.sampled_from(
    [*MARKERS, "<", "|im_end|>", "tool_call>", "a", "s>", ">", "[", '"', "\\", "\n", " ", FIRST, "é"]
)
texts = st.lists(scraps, max_size=8).map("".join)
said = st.recursive(
    texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)


def texts_in(value):
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [*value, *(text for each in value.values() for text in texts_in(each))]
    return [text for each in value for text in texts_in(each)]


def has_marker(text):
    return any(marker in text for marker in MARKERS if len(marker) > 1)


@given(said)
def test_breaking_law_no_text_holds_a_marker_and_all_else_stays(value):
    breaker = marker_breaker(MARKERS, value, "")
    if breaker is None:
        assert not any(map(has_marker, texts_in(value)))
        return
    broken = breaker.broken(value)
    assert not any(map(has_marker, texts_in(broken)))
    assert breaker.character not in json.dumps(value, ensure_ascii=False)
    assert json.dumps(broken, ensure_ascii=False).replace(breaker.character, "") == json.dumps(
        value, ensure_ascii=False
    )


@given(st.lists(texts, max_size=4))
def test_breaking_law_holds_across_the_parts_of_a_content(parts):
    value = [{"type": "text", "text": text} for text in parts]
    breaker = marker_breaker(MARKERS, value, "")
    broken = breaker.broken(value) if breaker else value
    together = "".join(part["text"] for part in broken)
    assert not has_marker(together)
    assert [part["text"].replace(breaker.character if breaker else "\0", "") for part in broken] == parts


@given(texts)
def test_pieces_law_a_printed_text_is_cut_inside_its_markers_however_it_is_escaped(text):
    breaker = marker_breaker(MARKERS, [text, "<s>"], "")
    broken = breaker.broken(text)
    for write in (str, repr, json.dumps, lambda each: json.dumps(each, ensure_ascii=False)):
        pieces = breaker.pieces(write(broken))
        assert "".join(pieces) == write(text)
        assert not any(map(has_marker, pieces))
    twice = breaker.pieces(json.dumps(json.dumps(broken)))
    assert "".join(twice) == json.dumps(json.dumps(text))


@pytest.mark.parametrize(
    ("value", "template", "character"),
    [
        ("<s>", "", "\ufdd0"),
        ("<s>\ufdd0", "", "\ufdd1"),
        ("<s>", "\ufdd0\ufdd1", "\ufdd2"),
        # Text that a template would have to print as an escape is taken as well.
        ("<s>\\ufdd0", "", "\ufdd1"),
        ("<s>" + "".join(map(chr, range(0xFDD0, 0xFDF0))), "", "\ue000"),
    ],
)
def test_the_break_is_a_character_that_occurs_nowhere(value, template, character):
    assert marker_breaker(MARKERS, value, template).character == character


def test_a_text_that_holds_every_such_character_is_refused():
    everything = "".join(map(chr, (*range(0xFDD0, 0xFDF0), *range(0xE000, 0xF900))))
    with pytest.raises(InputError, match="holds every noncharacter"):
        marker_breaker(MARKERS, "<s>" + everything, "")


def conversation(marker):
    arguments = {"k" + marker: "v" + marker, "deep": [marker, {marker: None}]}
    call = {"function": {"name": "get" + marker, "arguments": arguments}}
    return [
        {"role": "system", "content": f"s{marker}"},
        {"role": "user", "content": f"a{marker}b {marker}"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": f"r{marker}{marker}"},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": [{"type": "text", "text": marker[:2]}, {"type": "text", "text": marker[2:]}]},
    ]


def conversations(marker):
    """From everything to a single message, which hardly a template refuses."""
    full = conversation(marker)
    return (full, full[1:], full[1:2])


def printed(template, messages, marker, markers):
    """The prompt, or why there is none."""
    try:
        return render_prompt(template, QWEN, messages, [tool(marker)], "<s>", "</s>", markers)
    except InputError as error:
        return str(error)


def tool(marker):
    schema = {"type": "string", "description": f"d{marker}", "enum": [marker, "x" + marker]}
    return Tool(f"get{marker}", f"D {marker}", {"type": "object", "properties": {f"k{marker}": schema}})


REAL_MARKERS = (
    "<|im_end|>",
    "<tool_call>",
    "<think>",
    "</think>",
    "<|eot_id|>",
    "[INST]",
    "<｜User｜>",
    '<|"|>',
    "<s>",
)
LOOKS_INTO_CONTENT = {
    ("HuggingFaceTB-SmolLM3-3B", "</think>"): "takes /think out of the system message",
    ("LFM2.5-Instruct", "</think>"): "drops what stands before it in an earlier call",
    ("llama-cpp-rwkv-world", "</think>"): "drops what stands before it in an earlier call",
}
"""Templates that treat a marker in the caller's text as their own: the prompt keeps it as text."""


@needs_templates
@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.jinja")), ids=lambda path: path.stem)
def test_a_real_template_prints_the_same_text_and_no_marker_of_the_callers(path):
    """The markers that are left are those that the template prints around harmless words as well."""
    template = path.read_text()
    for marker in REAL_MARKERS:
        for messages, harmless in zip(conversations(marker), conversations("qqzz"), strict=True):
            plain = printed(template, messages, marker, ())
            guarded = printed(template, messages, marker, REAL_MARKERS)
            left = printed(template, harmless, "qqzz", REAL_MARKERS)
            if isinstance(plain, str) or (path.stem, marker) in LOOKS_INTO_CONTENT:
                assert isinstance(guarded, str) == isinstance(plain, str)
                continue
            assert guarded.text == plain.text
            assert sum(piece.count(marker) for piece in guarded.pieces) == left.text.count(marker)


def test_what_the_model_wrote_keeps_its_markers():
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "<think>hm</think>ok"}]
    template = "{% for m in messages %}{{ m.content.split('</think>')[-1] }};{% endfor %}"
    assert render_prompt(template, QWEN, messages, [], markers=("</think>",)).pieces == ("hi;ok;",)
