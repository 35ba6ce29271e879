"""This machine as the engine and its caches see it. Needs no llama.cpp."""

import os
import platform
import signal
from pathlib import Path


def processor_name() -> str:
    """The processor's name; the machine's architecture where the system does not tell."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Hardware"))]
    return names[0] if names else platform.processor() or platform.machine()


def usable_processors() -> int:
    """How many processors this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def user_cache() -> Path:
    """The folder in which this project keeps what it would else find out again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "schemaweaver"


def signal_text(number: int) -> str:
    """What ended a process, as "SIGILL (illegal instruction)"."""
    try:
        return f"{signal.Signals(number).name} ({(signal.strsignal(number) or 'unknown').lower()})"
    except ValueError:
        return f"signal {number}"
