"""Runs the command line in a child process, so that what no program can catch still ends in a message.

llama.cpp runs in the same process as Python. Where it meets an instruction that the processor lacks, a failed assertion
or a want of memory, the process is gone without a word. The parent has nothing of llama.cpp in it: it waits, passes
signals on, and says what the child died of and what the engine said last.
"""

import ctypes
import faulthandler
import logging
import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from rich.markup import escape

from engine.machine import ENGINE_LOG, signal_text
from studies.console import ERR

EXIT_CRASHED = 3
LAST_WORDS = 5

_FOR_THE_CHILD = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGINT")
_ASKED_FOR = (*_FOR_THE_CHILD, "SIGPIPE")
"""Deaths that somebody wanted: no fault, and shells know how to read 128 and the signal's number."""

_PR_SET_PDEATHSIG = 1
_FRAME = re.compile(r'  File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>\S+)')
_ROOT = Path(__file__).parents[1]
_PACKAGES = ("studies", "sim", "calibration", "engine", "cost_models")

_ADVICE = {
    "SIGILL": (
        "The engine was compiled for another processor, or its compiler broke it. schemaweaver doctor says which; "
        "make clean, then make, compiles it anew."
    ),
    "SIGKILL": (
        "Most likely for want of memory: try a smaller model, a shorter --context, or fewer "
        "programs beside it; schemaweaver doctor says how much memory there is."
    ),
}
_OTHER_ADVICE = "A fault of llama.cpp or of ours: schemaweaver doctor says which engine this is."


def supervised(work: Callable[[], None]) -> int:
    """The exit code of `work`, which runs in a child process on Linux, and in this one elsewhere.

    A child that dies is named on stderr and gives `EXIT_CRASHED`. Whatever `work` raises leaves the child.
    """
    if sys.platform != "linux":
        faulthandler.enable()
        work()
        return 0
    with os.fdopen(os.memfd_create("last words"), "w+b") as record:
        # A parent may have left it ignored, and then nobody would be told that the child has ended.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _awaited())
        parent = os.getpid()
        if child := os.fork():
            return _exit_code(_wait(child), record)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        _die_with(parent)
        _keep_last_words(record)
        work()
        return 0


def death_message(number: int, record: str) -> str:
    """What to say of a child that signal `number` ended, by what it recorded: the engine's log, then its frames."""
    said, _, frames = record.partition("Fatal Python error")
    name = signal_text(number)
    where = next(filter(None, map(_own_frame, frames.splitlines())), "")
    last = said.strip().splitlines()[-LAST_WORDS:]
    sentences = [
        f"ended by {name}{where}.",
        *([f"llama.cpp said last: {' / '.join(last)}"] if last else []),
        _ADVICE.get(name.partition(" ")[0], _OTHER_ADVICE),
    ]
    return "\n  ".join(sentences)


def _awaited() -> set[signal.Signals]:
    """What the waiting process has to hear of."""
    return {signal.SIGCHLD, *(signal.Signals[name] for name in _FOR_THE_CHILD)}


def _wait(child: int) -> int:
    """The status that `child` ends with; signals that another process sent are passed on to it.

    What the terminal sends, as Ctrl-C does, the child gets by itself. Who signals the whole process group reaches it
    twice.
    """
    while True:
        caught = signal.sigwaitinfo(_awaited())
        if caught.si_signo != signal.SIGCHLD:
            if caught.si_code <= 0:
                with suppress(ProcessLookupError):
                    os.kill(child, caught.si_signo)
            continue
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status


def _exit_code(status: int, record: IO[bytes]) -> int:
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    number = os.WTERMSIG(status)
    if signal.Signals(number).name in _ASKED_FOR:
        return 128 + number
    record.seek(0)
    ERR.show_cursor(True)
    message = death_message(number, record.read().decode(errors="replace"))
    ERR.print(f"[bold red]error:[/] {escape(message)}", soft_wrap=True)
    return EXIT_CRASHED


def _keep_last_words(record: IO[bytes]) -> None:
    """Have the engine's warnings, and Python's frames at a deadly signal, written where they outlive this process."""
    faulthandler.enable(record)
    handler = logging.StreamHandler(os.fdopen(record.fileno(), "w", closefd=False, errors="replace"))
    logging.getLogger(ENGINE_LOG).addHandler(handler)


def _die_with(parent: int) -> None:
    """Have this process end when its parent is killed: nobody would wait for it."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)


def _own_frame(line: str) -> str:
    """A frame of this project, as words; "" for any other line."""
    frame = _FRAME.match(line)
    if frame is None or not Path(frame["file"]).is_relative_to(_ROOT):
        return ""
    if Path(frame["file"]).relative_to(_ROOT).parts[0] not in _PACKAGES:
        return ""
    return f" in {Path(frame['file']).relative_to(_ROOT)}, line {frame['line']} ({frame['function']})"
