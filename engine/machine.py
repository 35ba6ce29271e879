"""This machine as the engine and its caches see it. Needs no llama.cpp."""

import os
import platform
import signal
import tempfile
from pathlib import Path

ENGINE_LOG = "schemaweaver.llamacpp"
"""The logger that gets llama.cpp's warnings and errors; known here to those who must not load llama.cpp."""


def child_environment() -> dict[str, str]:
    """This process's environment, in which a child started with `-P` imports these packages as this one does."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH"))))
    return dict(os.environ) | {"PYTHONPATH": path}


def processor_name() -> str:
    """The processor's name; the machine's architecture where the system does not tell."""
    return _cpuinfo("model name", "Hardware") or platform.processor() or platform.machine()


def processor_features() -> str:
    """The instructions that the processor has, as the system writes them; "" where it does not tell."""
    return _cpuinfo("flags", "Features")


def usable_processors() -> int:
    """How many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def user_cache() -> Path:
    """The folder in which this project keeps what it would else find out again."""
    if named := os.environ.get("XDG_CACHE_HOME"):
        return Path(named).expanduser() / "schemaweaver"
    try:
        return Path.home() / ".cache" / "schemaweaver"
    except RuntimeError:
        # A user without a home, as in some containers.
        return Path(tempfile.gettempdir()) / "schemaweaver"


def signal_text(number: int) -> str:
    """What ended a process, as "SIGILL (illegal instruction)"."""
    try:
        return f"{signal.Signals(number).name} ({(signal.strsignal(number) or 'unknown').lower()})"
    except ValueError:
        return f"signal {number}"


def _cpuinfo(*names: str) -> str:
    """The first line of Linux's /proc/cpuinfo under one of `names`, "" where there is none."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(names)), "")
