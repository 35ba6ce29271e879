"""llama.cpp's log, kept silent and at hand for error messages."""

import ctypes
import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import llama_cpp

from engine.machine import ENGINE_LOG

LOGGER = logging.getLogger(ENGINE_LOG)
"""Gets each warning and error as well, for whoever listens: what outlives the process can be read from there."""

LOGGER.addHandler(logging.NullHandler())
LOGGER.propagate = False

_LINES: deque[str] = deque(maxlen=50)
_WARN, _ERROR = 3, 4
"""GGML_LOG_LEVEL_WARN and GGML_LOG_LEVEL_ERROR, which the bindings do not name."""
_NO_REASON = "llama.cpp gave no reason"


@llama_cpp.llama_log_callback  # type: ignore[untyped-decorator]
def _keep(level: int, text: bytes, _: ctypes.c_void_p) -> None:
    if level in (_WARN, _ERROR):
        line = text.decode(errors="replace").strip()
        _LINES.append(line)
        LOGGER.log(logging.ERROR if level == _ERROR else logging.WARNING, line)


# llama.cpp knows one log for the whole process, and would print hundreds of lines to stderr.
llama_cpp.llama_log_set(_keep, ctypes.c_void_p(0))


@contextmanager
def kept_log() -> Iterator[deque[str]]:
    """The warnings and errors that llama.cpp logs inside the block."""
    _LINES.clear()
    yield _LINES


def last_problem(lines: deque[str]) -> str:
    """The most telling of `lines`: the last one that names an error, else the last one."""
    telling = [line for line in lines if "error" in line.lower() or "failed" in line.lower()]
    return (telling or list(lines) or [_NO_REASON])[0]


def first_problem(lines: deque[str]) -> str:
    """The first of `lines`, where the later ones only say what it led to."""
    return next(iter(lines), _NO_REASON)
