"""What form of history each template takes: real ones, and small ones with one fault each."""

import pytest
from llama_cpp_files import TEMPLATES, needs_templates

from engine.history import HistoryForm
from engine.history_form import history_form


def with_calls(arguments, content="{{ m.content or '' }}"):
    """A template that prints calls: their arguments by `arguments`, the content by `content`."""
    calls = f"{{% for c in m.tool_calls or [] %}}{{{{ c.function.name }}}} {arguments}{{% endfor %}}"
    return f"{{% for m in messages %}}{content}{calls}{{% endfor %}}"


TOJSON = "{{ c.function.arguments | tojson }}"
ITEMS = "{% for k, v in c.function.arguments | items %}{{ k }}={{ v }}{% endfor %}"
CONTENTS = "{% for m in messages %}{{ m.content }}{% endfor %}"
OF_USERS = "{% for m in messages if m.role == 'user' %}"


@pytest.mark.parametrize(
    ("template", "field", "value"),
    [
        (with_calls(TOJSON), "arguments_as_text", False),
        (with_calls(ITEMS), "arguments_as_text", False),
        (with_calls("{{ c.function.arguments }}"), "arguments_as_text", True),
        (with_calls("{{ '' + c.function.arguments }}"), "arguments_as_text", True),
        ("None" + with_calls(TOJSON), "empty_content", None),
        (with_calls(TOJSON, "{{ m.content }}"), "empty_content", ""),
        (with_calls(TOJSON, "{{ '' + m.content }}"), "empty_content", ""),
        (CONTENTS, "drops_calls", True),
        (CONTENTS, "drops_results", False),
        (OF_USERS + "{{ m.content }}{% endfor %}", "drops_results", True),
        # A template that refuses says so itself; nothing is done behind its back.
        ("{% for m in messages if m.tool_calls %}{{ raise_exception('no calls') }}{% endfor %}", "drops_calls", False),
        ("{% if messages[0].role == 'system' %}{{ raise_exception('none') }}{% endif %}", "takes_system", False),
        (CONTENTS, "takes_system", True),
        (CONTENTS, "takes_developer", True),
        ("{% for m in messages if m.role != 'developer' %}{{ m.content }}{% endfor %}", "takes_developer", False),
        (CONTENTS, "roles_in_parts", frozenset()),
        (CONTENTS.replace("}}", "| tojson }}"), "roles_in_parts", frozenset()),
        (CONTENTS.replace("m.content", "m.content[0].text or m.content"), "roles_in_parts", frozenset()),
        (
            OF_USERS + "{% for part in m.content %}{{ part.text }}{% endfor %}{% endfor %}",
            "roles_in_parts",
            frozenset({"user"}),
        ),
    ],
)
def test_a_template_tells_its_form_by_what_it_prints(template, field, value):
    assert getattr(history_form(template), field) == value


ALL = frozenset({"system", "user", "assistant", "tool"})
REAL = {
    "Qwen-Qwen2.5-7B-Instruct": HistoryForm(takes_developer=False),
    "Qwen-Qwen3-0.6B": HistoryForm(takes_developer=False, empty_content=""),
    "Qwen-QwQ-32B": HistoryForm(takes_developer=False, empty_content=""),
    "Qwen3-Coder": HistoryForm(),
    "Qwen3.5-4B": HistoryForm(takes_developer=False, roles_in_parts=ALL),
    "meta-llama-Llama-3.1-8B-Instruct": HistoryForm(),
    "meta-llama-Llama-3.2-3B-Instruct": HistoryForm(),
    "meetkai-functionary-medium-v3.2": HistoryForm(arguments_as_text=True),
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B": HistoryForm(arguments_as_text=True, takes_developer=False),
    "mistralai-Mistral-Nemo-Instruct-2407": HistoryForm(takes_developer=False),
    "NousResearch-Hermes-3-Llama-3.1-8B-tool_use": HistoryForm(takes_developer=False),
    "google-gemma-4-31B-it": HistoryForm(roles_in_parts=ALL - {"system"}),
    "google-gemma-2-2b-it": HistoryForm(empty_content="", takes_developer=False, takes_system=False),
    "LFM2.5-Instruct": HistoryForm(empty_content="", drops_calls=True),
    "microsoft-Phi-3.5-mini-instruct": HistoryForm(
        empty_content="", takes_developer=False, drops_calls=True, drops_results=True
    ),
}


@needs_templates
@pytest.mark.parametrize(("name", "form"), REAL.items(), ids=REAL)
def test_the_form_of_real_templates(name, form):
    assert history_form((TEMPLATES / f"{name}.jinja").read_text()) == form
