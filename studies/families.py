"""Families of models: each has one vocabulary and call format, so that its passes are counted once."""

from engine.errors import InputError

FAMILIES = {"Qwen3": "qwen", "Llama-3.2": "llama3", "SmolLM2": "smollm2"}
"""As in the names of `sim.pass_data`, by the start of a model's name."""

_VOCABULARIES = {"ggml-vocab-qwen3.gguf": "qwen", "ggml-vocab-llama-bpe.gguf": "llama3"}
"""Of llama.cpp's own files, whose names are none of a model."""


def family_of(model: str) -> str | None:
    """The family of the model, or of the file with a vocabulary, that is called so; None where it is of none."""
    started = (name for start, name in FAMILIES.items() if model.startswith(start))
    return _VOCABULARIES.get(model) or next(started, None)


def family(model: str) -> str:
    """The same of a model that has to be of one; raises InputError that lists them."""
    found = family_of(model)
    if found is None:
        raise InputError(f"{model!r} is of none of the families {', '.join(FAMILIES)}")
    return found


def other_tokens(vocabulary: str, model: str) -> tuple[str, ...]:
    """What is assumed where passes counted with the file `vocabulary` stand for `model`'s: nothing in one family."""
    counted = family_of(vocabulary)
    is_own = counted == family_of(model) if counted else vocabulary.removesuffix(".gguf") == model
    return () if is_own else (f"Passes are of the tokens of {vocabulary}, in place of {model}'s own.",)
