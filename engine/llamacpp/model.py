"""A GGUF file loaded by llama.cpp, with its vocabulary and chat template."""

import hashlib
import os
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import llama_cpp

from engine.capabilities import Capabilities
from engine.errors import ModelFileError
from engine.llamacpp.log import kept_log, last_problem
from engine.llamacpp.probe import Probe, probe_engine
from engine.llamacpp.vocabulary import read_vocabulary, token_text
from engine.vocabulary import Vocabulary

_MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True)
class Model:
    """A loaded model. `close` frees it; its backends have to be closed before.

    `bos` is the token that a prompt has to start with, None where the model wants none. `bos_text` and `eos_text`
    are what templates know them as. Loaded without weights, a model does not say its sliding window. `extra_buffers`
    says whether weights were laid out anew for llama.cpp's fastest kernels, None where there are none, and `probe` why,
    None where the caller said so.
    """

    path: Path
    handle: Any
    vocabulary: Vocabulary
    template: str | None
    bos: int | None
    bos_text: str
    eos_text: str
    trained_context_tokens: int
    capabilities: Capabilities
    resources: ExitStack
    extra_buffers: bool | None = None
    probe: Probe | None = None

    @property
    def name(self) -> str:
        return self.path.name

    def close(self) -> None:
        self.resources.close()

    def sha256(self) -> str:
        """The hash of the model file, in hex."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def load_model(path: str | os.PathLike[str], vocabulary_only: bool = False, extra_buffers: bool | None = None) -> Model:
    """Load the GGUF at `path`, without its weights if `vocabulary_only`: enough for prompts and constraints.

    `extra_buffers` None means as `probe_engine` finds: a pass that dies in a child process does not die in this one.
    Raises ModelFileError where there is no such file, where it is no GGUF, is damaged or has no weights, or where it is
    of a kind that does not write text from left to right, and EngineCrashError where no pass survives here.
    """
    file = check_model_file(Path(path))
    probed = probe_engine(file) if extra_buffers is None and not vocabulary_only else None
    is_extra = probed.extra_buffers if probed else extra_buffers is not False
    llama_cpp.llama_backend_init()
    parameters = llama_cpp.llama_model_default_params()
    parameters.vocab_only = vocabulary_only
    parameters.use_extra_bufts = is_extra
    with kept_log() as lines:
        handle = llama_cpp.llama_model_load_from_file(str(file).encode(), parameters)
        if not handle:
            raise ModelFileError(f"{file}: llama.cpp cannot load this model: {last_problem(lines)}")
    resources = ExitStack()
    resources.callback(llama_cpp.llama_model_free, handle)
    if llama_cpp.llama_model_has_encoder(handle):
        resources.close()
        raise ModelFileError(f"{file}: an encoder model cannot write tool calls")
    return replace(
        _describe(file, handle, resources), extra_buffers=None if vocabulary_only else is_extra, probe=probed
    )


def engine_version() -> str:
    """The engine's name and version, as profiles keep it."""
    return f"llama-cpp-python {llama_cpp.__version__}"


def system_info() -> str:
    """What the engine was compiled for, as llama.cpp prints it."""
    return str(llama_cpp.llama_print_system_info().decode()).strip(" |")


def check_model_file(path: Path) -> Path:
    """`path` itself; raises ModelFileError where there is no such file, or none that starts as a GGUF does."""
    if not path.is_file():
        raise ModelFileError(f"{path}: no such file; expected a GGUF model")
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read: {error.strerror}") from error
    if magic != _MAGIC:
        raise ModelFileError(f"{path}: no GGUF file: it starts with {magic!r} where {_MAGIC!r} should be")
    return path


def _describe(path: Path, handle: Any, resources: ExitStack) -> Model:
    vocab = llama_cpp.llama_model_get_vocab(handle)
    printed = llama_cpp.llama_model_chat_template(handle, None)
    template = printed.decode() if printed else None
    wants_bos = llama_cpp.llama_vocab_get_add_bos(vocab)
    bos = llama_cpp.llama_vocab_bos(vocab)
    return Model(
        path=path,
        handle=handle,
        vocabulary=read_vocabulary(path, vocab, template),
        template=template,
        bos=bos if wants_bos and bos >= 0 else None,
        bos_text=token_text(vocab, bos),
        eos_text=token_text(vocab, llama_cpp.llama_vocab_eos(vocab)),
        trained_context_tokens=llama_cpp.llama_model_n_ctx_train(handle),
        capabilities=_capabilities(handle),
        resources=resources,
    )


def _capabilities(handle: Any) -> Capabilities:
    """What the memory that llama.cpp makes for a model can do.

    Hybrid memory takes shared rows only where all sequences share one pool of cells, as in the contexts opened here
    (`llama-memory-hybrid.cpp`); purely recurrent memory never does (`llama-memory-recurrent.cpp`).
    """
    is_recurrent = llama_cpp.llama_model_is_recurrent(handle)
    return Capabilities(
        shares_rows=not is_recurrent,
        removes_part=not (is_recurrent or llama_cpp.llama_model_is_hybrid(handle)),
        window_tokens=llama_cpp.llama_model_n_swa(handle) or None,
    )
