"""Whether passes of a model survive on this machine, found out in a child process and kept in the user's cache.

llama.cpp may have been compiled for another processor than this one, or by a compiler that broke some of its kernels
(ggml-org/llama.cpp, pull request 26954: AMX under gcc). It then ends the process by a signal, and nothing inside the
process can help. Its fastest kernels read weights that were laid out anew, in llama.cpp's extra buffers; on weights as
they lie in the file other kernels run, which are slower for prompts and seldom broken.
"""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any

import llama_cpp
from llama_cpp import _ggml

from engine.errors import EngineCrashError
from engine.machine import child_environment, processor_features, processor_name, signal_text, user_cache

CHILD_SECONDS = 600
LAST_WORDS_LINES = 12

_CHILD = "import sys; from engine.llamacpp.trial import try_passes; try_passes(sys.argv[1], sys.argv[2] == 'extra')"
_OF_THE_ENGINE = ("SIGILL", "SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGTRAP")
"""Signals that a broken kernel ends by. Others, such as those for want of memory, say nothing of the engine."""


@dataclass(frozen=True, slots=True)
class Death:
    """How a child process ended: by which signal, and what its engine said last."""

    signal: str
    last_words: str


@dataclass(frozen=True, slots=True)
class Probe:
    """How the weights of a model are loaded on this machine, and why.

    `death` is that of a pass on weights in extra buffers, None where it survived. `is_new` says that this was found
    out just now.
    """

    extra_buffers: bool
    death: Death | None = None
    is_new: bool = False


class Trial(Enum):
    """How a trial ended that no signal of the engine ended: `UNKNOWN` where it did not come to its end."""

    SURVIVED = "survived"
    UNKNOWN = "unknown"


TryPasses = Callable[[Path, bool], Death | Trial]
"""What tries passes of the model in a file, with weights in extra buffers or without."""


def probe_engine(model: Path, folder: Path | None = None, try_passes: TryPasses | None = None) -> Probe:
    """What is known of this engine, processor and quantisation, tried where nothing is.

    It is kept in `folder`, by default in the user's cache, where that can be written to. Raises EngineCrashError where
    passes die on weights of either layout.
    """
    return _read(_place(model, folder)) or probe_anew(model, folder, try_passes)


def probe_anew(model: Path, folder: Path | None = None, try_passes: TryPasses | None = None) -> Probe:
    """`probe_engine`, tried whatever is known. What no trial came to the end of is not kept."""
    found, is_known = _tried(model, try_passes or try_in_child)
    if is_known:
        _write(_place(model, folder), found)
    return found


def try_in_child(model: Path, extra_buffers: bool) -> Death | Trial:
    """How passes of `model` end in a child process.

    Unknown where it ends for another reason than the engine, such as a damaged file, which whoever loads it will name,
    or a want of memory. A program that brings its own interpreter has no Python to start: there nothing is tried.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        return Trial.UNKNOWN
    # Without -P the child would import what lies in the user's folder.
    command = [sys.executable, "-P", "-c", _CHILD, str(model), "extra" if extra_buffers else "plain"]
    # A limit on threads of today would hide what a second thread dies of tomorrow.
    environment = {name: value for name, value in child_environment().items() if name != "OMP_THREAD_LIMIT"}
    try:
        child = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=CHILD_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return Trial.UNKNOWN
    if child.returncode < 0 and (name := signal_text(-child.returncode)).startswith(_OF_THE_ENGINE):
        return Death(name, "\n".join(child.stderr.strip().splitlines()[-LAST_WORDS_LINES:]))
    is_whole = child.returncode == 0 and child.stdout.strip().endswith(Trial.SURVIVED.value)
    return Trial.SURVIVED if is_whole else Trial.UNKNOWN


def tensor_types(model: Path) -> tuple[str, ...]:
    """The types of a GGUF's tensors, sorted; none where ggml cannot read the file."""
    ggml = _reader()
    handle = ggml.gguf_init_from_file(str(model).encode(), _GgufParameters(no_alloc=True, context=None))
    if not handle:
        return ()
    try:
        types = {ggml.gguf_get_tensor_type(handle, i) for i in range(ggml.gguf_get_n_tensors(handle))}
        return tuple(sorted(ggml.ggml_type_name(each).decode() for each in types))
    finally:
        ggml.gguf_free(handle)


def _tried(model: Path, try_passes: TryPasses) -> tuple[Probe, bool]:
    """What trials found, and whether they came to their end."""
    with_extra = try_passes(model, True)
    if not isinstance(with_extra, Death):
        return Probe(extra_buffers=True, is_new=True), with_extra is Trial.SURVIVED
    without = try_passes(model, False)
    if not isinstance(without, Death):
        return Probe(extra_buffers=False, death=with_extra, is_new=True), without is Trial.SURVIVED
    said = f": {with_extra.last_words}" if with_extra.last_words else ""
    raise EngineCrashError(
        f"{model.name}: a pass ends by {with_extra.signal} on this machine, however llama.cpp loads the weights{said}; "
        "compile llama.cpp anew (make clean, then make), and see what schemaweaver doctor says"
    )


def _place(model: Path, folder: Path | None) -> Path:
    return (folder or user_cache() / "probes") / f"{_key(model)}.json"


def _key(model: Path) -> str:
    """The digest of the engine's build, the processor and the types of the model's tensors."""
    libraries = sorted(Path(llama_cpp.__file__).parent.glob("lib/*"))
    facts = {
        "engine": llama_cpp.__version__,
        "libraries": [(file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in libraries],
        "processor": (processor_name(), processor_features()),
        "tensors": tensor_types(model),
    }
    return sha256(json.dumps(facts).encode()).hexdigest()[:32]


def _read(place: Path) -> Probe | None:
    """What a file says; None where there is none, or none that this version wrote whole."""
    try:
        data = json.loads(place.read_text(encoding="utf-8"))
        death = data["death"] and Death(str(data["death"]["signal"]), str(data["death"]["last_words"]))
        return Probe(bool(data["extra_buffers"]), death)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(place: Path, found: Probe) -> None:
    data = asdict(found)
    del data["is_new"]
    unfinished = place.with_suffix(f".{os.getpid()}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(json.dumps(data), encoding="utf-8")
        unfinished.replace(place)
    except OSError:
        # Without a cache it is found out again each time.
        return


class _GgufParameters(ctypes.Structure):
    """`gguf_init_params` of gguf.h."""

    _fields_ = (("no_alloc", ctypes.c_bool), ("context", ctypes.c_void_p))


def _reader() -> Any:
    """ggml's reader of GGUF headers (gguf.h), which the bindings leave out."""
    library = _ggml.libggml
    handle = ctypes.c_void_p
    for name, arguments, result in (
        ("gguf_init_from_file", [ctypes.c_char_p, _GgufParameters], handle),
        ("gguf_get_n_tensors", [handle], ctypes.c_int64),
        ("gguf_get_tensor_type", [handle, ctypes.c_int64], ctypes.c_int),
        ("ggml_type_name", [ctypes.c_int], ctypes.c_char_p),
        ("gguf_free", [handle], None),
    ):
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, result
    return library
