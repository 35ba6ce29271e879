"""Models of llama.cpp's vocabulary-only GGUFs, each loaded once per process."""

from functools import cache

from llama_cpp_files import VOCABULARIES

from engine.llamacpp import Model, load_model


@cache
def real_model(name: str) -> Model:
    """The model called `name`, without weights."""
    return load_model(VOCABULARIES / f"ggml-vocab-{name}.gguf", vocabulary_only=True)
