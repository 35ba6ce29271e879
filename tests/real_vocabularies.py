"""Vocabularies of real models by name, from llama.cpp's vocabulary-only GGUFs."""

from real_models import real_model

from engine.vocabulary import Vocabulary

NAMES = (
    *("qwen2", "qwen35", "llama-bpe", "llama-spm", "gemma-4", "phi-3", "gpt-2", "starcoder", "command-r"),
    *("deepseek-llm", "deepseek-coder", "falcon", "gpt-neox", "mpt", "refact", "aquila", "baichuan"),
)
"""All of llama.cpp's but those of BERT, which llguidance cannot use."""


def real_vocabulary(name: str) -> Vocabulary:
    """The vocabulary called `name`, loaded once per process."""
    return real_model(name).vocabulary
