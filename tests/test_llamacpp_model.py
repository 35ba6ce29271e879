"""Loading GGUF files: what is refused with which words, and what a model tells of itself."""

import hashlib

import pytest

from engine.chat import render_prompt, tokenize_prompt
from engine.errors import ModelFileError, PromptTooLongError
from engine.formats import QWEN, SMOLLM2
from engine.llamacpp import BackendOptions, load_model, make_preparer, open_decoder
from studies.models import embedded_model, find_model
from tests.embedded import ASK, WEATHER, decoder

pytestmark = pytest.mark.engine


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "no such file"),
        (b"", "no GGUF file: it starts with b''"),
        (b"PK\x03\x04 zip", "no GGUF file: it starts with b'PK"),
        (b"GGUF", "llama.cpp cannot load this model"),
        (b"GGUF" + bytes(200), "llama.cpp cannot load this model"),
    ],
)
def test_a_file_that_is_no_model_is_refused_with_its_name(tmp_path, content, problem):
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelFileError) as raised:
        load_model(path)
    assert str(path) in str(raised.value)
    assert problem in str(raised.value)


def test_a_folder_is_no_model(tmp_path):
    with pytest.raises(ModelFileError, match="no such file"):
        load_model(tmp_path)


def test_a_truncated_model_is_refused(tmp_path):
    path = tmp_path / "cut.gguf"
    with embedded_model().open("rb") as file:
        path.write_bytes(file.read(20_000_000))
    with pytest.raises(ModelFileError, match=r"llama\.cpp cannot load this model"):
        load_model(path)


def test_a_name_of_the_hub_that_is_a_file_here_is_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "owner").mkdir()
    path = tmp_path / "owner" / "repository:file.gguf"
    path.write_bytes(b"GGUF")
    assert find_model("owner/repository:file.gguf").resolve() == path


def test_the_vocabulary_alone_makes_the_same_prompt_as_the_whole_model():
    whole = decoder().preparer
    alone = make_preparer(load_model(embedded_model(), vocabulary_only=True))
    requests = [each.request(ASK, each.toolset([WEATHER])) for each in (whole, alone)]
    assert requests[0].prompt == requests[1].prompt
    assert alone.call_format is whole.call_format is SMOLLM2


def test_the_hash_is_that_of_the_file():
    assert decoder().preparer.model.sha256() == hashlib.sha256(embedded_model().read_bytes()).hexdigest()


def test_the_prompt_is_what_the_template_prints_byte_for_byte():
    model = decoder().preparer.model
    said = 'say "hi" <b>& {{x}} \\ é'
    messages = [{"role": "user", "content": said}]
    prompt = render_prompt(model.template, QWEN, messages, [], model.bos_text, model.eos_text)
    assert prompt.text == (
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
        f"<|im_start|>user\n{said}<|im_end|>\n<|im_start|>assistant\n"
    )
    assert model.vocabulary.decode(tokenize_prompt(prompt, model.vocabulary, model.bos)) == prompt.text.encode()


def test_a_marker_in_the_prompt_is_one_token():
    vocabulary = decoder().preparer.model.vocabulary
    assert vocabulary.encode_with_markers("<|im_start|>") == (vocabulary.specials["<|im_start|>"],)
    assert len(vocabulary.encode("<|im_start|>")) > 1


def test_a_prompt_that_leaves_no_room_for_the_call_is_refused_with_the_numbers():
    short = open_decoder(load_model(embedded_model()), BackendOptions(context_tokens=256, max_sequences=4))
    with pytest.raises(PromptTooLongError, match=r"the prompt has \d+ tokens .* may take 200, .* holds 256"):
        short.preparer.request(ASK, short.preparer.toolset([WEATHER]), max_call_tokens=200)
    short.close()
