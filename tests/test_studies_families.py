"""Families of models by their names, and what is said where passes are of another one's tokens."""

import pytest

from cost_models.models import model_names
from engine.errors import InputError
from sim.pass_data import pass_data_names, read_pass_data
from studies.families import family, family_of, other_tokens
from studies.sweep.kept_passes import DEFAULT_PASSES, default_passes


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("Qwen3-4B-Q8_0", "qwen"),
        ("Llama-3.2-1B-Q8_0", "llama3"),
        ("SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2"),
        ("ggml-vocab-llama-bpe.gguf", "llama3"),
        ("Qwen2.5-Coder-0.5B-Q4_K_M", None),
        ("", None),
    ],
)
def test_a_family_goes_by_the_start_of_a_name(model, name):
    assert family_of(model) == name


@pytest.mark.parametrize("model", model_names())
def test_each_of_the_papers_models_has_passes_of_its_own_tokens(model):
    passes = default_passes(model)
    assert passes in pass_data_names()
    assert other_tokens(read_pass_data(passes).key.vocabulary, model) == ()


def test_a_model_of_no_family_is_priced_by_the_default_and_it_is_said():
    assert default_passes("Phi-4") == DEFAULT_PASSES
    (sentence,) = other_tokens("ggml-vocab-qwen3.gguf", "Phi-4")
    assert sentence == "Passes are of the tokens of ggml-vocab-qwen3.gguf, in place of Phi-4's own."


def test_a_file_of_no_family_has_its_own_tokens():
    assert other_tokens("mine.gguf", "mine") == ()
    assert other_tokens("mine.gguf", "Qwen3-4B-Q8_0")


def test_a_model_that_has_to_be_of_a_family_is_refused_where_it_is_of_none():
    assert family("Llama-3.2-3B") == "llama3"
    with pytest.raises(InputError, match=r"'Phi-4' is of none of the families Qwen3, Llama-3\.2, SmolLM2"):
        family("Phi-4")
