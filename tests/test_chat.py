"""The prompt: the conversation through the model's template, byte for byte."""

import json

import pytest
from llama_cpp_files import TEMPLATES, needs_templates
from toy_vocabulary import toy_vocabulary

from engine.chat import CHATML, Prompt, render_prompt, tokenize_prompt
from engine.errors import TemplateError
from engine.formats import QWEN, SMOLLM2
from engine.tools import Tool

TOOL = Tool("get", 'say "hi" <b>&', {"type": "object", "properties": {"é": {"enum": ["北京", "<a>"]}}})
USER = {"role": "user", "content": 'say "hi" <b>&'}


def test_a_model_without_a_template_gets_chatml_and_the_tools_in_a_system_message():
    prompt = render_prompt(None, SMOLLM2, [USER], [TOOL]).text
    definitions = json.dumps([TOOL.as_openai()], ensure_ascii=False)
    assert prompt.startswith("<|im_start|>system\nYou compose function calls.")
    assert f"<tools>{definitions}</tools>" in prompt
    assert '<tool_call>[{"name": "function_name", "arguments": {"argument1": "value1", "argument2": 2}}]' in prompt
    assert prompt.endswith(f"<|im_end|>\n<|im_start|>user\n{USER['content']}<|im_end|>\n<|im_start|>assistant\n")


def test_the_tools_join_a_system_message_that_is_there():
    system = {"role": "system", "content": "Be brief. {tools} {}"}
    prompt = render_prompt(CHATML, SMOLLM2, [system, USER], [TOOL]).text
    assert prompt.count("<|im_start|>system") == 1
    assert prompt.startswith("<|im_start|>system\nBe brief. {tools} {}\n\nYou compose function calls.")


def test_the_callers_messages_stay_as_they_are():
    messages = [{"role": "system", "content": "Be brief."}, USER]
    render_prompt(CHATML, SMOLLM2, messages, [TOOL])
    assert messages == [{"role": "system", "content": "Be brief."}, USER]


def test_a_format_without_a_prompt_of_its_own_leaves_the_tools_to_the_template():
    assert render_prompt("{{ tools | length }} {{ messages | length }}", QWEN, [USER], [TOOL]).text == "1 1"
    assert render_prompt("{{ tools }}", SMOLLM2, [USER], [TOOL]).text == "None"


def test_a_template_that_takes_no_system_message_finds_the_tools_with_the_user():
    template = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    template += "{{ m.role }}: {{ m.content }}\n{% endfor %}"
    prompt = render_prompt(template, SMOLLM2, [USER], [TOOL]).text
    assert prompt.startswith("user: You compose function calls.")
    assert prompt.endswith(f"\n\n{USER['content']}\n")


def test_the_tools_join_a_system_message_in_parts():
    template = "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}"
    template += "{% for part in m.content %}{{ part.text }}{% endfor %}{% endif %};{% endfor %}"
    parts = [{"type": "text", "text": "Be"}, {"type": "text", "text": "brief."}]
    prompt = render_prompt(template, SMOLLM2, [{"role": "system", "content": parts}, USER], [TOOL]).text
    assert prompt.startswith("Be\nbrief.\n\nYou compose function calls.")


CALLING = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"function": {"name": "get", "arguments": '{"é": "北京", "n": [1, null]}'}}],
}
RESULT = {"role": "tool", "content": "fine"}


def test_history_that_the_template_would_drop_is_written_out():
    prompt = render_prompt(None, SMOLLM2, [USER, CALLING, RESULT], [TOOL]).text
    written = '<tool_call>[{"name": "get", "arguments": {"é": "北京", "n": [1, null]}}]</tool_call>'
    assert f"<|im_start|>assistant\n{written}<|im_end|>\n<|im_start|>tool\nfine<|im_end|>\n" in prompt
    only_users = "{% for m in messages if m.role != 'tool' %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
    prompt = render_prompt(only_users, SMOLLM2, [USER, CALLING, RESULT], [TOOL]).text
    assert prompt.endswith(f"assistant: {written}\nuser: <tool_response>\nfine\n</tool_response>\n")


def test_words_beside_a_call_stay_beside_it():
    prompt = render_prompt(None, SMOLLM2, [USER, {**CALLING, "content": "Let me see."}, RESULT], [TOOL]).text
    assert "<|im_start|>assistant\nLet me see.\n<tool_call>[" in prompt


@pytest.mark.parametrize(
    ("template", "messages", "problem"),
    [
        ("{{ raise_exception('roles must alternate') }}", [USER], "roles must alternate"),
        ("{% if %}", [USER], "Expected an expression"),
        ("{{ messages[1].content.strip() }}", [USER], "no element 1"),
        ("{{ messages.append(1) }}", [USER], "unsafe"),
        ("{{ 1 // 0 }}", [USER], "division"),
    ],
)
def test_a_template_that_fails_says_why(template, messages, problem):
    with pytest.raises(TemplateError, match=f"^the model's chat template refused the conversation: .*{problem}"):
        render_prompt(template, QWEN, messages, [TOOL])


NINE = "Tool call IDs should be alphanumeric strings with length 9!"
ONE_CALL = "This model only supports single tool-calls at once!"


@needs_templates
@pytest.mark.parametrize(
    ("name", "ids", "problem"),
    [
        ("meta-llama-Llama-3.2-3B-Instruct", [None, None], ONE_CALL),
        ("meta-llama-Llama-3.1-8B-Instruct", [None, None], ONE_CALL),
        ("mistralai-Mistral-Nemo-Instruct-2407", ["call_1"], NINE),
        ("Mistral-Small-3.2-24B-Instruct-2506", ["call_1"], NINE),
        ("google-gemma-2-2b-it", [None], "Conversation roles must alternate user/assistant/user/assistant/..."),
    ],
)
def test_a_real_template_that_refuses_is_quoted(name, ids, problem):
    calls = [{"id": each, "function": {"name": "get", "arguments": {}}} for each in ids]
    messages = [USER, {"role": "assistant", "tool_calls": calls}, *[RESULT for _ in ids]]
    with pytest.raises(TemplateError) as raised:
        render_prompt((TEMPLATES / f"{name}.jinja").read_text(), QWEN, messages, [TOOL])
    assert str(raised.value) == f"the model's chat template refused the conversation: {problem}"


DESCRIBED = Tool("get", "Get it", {"type": "object", "properties": {"é": {"type": "string", "description": "What"}}})
FAILING = {
    "Kimi-K2-Instruct": "unsafe",
    "Kimi-K2-Thinking": "unsafe",
    "fireworks-ai-llama-3-firefunction-v2": "'functions' is undefined",
    "google-gemma-2-2b-it": "must alternate",
    "llama-cpp-deepseek-r1": "not JSON serializable",
}
"""Real templates that transformers runs into the same fault with."""


@needs_templates
@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.jinja")), ids=lambda path: path.stem)
def test_every_real_template_takes_a_history_of_calls(path):
    template = path.read_text()
    messages = [USER, CALLING, RESULT]
    if path.stem in FAILING:
        with pytest.raises(TemplateError, match=FAILING[path.stem]):
            render_prompt(template, QWEN, messages, [DESCRIBED])
        return
    prompt = render_prompt(template, QWEN, messages, [DESCRIBED], "<s>", "</s>").text
    history = prompt.rpartition(USER["content"])[2]
    for part in ("get", "é", "北京", "fine"):
        assert part in history or json.dumps(part).strip('"') in history
    assert "{'" not in history


@needs_templates
@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.jinja")), ids=lambda path: path.stem)
def test_text_and_object_arguments_print_the_same(path):
    if path.stem in FAILING:
        pytest.skip("the template takes no calls")
    arguments = {"é": "北京", "n": [1, None]}
    prompts = [
        render_prompt(
            path.read_text(),
            QWEN,
            [USER, {"role": "assistant", "tool_calls": [{"function": {"name": "get", "arguments": form}}]}, RESULT],
            [DESCRIBED],
        )
        for form in (arguments, json.dumps(arguments, ensure_ascii=False))
    ]
    assert prompts[0] == prompts[1]


@pytest.mark.parametrize("text", ["hi", "<|begin|>hi", "<|begin|><|begin|>hi", "\n<|begin|>hi"])
def test_a_prompt_starts_with_one_bos_whoever_writes_it(text):
    vocabulary = toy_vocabulary()
    bos = vocabulary.specials["<|begin|>"]
    tokens = tokenize_prompt(Prompt((text,)), vocabulary, bos)
    assert (tokens[0], tokens.count(bos)) == (bos, 1)
    assert vocabulary.decode(tokens) == b"<|begin|>hi"


def test_a_bos_that_the_caller_says_is_none():
    vocabulary = toy_vocabulary()
    bos = vocabulary.specials["<|begin|>"]
    said = [{"role": "user", "content": "<|begin|>hi"}]
    prompt = render_prompt("{{ messages[0].content }}", QWEN, said, [], markers=vocabulary.specials)
    tokens = tokenize_prompt(prompt, vocabulary, bos)
    assert (tokens[0], tokens.count(bos)) == (bos, 1)
    assert vocabulary.decode(tokens) == b"<|begin|><|begin|>hi"


def test_a_model_that_wants_no_bos_gets_none():
    assert tokenize_prompt(Prompt(("hi",)), toy_vocabulary(), None) == toy_vocabulary().encode("hi")


def test_markers_in_a_prompt_are_single_tokens():
    vocabulary = toy_vocabulary()
    tokens = tokenize_prompt(Prompt(("<tool_call>x</tool_call>",)), vocabulary, None)
    assert tokens == (vocabulary.specials["<tool_call>"], ord("x"), vocabulary.specials["</tool_call>"])
