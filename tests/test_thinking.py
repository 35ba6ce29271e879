# ruff: noqa: RUF001 (DeepSeek writes its markers with fullwidth bars)
"""A thinking block that a template opens is closed before the call."""

import pytest
from llama_cpp_files import TEMPLATES, needs_templates

from engine.template import render_template
from engine.thinking import close_thinking

MESSAGES = [{"role": "user", "content": "hi"}]


def prompt_of(template):
    return close_thinking(render_template(template, MESSAGES, None, "", "", add_generation_prompt=True), template)


WRITES_HISTORY = (
    "{% for m in messages %}{% if m.reasoning_content %}<think>\n{{ m.reasoning_content }}\n</think>\n\n{% endif %}"
    "{{ m.content }}{% endfor %}"
)


@pytest.mark.parametrize(
    ("template", "end"),
    [
        ("hi", "hi"),
        ("<think>", "<think></think>"),
        ("{{ '<think>\\n' }}", "<think>\n\n</think>\n\n"),
        (WRITES_HISTORY + "{{ '<think>\\n' }}", "<think>\n\n</think>\n\n"),
        (WRITES_HISTORY.replace("\n</think>\n\n", "</think>") + "{{ '<think>\\n' }}", "<think>\n</think>"),
        ("{{ '<think>\\n\\n</think>\\n\\n' }}", "<think>\n\n</think>\n\n"),
        ("<think>so</think>", "<think>so</think>"),
        ("</think>", "</think>"),
        ("<seed:think>", "<seed:think></seed:think>"),
        ("<thinking>", "<thinking></thinking>"),
        ("<|START_THINKING|>", "<|START_THINKING|><|END_THINKING|>"),
        ("<|START_THINKING|><|END_THINKING|>", "<|START_THINKING|><|END_THINKING|>"),
        ("[THINK]", "[THINK][/THINK]"),
        ("[/THINK]", "[/THINK]"),
        ("a <think> b", "a <think> b"),
    ],
)
def test_an_opened_block_is_closed(template, end):
    printed = render_template(template, MESSAGES, None, "", "", add_generation_prompt=True)
    assert close_thinking(printed, template).endswith(end)
    assert close_thinking(printed, template).startswith(printed)


REAL = {
    # Templates that know how to switch thinking off.
    "Qwen-Qwen3-0.6B": "<|im_start|>assistant\n<think>\n\n</think>\n\n",
    "Qwen-QwQ-32B": "<|im_start|>assistant\n<think>\n</think>",
    "Qwen3.5-4B": "<|im_start|>assistant\n<think>\n\n</think>\n\n",
    "HuggingFaceTB-SmolLM3-3B": "<|im_start|>assistant\n<think>\n\n</think>\n",
    "GLM-4.6": "/nothink<|assistant|>\n<think></think>",
    "GLM-4.7-Flash": "<|assistant|></think>",
    "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16": "<|im_start|>assistant\n<think></think>",
    "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B": "<｜Assistant｜><think>\n</think>",
    "deepseek-ai-DeepSeek-V3.1": "<｜Assistant｜><think></think>",
    "deepseek-ai-DeepSeek-V3.2": "<｜Assistant｜><think></think>",
    "deepseek-ai-DeepSeek-V4": "<｜Assistant｜></think>",
    "deepseek-ai-DeepSeek-V4-Flash-0731": "<｜Assistant｜></think>",
    "google-gemma-4-31B-it-interleaved": "<|turn>model\n<|channel>thought\n<channel|>",
    "google-gemma-4-31B-it": "<|turn>model\n<|channel>thought\n<channel|>",
    "Spark2.5": "<|Bot|></think>",
    "MiniMax-M3": "]~b]ai\n</mm:think>",
    "Kimi-K3": '<|open|>message role="assistant"<|sep|><|open|>response<|sep|>',
    "Cohere2MoE": "<|CHATBOT_TOKEN|><|START_THINKING|><|END_THINKING|>",
    "CohereForAI-c4ai-command-r7b-12-2024-tool_use": "<|CHATBOT_TOKEN|><|START_THINKING|><|END_THINKING|>",
    "ByteDance-Seed-OSS": "directly start answering the question.</seed:cot_budget_reflect>\n</seed:think>",
    "inclusionai-ling-3.0-flash": "<role>ASSISTANT</role>\n<think></think>",
    "llama-cpp-rwkv-world": "Assistant: <think>\n</think>",
    "openbmb-MiniCPM5-1B": "<|im_start|>assistant\n<think>\n\n</think>\n\n",
    "poolside-Laguna-S-2.1": "<assistant></think>",
    "poolside-Laguna-XS-2.1": "<assistant>\n</think>",
    "poolside-Laguna-XS.2": "<assistant>\n</think>",
    "tencent-Hy3": "<think:opensource></think:opensource>",
    # Templates that open a block whatever they are told; it is closed as they write it in history.
    "MiniMax-M2": "]~b]ai\n<think>\n\n</think>\n\n",
    "StepFun3.5-Flash": "<|im_start|>assistant\n<think>\n\n</think>\n",
    "Apriel-1.6-15b-Thinker-fixed": "Here are my reasoning steps:\n\n[BEGIN FINAL RESPONSE]\n",
    # Templates that open one and drop it from history.
    "NVIDIA-Nemotron-Nano-v2": "Assistant\n<think>\n\n</think>\n\n",
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B": "<｜Assistant｜><think>\n\n</think>\n\n",
    "llama-cpp-deepseek-r1": "<｜Assistant｜><think>\n\n</think>\n\n",
    # Models that think only if they want to, and open the block themselves.
    "Apertus-8B-Instruct": "<|assistant_start|>",
    "Bielik-11B-v3.0-Instruct": "<|im_start|>assistant\n",
    "Kimi-K2-Thinking": "<|im_assistant|>assistant<|im_middle|>",
    "LFM2.5-8B-A1B": "<|im_start|>assistant\n",
    "MiMo-VL": "<|im_start|>assistant\n",
    "Reka-Edge": "<sep>assistant:",
    "ibm-granite-granite-3.3-2B-Instruct": "<|start_of_role|>assistant<|end_of_role|>",
    "mistralai-Ministral-3-14B-Reasoning-2512": "[/INST]",
    "muse-glimmer": "<|start|>assistant",
    "openai-gpt-oss-120b": "<|start|>assistant",
    "unsloth-Apriel-1.5": "<|assistant|>\n",
    "upstage-Solar-Open-100B": "<|begin|>assistant",
}


@needs_templates
@pytest.mark.parametrize(("name", "end"), REAL.items(), ids=REAL)
def test_thinking_is_off_in_real_templates(name, end):
    assert prompt_of((TEMPLATES / f"{name}.jinja").read_text()).endswith(end)


@needs_templates
@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.jinja")), ids=lambda path: path.stem)
def test_every_template_that_speaks_of_thinking_is_in_the_list(path):
    template = path.read_text()
    mentions = ("enable_thinking", "reasoning_content", "[THINK]", "reasoning_effort", "<think>", "thinking_budget")
    if any(mention in template for mention in mentions):
        assert path.stem in REAL
