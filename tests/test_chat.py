"""The prompt: the conversation through the model's template, byte for byte."""

import json

import pytest
from toy_vocabulary import toy_vocabulary

from engine.chat import CHATML, render_prompt, tokenize_prompt
from engine.errors import TemplateError
from engine.formats import QWEN, SMOLLM2
from engine.tools import Tool

TOOL = Tool("get", 'say "hi" <b>&', {"type": "object", "properties": {"é": {"enum": ["北京", "<a>"]}}})
USER = {"role": "user", "content": 'say "hi" <b>&'}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ messages[0].content }}", 'say "hi" <b>&'),
        ("{{ messages[0].content | tojson }}", '"say \\"hi\\" <b>&"'),
        ("{{ tools[0] | tojson }}", json.dumps(TOOL.as_openai(), ensure_ascii=False)),
        ("{{ messages[0] | tojson(indent=2) }}", json.dumps(USER, indent=2, ensure_ascii=False)),
        ("{{ bos_token }}{{ eos_token }}{{ add_generation_prompt }}", "<s></s>True"),
        # A block's line leaves neither its indentation nor its newline behind.
        ("a\n  {% if true %}\nb\n  {% endif %}\nc", "a\nb\nc"),
        ("{% for m in messages %}{% if loop.first %}x{% continue %}{% endif %}y{% endfor %}", "x"),
    ],
)
def test_text_reaches_the_model_as_transformers_renders_it(template, text):
    assert render_prompt(template, QWEN, [USER], [TOOL], bos="<s>", eos="</s>") == text


def test_a_model_without_a_template_gets_chatml_and_the_tools_in_a_system_message():
    prompt = render_prompt(None, SMOLLM2, [USER], [TOOL])
    definitions = json.dumps([TOOL.as_openai()], ensure_ascii=False)
    assert prompt.startswith("<|im_start|>system\nYou compose function calls.")
    assert f"<tools>{definitions}</tools>" in prompt
    assert '<tool_call>[{"name": "function_name", "arguments": {"argument1": "value1", "argument2": 2}}]' in prompt
    assert prompt.endswith(f"<|im_end|>\n<|im_start|>user\n{USER['content']}<|im_end|>\n<|im_start|>assistant\n")


def test_the_tools_join_a_system_message_that_is_there():
    system = {"role": "system", "content": "Be brief. {tools} {}"}
    prompt = render_prompt(CHATML, SMOLLM2, [system, USER], [TOOL])
    assert prompt.count("<|im_start|>system") == 1
    assert prompt.startswith("<|im_start|>system\nBe brief. {tools} {}\n\nYou compose function calls.")


def test_the_callers_messages_stay_as_they_are():
    messages = [{"role": "system", "content": "Be brief."}, USER]
    render_prompt(CHATML, SMOLLM2, messages, [TOOL])
    assert messages == [{"role": "system", "content": "Be brief."}, USER]


def test_a_format_without_a_prompt_of_its_own_leaves_the_tools_to_the_template():
    assert render_prompt("{{ tools | length }} {{ messages | length }}", QWEN, [USER], [TOOL]) == "1 1"
    assert render_prompt("{{ tools is defined }}", SMOLLM2, [USER], [TOOL]) == "False"


@pytest.mark.parametrize(
    ("template", "messages", "problem"),
    [
        ("{{ raise_exception('roles must alternate') }}", [USER], "roles must alternate"),
        ("{% if %}", [USER], "Expected an expression"),
        ("{{ messages[1].content.strip() }}", [USER], "no element 1"),
        ("{{ messages.append(1) }}", [USER], "unsafe"),
        (None, [{"role": "user"}], "'dict object' has no attribute 'content'"),
        (None, [{"role": "user", "content": None}], "can only concatenate str"),
    ],
)
def test_a_template_that_fails_says_why(template, messages, problem):
    with pytest.raises(TemplateError, match=f"^the model's chat template refused the conversation: .*{problem}"):
        render_prompt(template, QWEN, messages, [TOOL])


@pytest.mark.parametrize("text", ["hi", "<|begin|>hi"])
def test_a_prompt_starts_with_one_bos_whoever_writes_it(text):
    vocabulary = toy_vocabulary()
    bos = vocabulary.specials["<|begin|>"]
    tokens = tokenize_prompt(text, vocabulary, bos)
    assert (tokens[0], tokens.count(bos)) == (bos, 1)
    assert vocabulary.decode(tokens) == b"<|begin|>hi"


def test_a_model_that_wants_no_bos_gets_none():
    assert tokenize_prompt("hi", toy_vocabulary(), None) == toy_vocabulary().encode("hi")


def test_markers_in_a_prompt_are_single_tokens():
    vocabulary = toy_vocabulary()
    tokens = tokenize_prompt("<tool_call>x</tool_call>", vocabulary, None)
    assert tokens == (vocabulary.specials["<tool_call>"], ord("x"), vocabulary.specials["</tool_call>"])
