"""The process that watches the command line: what it passes on, and what it says of a death."""

import os
import signal
import subprocess
import sys

import pytest

from studies.supervisor import EXIT_CRASHED, death_message

WATCHED = """
import os, signal, sys, time, logging
from engine.machine import ENGINE_LOG
from studies.supervisor import supervised

def work():
    {work}

sys.exit(supervised(work))
"""

FRAMES = """Fatal Python error: Segmentation fault

Current thread 0x00007f3f8c (most recent call first):
  File "/usr/lib/python3.11/ctypes/__init__.py", line 12 in call
  File "{root}/engine/llamacpp/backend.py", line 76 in run
  File "{root}/studies/cli.py", line 9 in main
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems run commands unwatched")


def watched(work: str) -> subprocess.Popen[str]:
    """A watched process that does `work`, its output at hand."""
    command = [sys.executable, "-c", WATCHED.format(work=work)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def ended(work: str) -> tuple[int, str, str]:
    with watched(work) as process:
        out, err = process.communicate("asked", timeout=60)
    return process.returncode, out, " ".join(err.split())


@pytest.mark.parametrize(
    ("work", "code", "out"),
    [
        ("print('done')", 0, "done\n"),
        ("sys.exit(2)", 2, ""),
        ("sys.exit(130)", 130, ""),
        ("print(sys.stdin.read())", 0, "asked\n"),
    ],
)
def test_work_that_ends_by_itself_ends_as_if_nobody_watched(work, code, out):
    assert ended(work)[:2] == (code, out)


def test_an_error_keeps_its_traceback():
    code, _, err = ended("1 / 0")
    assert (code, err.endswith("ZeroDivisionError: division by zero")) == (1, True)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("SIGILL", "ended by SIGILL (illegal instruction)"),
        ("SIGSEGV", "ended by SIGSEGV (segmentation fault)"),
        ("SIGABRT", "ended by SIGABRT (aborted)"),
        ("SIGBUS", "ended by SIGBUS (bus error)"),
        ("SIGKILL", "want of memory"),
    ],
)
def test_each_death_is_named_with_what_to_try(name, said):
    code, _, err = ended(f"os.kill(os.getpid(), signal.{name})")
    assert code == EXIT_CRASHED
    assert err.startswith("error: ended by ")
    assert said in err
    assert "schemaweaver doctor" in err


def test_what_the_engine_said_last_is_repeated():
    work = "logging.getLogger(ENGINE_LOG).warning('the last [word]'); os.kill(os.getpid(), signal.SIGABRT)"
    assert "llama.cpp said last: the last [word]" in ended(work)[2]


def test_a_death_is_located_in_the_first_frame_of_our_own():
    root = os.path.dirname(os.path.dirname(os.path.abspath(death_message.__code__.co_filename)))
    message = death_message(signal.SIGSEGV, "one\ntwo\n" + FRAMES.format(root=root))
    assert "ended by SIGSEGV (segmentation fault) in engine/llamacpp/backend.py, line 76 (run)" in message
    assert "llama.cpp said last: one / two" in message


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_to_the_watching_process_reaches_the_work(number):
    work = f"signal.signal({int(number)}, lambda *_: sys.exit(7)); print('ready', flush=True); time.sleep(60)"
    with watched(work) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.wait(timeout=60) == 7


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE"])
def test_a_death_that_somebody_wanted_is_no_fault(name):
    work = f"signal.signal(signal.{name}, signal.SIG_DFL); os.kill(os.getpid(), signal.{name})"
    assert ended(work)[::2] == (128 + signal.Signals[name], "")


def test_a_watching_process_that_was_left_deaf_to_its_children_still_hears_of_their_end():
    deaf = (
        "import signal, os, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
    )
    command = [sys.executable, "-c", deaf, sys.executable, "-c", WATCHED.format(work="sys.exit(5)")]
    assert subprocess.run(command, timeout=60, check=False).returncode == 5


def test_a_terminated_command_ends_without_a_word_and_as_shells_expect():
    with watched("print('ready', flush=True); time.sleep(60)") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.terminate()
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (128 + signal.SIGTERM, "")


def test_work_ends_with_a_watching_process_that_is_killed():
    with watched("print('ready', flush=True); time.sleep(60)") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        # The pipe ends when the last process that could write to it has ended.
        assert process.communicate(timeout=30)[0] == ""
