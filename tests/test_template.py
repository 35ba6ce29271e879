"""Chat templates print what transformers prints."""

import pytest
from llama_cpp_files import TEMPLATES, needs_templates
from transformers.utils.chat_template_utils import render_jinja_template

from engine.errors import TemplateError
from engine.template import CHATML, THINKING_OFF, render_template

SAID = 'say "hi" <b>&\' 北京 \\ {{x}} é\u2028'
TOOL = {
    "type": "function",
    "function": {
        "name": "get",
        "description": SAID,
        "parameters": {
            "type": "object",
            "properties": {"é": {"type": "string", "description": SAID, "enum": ["北京", "<a>"]}},
            "required": ["é"],
        },
    },
}
USER = {"role": "user", "content": SAID}
SYSTEM = {"role": "system", "content": f"Be brief. {SAID}"}
SAYS = {"role": "assistant", "content": SAID}
THINKS = {"role": "assistant", "content": f"<think>\nhm\n</think>\n\n{SAID}"}


def calls(arguments, content=None):
    call = {"id": "call00001", "type": "function", "function": {"name": "get", "arguments": arguments}}
    return {"role": "assistant", "content": content, "tool_calls": [call]}


RESULT = {"role": "tool", "tool_call_id": "call00001", "name": "get", "content": SAID}
CONVERSATIONS = {
    "plain": [USER],
    "system": [SYSTEM, USER],
    "several turns": [SYSTEM, USER, SAYS, USER, THINKS, USER],
    "a call and its result": [USER, calls({"é": SAID, "n": [1.0, True, None]}), RESULT],
    "a call, its result and an answer": [USER, calls({"é": SAID}, ""), RESULT, SAYS, USER],
    "arguments as text": [USER, calls('{"é": 1}', ""), RESULT],
    "a call without content": [USER, {key: value for key, value in calls({}).items() if key != "content"}],
    "an empty list of calls": [USER, {**SAYS, "tool_calls": []}, USER],
    "parts": [{"role": "user", "content": [{"type": "text", "text": SAID}, {"type": "text", "text": "x"}]}],
    "parts of an answer": [USER, {"role": "assistant", "content": [{"type": "text", "text": SAID}]}, USER],
    "thoughts": [USER, {**calls({"é": 1}, SAID), "reasoning_content": "hm", "thinking": "hm"}, RESULT],
    "nobody": [{"role": "nobody", "content": SAID}],
    "nothing": [],
}
TEMPLATE_FILES = sorted(TEMPLATES.glob("*.jinja"))


def reference(template, messages, tools, generate):
    """What transformers prints, or why it does not."""
    try:
        printed, _ = render_jinja_template(
            [messages],
            tools,
            chat_template=template,
            add_generation_prompt=generate,
            bos_token="<s>",
            eos_token="</s>",
            **THINKING_OFF,
        )
    except Exception as error:
        return f"the model's chat template refused the conversation: {error}"
    return printed[0]


def ours(template, messages, tools, generate):
    try:
        return render_template(template, messages, tools, "<s>", "</s>", add_generation_prompt=generate)
    except TemplateError as error:
        return str(error)


@needs_templates
@pytest.mark.parametrize("messages", CONVERSATIONS.values(), ids=CONVERSATIONS)
@pytest.mark.parametrize("path", TEMPLATE_FILES, ids=lambda path: path.stem)
def test_a_real_template_prints_what_transformers_prints(path, messages):
    template = path.read_text()
    for tools in (None, [TOOL]):
        for generate in (False, True):
            assert ours(template, messages, tools, generate) == reference(template, messages, tools, generate)


@pytest.mark.parametrize(
    "template",
    [
        CHATML,
        "{{ messages | tojson }} {{ tools | tojson(indent=2) }} {{ tools | tojson(ensure_ascii=True) }}",
        "{{ messages | tojson(separators=(',', ':'), sort_keys=True) }}",
        "{{ nothing | tojson }}",
        "{{ bos_token }}{{ eos_token }}{{ add_generation_prompt }}{{ tools is defined }}{{ documents is none }}",
        "{{ enable_thinking }}{{ thinking }}{{ pad_token is defined }}",
        # A block's line leaves neither its indentation nor its newline behind.
        "a\n  {% if true %}\nb\n  {% endif %}\nc\n",
        "{% for m in messages %}{% if loop.first %}x{% continue %}{% endif %}y{% break %}{% endfor %}",
        "{% set x = 1 %}{% generation %}{% set x = 2 %}{{ messages[0].content }}\n{% endgeneration %}{{ x }}",
        "{{ strftime_now('%Y-%m-%d') }}",
        "{{ raise_exception('roles must alternate') }}",
        "{% if %}",
        "{{ messages[7].content.strip() }}",
        "{{ messages.append(1) }}",
        "{{ ''.__class__ }}",
        "{{ 1 / 0 }}",
        "{{ range(10 ** 9) }}",
        "{{ [1] + 'x' }}",
    ],
)
def test_the_environment_is_that_of_transformers(template):
    for tools in (None, [TOOL]):
        assert ours(template, [USER, SAYS], tools, True) == reference(template, [USER, SAYS], tools, True)


def test_no_tools_are_none_for_a_template():
    assert ours("{{ tools }}", [USER], [], True) == ours("{{ tools }}", [USER], None, True) == "None"
