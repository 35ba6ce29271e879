"""Qwen3's vocabulary out of Qwen2's: its markers are single tokens, all other text is spelled as before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_cpp_files import TEMPLATES, VOCABULARIES, needs_templates, needs_vocabularies
from real_models import real_model
from strategies import examples

from engine.errors import InputError, ModelFileError
from engine.llamacpp import load_model
from studies.qwen3_vocabulary import CONTROL_MARKERS, FIRST_MARKER, OTHER_MARKERS, QWEN2_MARKERS, write_qwen3_vocabulary

pytestmark = [needs_vocabularies, needs_templates]

TEMPLATE = TEMPLATES / "Qwen-Qwen3-0.6B.jinja"
MARKERS = (*QWEN2_MARKERS, *CONTROL_MARKERS, *OTHER_MARKERS)


@pytest.fixture(scope="module")
def qwen3(qwen3_file):
    model = load_model(qwen3_file, vocabulary_only=True)
    yield model
    model.close()


def test_each_marker_is_the_token_that_qwen3_gives_it(qwen3):
    assert {marker: FIRST_MARKER + number for number, marker in enumerate(MARKERS)}.items() <= (
        qwen3.vocabulary.specials.items()
    )
    for marker in MARKERS:
        assert len(qwen3.vocabulary.encode_with_markers(f"a{marker}b")) == 3
    assert qwen3.vocabulary.encode_with_markers("<tool_call></tool_call><think></think>") == (
        *(151657, 151658, 151667, 151668),
    )


def test_a_turn_ends_the_text_and_the_template_is_the_one_that_was_named(qwen3):
    assert qwen3.eos_text == "<|im_end|>"
    assert qwen3.template == TEMPLATE.read_text(encoding="utf-8")
    assert (qwen3.bos, qwen3.vocabulary.size) == (real_model("qwen2").bos, real_model("qwen2").vocabulary.size)


@examples(200)
@given(st.text(max_size=40))
def test_all_other_text_is_spelled_as_before(qwen3, text):
    assert qwen3.vocabulary.encode(text) == real_model("qwen2").vocabulary.encode(text)


def test_a_call_is_spelled_as_before(qwen3):
    text = '{"name": "get_weather", "arguments": {"city": "北京", "days": -12, "units": ["°C"]}}'
    assert qwen3.vocabulary.encode(text) == real_model("qwen2").vocabulary.encode(text)


def test_other_vocabularies_are_refused(tmp_path):
    phi = VOCABULARIES / "ggml-vocab-phi-3.gguf"
    with pytest.raises(ModelFileError, match=r"ggml-vocab-phi-3\.gguf: no vocabulary of Qwen2's: tokens 151643 to"):
        write_qwen3_vocabulary(phi, TEMPLATE, tmp_path / "out.gguf")
    assert not (tmp_path / "out.gguf").exists()


@pytest.mark.parametrize(("missing", "problem"), [("vocabulary", r"x\.gguf: "), ("template", r"x\.jinja: cannot be")])
def test_files_that_cannot_be_read_are_named(tmp_path, missing, problem):
    qwen2 = tmp_path / "x.gguf" if missing == "vocabulary" else VOCABULARIES / "ggml-vocab-qwen2.gguf"
    template = tmp_path / "x.jinja" if missing == "template" else TEMPLATE
    with pytest.raises(InputError, match=problem):
        write_qwen3_vocabulary(qwen2, template, tmp_path / "out.gguf")
