"""A GGUF's vocabulary as llguidance takes it, and which of its tokens are markers."""

import ctypes
from pathlib import Path
from typing import Any

import llama_cpp
from llguidance import LLTokenizer

from engine.errors import ModelFileError
from engine.vocabulary import Vocabulary

_LONGEST_TOKEN_BYTES = 1 << 16
_SPECIAL = b"\xff"
"""In front of a token's bytes it tells llguidance that these never come out of text."""

_MEANS_MORE = llama_cpp.LLAMA_TOKEN_ATTR_CONTROL | llama_cpp.LLAMA_TOKEN_ATTR_UNKNOWN
_MARKER_ENDS = (("<|", ">"), ("<", "|>"), ("<\uff5c", ">"), ("[", "]"))


def read_vocabulary(path: Path, vocab: Any, template: str | None) -> Vocabulary:
    """The vocabulary of the model at `path`; raises ModelFileError where llguidance cannot use it."""
    texts = token_texts(vocab)
    attributes = [llama_cpp.llama_vocab_get_attr(vocab, token) for token in range(len(texts))]
    markers = {
        text.decode(errors="replace"): token
        for token, text in enumerate(texts)
        if text and is_marker(text.decode(errors="replace"), attributes[token], template)
    }
    special = frozenset(markers.values())
    try:
        tokenizer = LLTokenizer.from_llamacpp(  # type: ignore[attr-defined]
            tokens=[_SPECIAL + text if token in special else text for token, text in enumerate(texts)],
            vocab_ptr=vocab,
            tokenize_fptr=ctypes.cast(llama_cpp.llama_cpp._lib.llama_tokenize, ctypes.c_void_p).value,
            eos_token=llama_cpp.llama_vocab_eos(vocab),
            slices=LLTokenizer.json_slices(),
        )
    except ValueError as error:
        raise ModelFileError(f"{path}: llguidance cannot use this vocabulary: {error}") from error
    return Vocabulary(tokenizer, markers)


def is_marker(text: str, attributes: int, template: str | None) -> bool:
    """Whether a token stands for more than its text.

    Control tokens and the unknown token do. What a vocabulary adds besides may be anything: the calls' own markers, but
    HTML tags and single letters as well, which are text. There the look of a marker decides, or that the chat template
    prints it; without a template, any text in angle brackets is taken for one.
    """
    if attributes & _MEANS_MORE:
        return True
    if not attributes & llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED or len(text) < 3:
        return False
    if any(text.startswith(start) and text.endswith(end) for start, end in _MARKER_ENDS):
        return True
    in_brackets = text.startswith("<") and text.endswith(">")
    return in_brackets if template is None else in_brackets and text in template


def token_texts(vocab: Any) -> list[bytes]:
    """The bytes of each token, markers as their text."""
    buffer = ctypes.create_string_buffer(_LONGEST_TOKEN_BYTES)
    return [_token_text(vocab, token, buffer) for token in range(llama_cpp.llama_vocab_n_tokens(vocab))]


def token_text(vocab: Any, token: int) -> str:
    """The text of one token, "" for none."""
    if token < 0:
        return ""
    return _token_text(vocab, token, ctypes.create_string_buffer(_LONGEST_TOKEN_BYTES)).decode(errors="replace")


def _token_text(vocab: Any, token: int, buffer: Any) -> bytes:
    size = llama_cpp.llama_token_to_piece(vocab, token, buffer, _LONGEST_TOKEN_BYTES, 0, True)
    if size < 0:
        raise ModelFileError(f"token {token} of the vocabulary is {-size} bytes long, too long for a token")
    return ctypes.string_at(buffer, size)
