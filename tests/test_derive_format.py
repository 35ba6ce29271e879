"""Call formats read off chat templates, the real ones of llama.cpp's collection among them."""

import pytest
from llama_cpp_files import TEMPLATES, needs_templates

from engine.derive_format import derive_format
from engine.errors import SchemaWeaverError
from engine.formats import GEMMA4, LLAMA3_JSON, MISTRAL, MISTRAL_ARGS, QWEN, QWEN3_CODER
from engine.notation import BARE, BARE_PYTHON, COMPACT_JSON, JSON, PYTHON

NAMED = {
    "Qwen-Qwen2.5-7B-Instruct": QWEN,
    "Qwen-Qwen3-0.6B": QWEN,
    "Qwen-QwQ-32B": QWEN,
    "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use": QWEN,
    "NousResearch-Hermes-3-Llama-3.1-8B-tool_use": QWEN,
    "ibm-granite-granite-4.0": QWEN,
    "MiMo-VL": QWEN,
    "meta-llama-Llama-3.1-8B-Instruct": LLAMA3_JSON,
    "meta-llama-Llama-3.2-3B-Instruct": LLAMA3_JSON,
    "meta-llama-Llama-3.3-70B-Instruct": LLAMA3_JSON,
    "mistralai-Mistral-Nemo-Instruct-2407": MISTRAL,
    "mistralai-Ministral-3-14B-Reasoning-2512": MISTRAL_ARGS,
    "unsloth-mistral-Devstral-Small-2507": MISTRAL_ARGS,
    "google-gemma-4-31B-it": GEMMA4,
    "google-gemma-4-31B-it-interleaved": GEMMA4,
    "Qwen3-Coder": QWEN3_CODER,
    "Qwen3.5-4B": QWEN3_CODER,
}
"""Templates of families that have a name here."""

OTHERS = {
    "Apertus-8B-Instruct": ("<|tools_prefix|>[{", ": {", "}}]<|tools_suffix|>", JSON),
    "MiniMax-M1": ('<tool_calls>\n{"name": ', ', "arguments": {', "}}\n</tool_calls>", JSON),
    "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": (
        "\n<tool_call>\n<function=",
        ">\n",
        "</function>\n</tool_call>\n",
        BARE_PYTHON,
    ),
    "GLM-4.7-Flash": ("<tool_call>", "", "</tool_call>", BARE),
    "inclusionai-ling-3.0-flash": ("<tool_call>", "\n", "\n</tool_call>", BARE),
    "meetkai-functionary-medium-v3.2": ("", "\n{", "}", JSON),
    "openai-gpt-oss-120b": (" to=functions.", "<|channel|>commentary json<|message|>{", "}<|call|>", JSON),
    "GigaChat3.1-10B-A1.8B": ('<|function_call|>{"name": ', ', "arguments": {', "}}", JSON),
}
"""Opener, what leads to the arguments, closer, and notation of templates of other families."""

REFUSED = {
    "ByteDance-Seed-OSS": "writes values in a way that is not known: .*arg_d>\\['x', 2\\]",
    "LFM2.5-Instruct": "leaves calls in the history out",
    "Mistral-Small-3.2-24B-Instruct-2506": "writes an id into each call",
    "deepseek-ai-DeepSeek-V3.2": "writes more than a key before a value: .*string=",
    "muse-glimmer": "writes the name of the tool more than once",
    "fireworks-ai-llama-3-firefunction-v2": "refused the conversation: 'functions' is undefined",
}


def template(name: str) -> str:
    return (TEMPLATES / f"{name}.jinja").read_text(encoding="utf-8")


@needs_templates
@pytest.mark.parametrize("name", NAMED)
def test_the_real_template_of_a_named_family_writes_as_the_named_format(name):
    assert derive_format(template(name), "<BOS>", "<EOS>").writes_like(NAMED[name])


@needs_templates
@pytest.mark.parametrize("name", OTHERS)
def test_formats_without_a_name_are_read_off_their_template(name):
    derived = derive_format(template(name), "<BOS>", "<EOS>")
    assert (derived.opener, derived.arguments_lead, derived.closer, derived.notation) == OTHERS[name]


@needs_templates
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_about_a_template_is_named(name):
    with pytest.raises(SchemaWeaverError, match=REFUSED[name]):
        derive_format(template(name), "<BOS>", "<EOS>")


@needs_templates
def test_every_template_gives_a_format_or_a_reason():
    """No template of the collection makes anything else happen, and most give a format."""
    outcomes = [_outcome(path.stem) for path in sorted(TEMPLATES.glob("*.jinja"))]
    assert sum(outcomes) >= 45
    assert len(outcomes) - sum(outcomes) <= 25


def _outcome(name: str) -> bool:
    try:
        derive_format(template(name), "<BOS>", "<EOS>")
    except SchemaWeaverError:
        return False
    return True


def chat(call: str) -> str:
    """A template that writes each call of the history as `call` says, `f` being the function."""
    return (
        "{% for m in messages %}{% if m.tool_calls %}<|a|>{% for c in m.tool_calls %}{% set f = c.function %}"
        + call
        + "{% endfor %}<|e|>\n{% else %}<|{{ m.role }}|>{{ m.content }}<|e|>\n{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|a|>{% endif %}"
    )


COMPACT = '{"name":"{{ f.name }}","arguments":{{ f.arguments | tojson(separators=(",", ":")) }}}'
PYTHONIC = (
    "[{{ f.name }}({% for k, v in f.arguments.items() %}{{ k }}={% if v is boolean or v is number %}{{ v }}"
    "{% elif v is mapping %}{{ '{\"k\": None}' }}{% else %}{{ v | tojson }}{% endif %}"
    "{{ ', ' if not loop.last }}{% endfor %})]"
)
AS_TEXT = "{{ '<f>' + f.name + '|' + f.arguments + '</f>' }}"


@pytest.mark.parametrize(
    ("call", "opener", "lead", "closer", "notation"),
    [
        (COMPACT, '{"name":', ',"arguments":{', "}}", COMPACT_JSON),
        (PYTHONIC, "[", "(", ")]", PYTHON),
        (AS_TEXT, "<f>", "|{", "}</f>", JSON),
    ],
    ids=["compact", "pythonic", "arguments as text"],
)
def test_other_notations_are_told_from_what_is_written(call, opener, lead, closer, notation):
    derived = derive_format(chat(call))
    assert (derived.opener, derived.arguments_lead, derived.closer, derived.notation) == (
        opener,
        lead,
        closer,
        notation,
    )


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("nothing", "leaves calls in the history out"),
        ("{{ f.arguments | tojson }}{{ f.name }}", "in another order"),
        ("{{ f.name }}|{% for k in f.arguments %}{{ k }}, {% endfor %}", "in another order"),
        ("{{ c.id }}{{ f.name }}{{ f.arguments | tojson }}", "an id into each call"),
        ("{{ f.name }}{{ raise_exception('one call at most') }}", "one call at most"),
    ],
)
def test_other_ways_are_refused_with_what_is_odd_about_them(call, problem):
    with pytest.raises(SchemaWeaverError, match=problem):
        derive_format(chat(call))


def test_what_ends_the_turn_does_not_belong_to_the_call():
    derived = derive_format(chat('{"name": "{{ f.name }}", "arguments": {{ f.arguments | tojson }}}'), eos="<|e|>")
    assert derived.closer == "}}"
