"""How families write calls, and which family a model is of."""

import json

import pytest
from toy_vocabulary import toy_vocabulary, unmarked_vocabulary

from engine.errors import InputError
from engine.formats import FORMATS, QWEN, SMOLLM2, format_named, quote, recognise_format


@pytest.mark.parametrize(
    ("call_format", "call"),
    [
        (QWEN, '<tool_call>\n{"name": "get", "arguments": {"a": 1, "b": 2}}\n</tool_call>'),
        (SMOLLM2, '<tool_call>[{"name": "get", "arguments": {"a": 1, "b": 2}}]</tool_call>'),
    ],
)
def test_a_call_is_put_together_from_head_leads_and_closer(call_format, call):
    first, second = call_format.lead("a", is_first=True), call_format.lead("b", is_first=False)
    assert call_format.head("get") + first + "1" + second + "2" + call_format.closer == call


@pytest.mark.parametrize("text", ["", "plain", 'q"', "b\\", "\n\t", "北京 é 😀", "</tool_call>", "Content-Type"])
def test_quoted_text_is_json_with_nothing_escaped_that_need_not_be(text):
    assert json.loads(quote(text)) == text
    assert all(char in quote(text) for char in text if char not in '"\\\n\t')


@pytest.mark.parametrize("call_format", FORMATS)
def test_a_format_is_found_by_its_name(call_format):
    assert format_named(call_format.name) is call_format


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(InputError, match=r"^unknown call format 'hermes'; choose one of: qwen, smollm2$"):
        format_named("hermes")


@pytest.mark.parametrize(
    ("template", "vocabulary", "call_format"),
    [
        (None, toy_vocabulary, SMOLLM2),
        ("{{ messages }}", toy_vocabulary, SMOLLM2),
        ("{% if tools %}<tool_call>{% endif %}", toy_vocabulary, QWEN),
        ('{% if tools %}<tool_call>{"name": <n>, "arguments": <a>}{% endif %}', unmarked_vocabulary, QWEN),
    ],
)
def test_a_model_is_recognised_by_its_template_and_markers(template, vocabulary, call_format):
    assert recognise_format(template, vocabulary()) is call_format


@pytest.mark.parametrize(
    ("template", "vocabulary"),
    [
        ("{% if tools %}<function={{ name }}>{% endif %}", toy_vocabulary),
        ("{% if tools %}<tool_call>{{ name }}{% endif %}", unmarked_vocabulary),
        ("{% if tools %}[TOOL_CALLS]{% endif %}", toy_vocabulary),
    ],
)
def test_a_template_with_another_form_of_calls_asks_for_a_name(template, vocabulary):
    with pytest.raises(InputError, match=r"name one of: qwen, smollm2$"):
        recognise_format(template, vocabulary())
