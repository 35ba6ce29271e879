"""Real vocabularies: which tokens are markers, that no value can hold one, and what prompts become."""

import ctypes
import json

import llama_cpp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llama_cpp_files import TEMPLATES, needs_templates, needs_vocabularies
from llguidance import LLMatcher
from real_models import real_model

from engine.chat import Prompt, render_prompt, tokenize_prompt
from engine.formats import QWEN
from engine.llamacpp.vocabulary import is_marker
from engine.tools import Tool

CONTROL, USER_DEFINED = llama_cpp.LLAMA_TOKEN_ATTR_CONTROL, llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED
NORMAL, UNKNOWN = llama_cpp.LLAMA_TOKEN_ATTR_NORMAL, llama_cpp.LLAMA_TOKEN_ATTR_UNKNOWN
BYTE, RSTRIP = llama_cpp.LLAMA_TOKEN_ATTR_BYTE, llama_cpp.LLAMA_TOKEN_ATTR_RSTRIP
NAMES = ("qwen2", "llama-bpe", "llama-spm", "gemma-4", "phi-3", "deepseek-llm")
TOOL = Tool("get", "Get it", {"type": "object", "properties": {"a": {"type": "string", "description": "What"}}})


@pytest.mark.parametrize(
    ("text", "attributes", "template", "expected"),
    [
        ("<|im_end|>", CONTROL, None, True),
        ("anything", CONTROL, "", True),
        ("</s>", NORMAL | CONTROL, None, True),
        ("<unk>", UNKNOWN, "", True),
        ("[PAD32011]", UNKNOWN | RSTRIP, "", True),
        # Qwen's, Mistral's, Gemma's, Llama's, DeepSeek's
        ("<tool_call>", USER_DEFINED, "... <tool_call> ...", True),
        ("</think>", USER_DEFINED, "... </think> ...", True),
        ("[TOOL_CALLS]", USER_DEFINED, "", True),
        ("<|tool_call>", USER_DEFINED, "", True),
        ("<tool_call|>", USER_DEFINED, "", True),
        ('<|"|>', USER_DEFINED, "", True),
        ("<|python_tag|>", USER_DEFINED, "", True),
        ("<\uff5cfim\u2581hole\uff5c>", USER_DEFINED, "", True),
        # Text that a vocabulary holds as a whole
        ("<b>", USER_DEFINED, "... <tool_call> ...", False),
        ("</table>", USER_DEFINED, "", False),
        ("\n\n", USER_DEFINED, "a\n\nb", False),
        ("ö", USER_DEFINED, "ö", False),
        ("<>", USER_DEFINED, "<>", False),
        # Without a template the look in angle brackets has to do
        ("<tool_call>", USER_DEFINED, None, True),
        ("    ", USER_DEFINED, None, False),
        ("<tool_call>", NORMAL, "<tool_call>", False),
        ("<0x0A>", BYTE, "", False),
    ],
)
def test_markers_are_what_means_more_than_its_text(text, attributes, template, expected):
    assert is_marker(text, attributes, template) is expected


@needs_vocabularies
@pytest.mark.parametrize(
    ("name", "markers", "texts"),
    [
        ("qwen2", ["<|im_start|>", "<|im_end|>", "<|endoftext|>"], ["<b>"]),
        ("llama-bpe", ["<|begin_of_text|>", "<|eot_id|>", "<|start_header_id|>"], ["<b>"]),
        ("llama-spm", ["<s>", "</s>", "<unk>"], ["<0x0A>"]),
        ("gemma-4", ["<bos>", "<|tool_call>", "<tool_call|>", '<|"|>', "<|turn>", "<turn|>", "<|channel>"], ["\n\n"]),
        ("phi-3", ["<s>", "<|user|>", "<|assistant|>", "<|end|>", "<unk>"], ["<0x0A>"]),
        ("command-r", ["<BOS_TOKEN>", "<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>"], ["    "]),
        ("deepseek-coder", ["<|User|>", "<|EOT|>", "<\uff5cfim\u2581hole\uff5c>"], ["ö", "ÿ"]),
    ],
)
def test_the_markers_of_real_vocabularies(name, markers, texts):
    vocabulary = real_model(name).vocabulary
    for marker in markers:
        assert vocabulary.encode_with_markers(marker) == (vocabulary.specials[marker],)
        assert vocabulary.tokenizer.is_special_token(vocabulary.specials[marker])
    assert not set(texts) & set(vocabulary.specials)


@needs_vocabularies
@pytest.mark.parametrize("name", NAMES)
def test_value_law_no_marker_is_allowed_inside_a_string(name):
    vocabulary = real_model(name).vocabulary
    markers = np.array(sorted(vocabulary.specials.values()))
    grammar = LLMatcher.grammar_from_json_schema(json.dumps({"type": "string"}))
    start = LLMatcher(vocabulary.tokenizer, grammar)

    scraps = st.sampled_from(
        [*list(vocabulary.specials)[:40], "<", "|>", "<|", "im_end|>", ">", "a", " ", "é", '"', "\\"]
    )

    @settings(max_examples=40)
    @given(st.lists(scraps | st.text(max_size=3), max_size=6).map("".join))
    def holds(said):
        matcher = start.deep_copy()
        written = json.dumps(said, ensure_ascii=False)[:-1]
        for token in [None, *vocabulary.tokenizer.tokenize_bytes(written.encode())]:
            if token is not None and token not in markers:
                assert matcher.consume_token(token)
            if token in markers:
                return
            mask = np.unpackbits(np.frombuffer(matcher.compute_bitmask(), np.uint8), bitorder="little")
            assert not mask[markers].any()

    holds()


@needs_vocabularies
@pytest.mark.parametrize("name", NAMES)
def test_callers_law_markers_that_the_caller_says_are_text(name):
    """No marker is among the tokens but those of the template, and the tokens spell the prompt."""
    model = real_model(name)
    vocabulary = model.vocabulary
    first, last = [text for text in vocabulary.specials if not text.startswith("[PAD") and "reserved" not in text][-2:]
    template = f"{{% for m in messages %}}{first}{{{{ m.role }}}}\n{{{{ m.content }}}}{last}\n{{% endfor %}}{first}"
    scraps = st.sampled_from(
        [first, last, model.bos_text or first, first[:2], first[2:], last[:-1], ">", " ", "\n", "a"]
    )

    @given(st.lists(scraps | st.text(st.characters(codec="utf-8"), max_size=3), max_size=8).map("".join))
    def holds(said):
        messages = [{"role": "system", "content": "b" + said}, {"role": "user", "content": "a" + said}]
        prompt = render_prompt(template, QWEN, messages, [], markers=vocabulary.specials)
        tokens = tokenize_prompt(prompt, vocabulary, model.bos)
        markers = [token for token in tokens if token in vocabulary.specials.values()]
        pair = [vocabulary.specials[first], vocabulary.specials[last]]
        expected = [] if model.bos is None or first == model.bos_text else [model.bos]
        assert markers == [*expected, *pair, *pair, pair[0]]
        assert spelled(name, vocabulary.decode(tokens)) == spelled(
            name, (model.bos_text.encode() if expected else b"") + prompt.text.encode()
        )

    holds()


def spelled(name, text):
    """`text` as far as the tokenizer keeps it: SentencePiece's adds spaces, Phi's markers swallow what follows."""
    return b"".join(text.split()).replace(b" ", b"") if name in ("llama-spm", "phi-3") else text


@needs_vocabularies
@pytest.mark.parametrize("name", NAMES)
def test_plain_law_a_prompt_without_markers_has_the_tokens_that_llama_cpp_gives_it(name):
    model = real_model(name)
    first, last = list(model.vocabulary.specials)[:2]
    template = f"{{% for m in messages %}}{first}{{{{ m.role }}}}\n{{{{ m.content }}}}{last}\n{{% endfor %}}{first}"

    @given(st.text(st.characters(codec="utf-8"), max_size=20))
    def holds(said):
        prompt = render_prompt(
            template, QWEN, [{"role": "user", "content": said}], [], markers=model.vocabulary.specials
        )
        if len(prompt.pieces) == 1:
            adds_bos = not prompt.text.startswith(model.bos_text)
            assert tokenize_prompt(prompt, model.vocabulary, model.bos) == by_llama_cpp(model, prompt.text, adds_bos)
            assert (
                tokenize_prompt(Prompt((said,)), model.vocabulary, model.bos)[1:] == by_llama_cpp(model, said, True)[1:]
            )

    holds()


def by_llama_cpp(model, text, adds_bos):
    vocab = llama_cpp.llama_model_get_vocab(model.handle)
    data = text.encode()
    tokens = (ctypes.c_int32 * (len(data) + 8))()
    count = llama_cpp.llama_tokenize(vocab, data, len(data), tokens, len(tokens), adds_bos, True)
    return tuple(tokens[:count])


PAIRS = (
    ("qwen2", "Qwen-Qwen2.5-7B-Instruct"),
    ("qwen2", "Qwen-Qwen3-0.6B"),
    ("qwen35", "Qwen3.5-4B"),
    ("llama-bpe", "meta-llama-Llama-3.1-8B-Instruct"),
    ("llama-bpe", "meta-llama-Llama-3.2-3B-Instruct"),
    ("llama-bpe", "NousResearch-Hermes-3-Llama-3.1-8B-tool_use"),
    ("llama-bpe", "meetkai-functionary-medium-v3.1"),
    ("llama-spm", "mistralai-Mistral-Nemo-Instruct-2407"),
    ("llama-spm", "microsoft-Phi-3.5-mini-instruct"),
    ("gemma-4", "google-gemma-4-31B-it"),
    ("gemma-4", "google-gemma-2-2b-it"),
    ("phi-3", "microsoft-Phi-3.5-mini-instruct"),
    ("command-r", "CohereForAI-c4ai-command-r-plus-tool_use"),
    ("deepseek-llm", "deepseek-ai-DeepSeek-V3.1"),
)


@needs_vocabularies
@needs_templates
@pytest.mark.parametrize(("name", "template"), PAIRS, ids=map("+".join, PAIRS))
@pytest.mark.parametrize("prints_bos", [True, False])
def test_a_real_prompt_has_one_bos(name, template, prints_bos):
    """Whether the template prints it or not; models that want none get what the template prints."""
    model = real_model(name)
    messages = [{"role": "user", "content": f"hi {model.bos_text} hi"}]
    text = (TEMPLATES / f"{template}.jinja").read_text()
    bos_text = model.bos_text if prints_bos else ""
    prompt = render_prompt(text, QWEN, messages, [TOOL], bos_text, model.eos_text, model.vocabulary.specials)
    tokens = tokenize_prompt(prompt, model.vocabulary, model.bos)
    if model.bos is None:
        assert model.vocabulary.specials[model.bos_text] not in tokens
    else:
        assert (tokens[0], tokens.count(model.bos)) == (model.bos, 1)
