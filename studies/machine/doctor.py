"""What of this machine and this installation works, what does not, and what to do about it.

Nothing of llama.cpp is imported here: an engine that dies must not take the doctor with it. What the engine says comes
from `engine_report`, a process of its own.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from huggingface_hub.constants import HF_HUB_CACHE
from packaging.requirements import Requirement

from engine.machine import child_environment, processor_name, signal_text, usable_processors, user_cache
from studies.machine.build_flags import AmxBuild, try_amx

PACKAGE = "schemaweaver"
ENGINE_SECONDS = 900
BUSY_SHARE = 0.3
"""Load per processor from which on other programs disturb what is measured."""
UNSTEADY = 1.3
"""P90 over P10 of equal passes above which times say little; a quiet machine has 1.05 to 1.2."""


class State(StrEnum):
    """How a finding is to be taken: works, works with a loss, does not work."""

    OK = "ok"
    NOTE = "note"
    FAULT = "FAULT"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, what is there, and what to do about it."""

    subject: str
    found: str
    state: State = State.OK
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.state:<5} {self.subject:<11} {self.found}" + (f". {self.advice}" if self.advice else "")


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What the engine's process said before it ended, and how it ended: 0, an exit code, or minus a signal."""

    said: Mapping[str, Any]
    exit_code: int
    last_line: str


def examine(model: str | None) -> Iterator[Finding]:
    """All findings, in the order in which a newcomer would ask; `model` is what `--model` takes."""
    yield python_finding()
    yield from package_findings()
    yield processor_finding()
    yield memory_finding(*memory_bytes())
    yield load_finding(usable_processors())
    report = ask_engine(model)
    yield from engine_findings(report, try_amx())
    yield from cache_findings()
    yield data_finding()


def python_finding() -> Finding:
    return Finding("python", f"{platform.python_version()} in {sys.prefix}")


def processor_finding() -> Finding:
    cores = physical_cores()
    said = f", {cores} physical cores" if cores else ""
    found = f"{processor_name()}, {usable_processors()} of {os.cpu_count()} processors for this process{said}"
    return Finding("processor", found)


def package_findings() -> Iterator[Finding]:
    """What the package needs and what its extras bring, as its own metadata says."""
    try:
        wanted = [Requirement(text) for text in requires(PACKAGE) or ()]
    except PackageNotFoundError:
        yield Finding("packages", f"{PACKAGE} is not installed", State.FAULT, "make installs it")
        return
    needed = [each for each in wanted if each.marker is None]
    laptop = [each for each in wanted if each.marker and each.marker.evaluate({"extra": "laptop"})]
    laptop = [each for each in laptop if each not in needed]
    yield _packages_finding("packages", needed, State.FAULT, "make installs them")
    lacking = "Only call, inspect, measure and doctor work without: pip install --editable '.[laptop]'"
    yield _packages_finding("laptop", laptop, State.NOTE, lacking)


def memory_finding(total: int | None, available: int | None) -> Finding:
    if total is None or available is None:
        return Finding("memory", "the system does not say")
    found = f"{_gigabytes(available)} of {_gigabytes(total)} available"
    if available > total / 10:
        return Finding("memory", found)
    return Finding("memory", found, State.NOTE, "Close other programs before a model is loaded")


def model_finding(said: Mapping[str, Any], available: int | None) -> Finding:
    """The model, held against the memory that is available: weights and their copies in extra buffers have to fit."""
    found = f"{said['model']}, {_gigabytes(said['model_bytes'])}"
    if available is None or said["model_bytes"] < available:
        return Finding("model", found)
    return Finding("model", f"{found}, more than the memory available", State.NOTE, "Take a smaller one")


def load_finding(processors: int) -> Finding:
    """Whether other programs keep the processors busy right now."""
    try:
        load = os.getloadavg()[0]
    except OSError:
        return Finding("load", "the system does not say")
    found = f"{load:.2f} in the last minute, on {processors} processors"
    if load < BUSY_SHARE * processors:
        return Finding("load", found)
    return Finding("load", found, State.NOTE, "The machine is busy: what is measured now says little")


def engine_findings(report: EngineReport, compiler: AmxBuild) -> Iterator[Finding]:
    """The engine, the probe, the model, and how steady its passes are; what is missing is where the process ended."""
    said = report.said
    uses_amx = "AMX_INT8 = 1" in said.get("build", "")
    if "engine" in said:
        yield Finding("engine", f"{said['engine']}, {said['threads']} threads to a pass; {said['build']}")
    if uses_amx and compiler is AmxBuild.BREAKS:
        rebuild = "make clean and then make compile it without them"
        yield Finding("compiler", "breaks llama.cpp's AMX kernels, which this engine has", State.NOTE, rebuild)
    else:
        yield Finding("compiler", compiler.value)
    if "model" in said:
        yield model_finding(said, memory_bytes()[1])
    if "extra_buffers" in said:
        yield _probe_finding(said)
    if "pass_ms" in said:
        yield steadiness_finding(said["pass_ms"])
    if report.exit_code:
        yield _end_finding(report)


def steadiness_finding(pass_ms: Sequence[float]) -> Finding:
    """How far equal passes are apart."""
    tenths = quantiles(pass_ms, n=10)
    ratio = tenths[-1] / tenths[0]
    found = f"{len(pass_ms)} equal passes took {median(pass_ms):.1f} ms in the median, P90 {ratio:.2f} times P10"
    if ratio <= UNSTEADY:
        return Finding("steadiness", found)
    return Finding("steadiness", found, State.NOTE, "Measure when nothing else runs; compare ratios of one run only")


def cache_findings() -> Iterator[Finding]:
    """Where caches are, and what they hold."""
    root = user_cache()
    kept = (("probes", "results of probes"), ("passes", "counted passes"), ("engines", "files of compiled engines"))
    for name, what in kept:
        yield _cache_finding(root / name, what)
    yield _cache_finding(Path(HF_HUB_CACHE), "files of models from Hugging Face")
    existing = next(folder for folder in (root, *root.parents) if folder.exists())
    if not os.access(existing, os.W_OK):
        name_another = "Name another folder with XDG_CACHE_HOME"
        yield Finding("cache", f"{existing} cannot be written to", State.NOTE, name_another)


def data_finding() -> Finding:
    """Whether BFCL's calls, which most workloads are drawn from, are here."""
    if find_spec("bfcl_eval"):
        return Finding("bfcl", f"BFCL-v4 of bfcl-eval {version('bfcl-eval')}")
    install = "Workloads bfcl:N need it: pip install --no-deps bfcl-eval==2026.3.23"
    return Finding("bfcl", "not installed", State.NOTE, install)


def ask_engine(model: str | None) -> EngineReport:
    """What `engine_report` says; a process that hangs is ended after `ENGINE_SECONDS`."""
    # Without -P it would import what lies in the user's folder.
    command = [sys.executable, "-P", "-m", "studies.machine.engine_report", *([model] if model else [])]
    try:
        done = subprocess.run(
            command, env=child_environment(), capture_output=True, timeout=ENGINE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as late:
        return EngineReport(_said(late.stdout or b""), 1, f"it did not answer within {ENGINE_SECONDS} s")
    last_line = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    return EngineReport(_said(done.stdout), done.returncode, last_line)


def _said(output: bytes) -> dict[str, Any]:
    """The parts of a report, whatever else was printed beside them."""
    lines = [line for line in output.decode(errors="replace").splitlines() if line.startswith("{")]
    return {key: value for line in lines for key, value in json.loads(line).items()}


def memory_bytes() -> tuple[int | None, int | None]:
    """All memory and what is available of it, None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None, None
    sizes = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    return sizes.get("MemTotal"), sizes.get("MemAvailable")


def physical_cores() -> int | None:
    """How many cores there are, threads of one core counted once; None where the system does not say."""
    try:
        blocks = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")
    except OSError:
        return None
    cores = {
        tuple(line for line in block.splitlines() if line.startswith(("physical id", "core id"))) for block in blocks
    }
    return len(cores - {()}) or None


def _cache_finding(folder: Path, what: str) -> Finding:
    files = [each for each in folder.rglob("*") if each.is_file()]
    size = sum(each.stat().st_size for each in files)
    return Finding("cache", f"{folder}: {len(files)} {what}, {size / 1e6:.1f} MB")


def _packages_finding(subject: str, wanted: Sequence[Requirement], lacking: State, advice: str) -> Finding:
    installed = {each.name: _version(each.name) for each in wanted}
    missing = [each.name for each in wanted if installed[each.name] is None]
    other = [
        f"{each.name}{each.specifier} is wanted and {found} is there"
        for each in wanted
        if (found := installed[each.name]) and not each.specifier.contains(found, prereleases=True)
    ]
    if missing or other:
        problems = [f"lacks {', '.join(missing)}"] if missing else []
        return Finding(subject, "; ".join(problems + other), lacking, advice)
    return Finding(subject, ", ".join(f"{name} {found}" for name, found in installed.items()))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _probe_finding(said: Mapping[str, Any]) -> Finding:
    if said["extra_buffers"]:
        return Finding("probe", "passes work, with weights in llama.cpp's extra buffers")
    found = f"a pass died of {said['death']} with weights in extra buffers, so they are loaded as they lie in the file"
    rebuild = "Works, slower for some kinds of weights: make clean and then make compile another engine"
    return Finding("probe", found, State.NOTE, rebuild)


def _end_finding(report: EngineReport) -> Finding:
    """What stopped the engine's process."""
    if report.exit_code < 0:
        found = f"its process died of {signal_text(-report.exit_code)}"
        return Finding("engine", found, State.FAULT, "Compile it anew for this machine: make clean, then make")
    if "No module named 'llama_cpp'" in report.last_line:
        install = "Nothing can be decoded or measured without it; make compiles it as this machine needs it"
        return Finding("engine", "llama-cpp-python is not installed", State.FAULT, install)
    found = str(report.said.get("error", report.last_line))
    return Finding("model" if "engine" in report.said and "model" not in report.said else "engine", found, State.FAULT)


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.2f} GB"
