"""Vocabularies of real models by name, from llama.cpp's vocabulary-only GGUFs."""

from real_models import real_model

from engine.vocabulary import Vocabulary

NAMES = (
    *("qwen2", "qwen35", "llama-bpe", "llama-spm", "gemma-4", "phi-3", "gpt-2", "starcoder", "command-r"),
    *("deepseek-llm", "deepseek-coder", "falcon", "gpt-neox", "mpt", "refact", "aquila", "baichuan"),
)
"""All of llama.cpp's but those of BERT, which llguidance cannot use."""

OF_EACH_KIND = ("llama-spm", "gemma-4", "qwen2", "gpt-2")
"""Those that differ most, on which properties are always tried in full; the others are like one of them.

llama-spm is SentencePiece: it puts a space in front of a text and spells in bytes what it lacks. gemma-4 merges
characters, with bytes for what it lacks, no space in front, and markers around strings. The other two merge bytes
within the pieces of a pattern: qwen2's parts digits one by one and takes line ends to what stands before them; gpt-2's,
the first of its kind, keeps digits together and takes the space before them.
"""


def real_vocabulary(name: str) -> Vocabulary:
    """The vocabulary called `name`, loaded once per process."""
    return real_model(name).vocabulary
