"""`schemaweaver doctor` and what `make` asks before it compiles: each finding, with what to do about it."""

import json
import stat
import subprocess
import sys

import pytest
from command_line import run_main
from hypothesis import given
from hypothesis import strategies as st
from packaging.requirements import Requirement

from studies.machine import build_flags, doctor
from studies.machine.build_flags import WITHOUT_AMX, AmxBuild, try_amx
from studies.machine.doctor import EngineReport, Finding, State, engine_findings, memory_finding, steadiness_finding

HEALTHY = {
    "engine": "llama-cpp-python 0.3.36",
    "build": "CPU : AVX2 = 1 | AMX_INT8 = 1",
    "threads": 2,
    "model": "m.gguf",
    "model_bytes": 98_000_000,
    "extra_buffers": True,
    "death": None,
    "pass_ms": [10.0] * 50,
}
DIED = {**HEALTHY, "extra_buffers": False, "death": "SIGILL (illegal instruction)"}


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def compiler_of(tmp_path, program):
    """A compiler whose programs do what the shell lines `program` say."""
    made = script(tmp_path / "made", program)
    return script(tmp_path / "compiler", f'while [ "$1" != -o ]; do shift; done; cp {made} "$2"')


@pytest.mark.parametrize(
    ("program", "found"),
    [("exit 0", AmxBuild.WORKS), ("exit 1", AmxBuild.WORKS), ("kill -ILL $$", AmxBuild.BREAKS)],
)
def test_a_compiler_is_judged_by_what_its_program_does(tmp_path, program, found):
    assert try_amx(compiler_of(tmp_path, program)) is found


def test_a_compiler_that_cannot_compile_the_program_is_left_alone(tmp_path):
    assert try_amx(script(tmp_path / "compiler", "exit 1")) is AmxBuild.WORKS
    assert try_amx(str(tmp_path / "none")) is AmxBuild.WORKS


def test_no_compiler_is_unknown(monkeypatch, tmp_path):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert try_amx() is AmxBuild.UNKNOWN


@pytest.mark.parametrize(("program", "flags"), [("exit 0", ""), ("kill -ILL $$", " ".join(WITHOUT_AMX))])
def test_make_is_told_the_flags_and_the_user_why(monkeypatch, tmp_path, program, flags):
    monkeypatch.setenv("CXX", compiler_of(tmp_path, program))
    done = subprocess.run([sys.executable, "-m", build_flags.__name__], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == flags
    assert bool(done.stderr) == bool(flags)


@pytest.mark.parametrize(
    ("said", "compiler", "subject", "state", "words"),
    [
        (HEALTHY, AmxBuild.WORKS, "engine", State.OK, "2 threads to a pass; CPU : AVX2 = 1"),
        (HEALTHY, AmxBuild.BREAKS, "compiler", State.NOTE, "make clean and then make compile it without them"),
        (HEALTHY | {"build": "CPU : AVX2 = 1"}, AmxBuild.BREAKS, "compiler", State.OK, "built without them"),
        (HEALTHY, AmxBuild.WORKS, "model", State.OK, "m.gguf, 0.10 GB"),
        (HEALTHY, AmxBuild.WORKS, "probe", State.OK, "passes work"),
        (DIED, AmxBuild.WORKS, "probe", State.NOTE, "a pass died of SIGILL (illegal instruction)"),
        (HEALTHY, AmxBuild.WORKS, "steadiness", State.OK, "50 equal passes took 10.0 ms"),
    ],
)
def test_what_the_engine_says_becomes_a_line_each(said, compiler, subject, state, words):
    findings = list(engine_findings(EngineReport(said, 0, ""), compiler))
    (line,) = [each for each in findings if each.subject == subject]
    assert line.state is state
    assert words in str(line)


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (EngineReport({}, -4, ""), "its process died of SIGILL (illegal instruction). Compile it anew"),
        (EngineReport({}, 1, "ModuleNotFoundError: No module named 'llama_cpp'"), "make compiles it as this machine"),
        (
            EngineReport({"engine": "e", "build": "", "threads": 1, "error": "x: no such"}, 1, ""),
            "model       x: no such",
        ),
        (EngineReport(HEALTHY | {"error": "a pass ends\nby"}, 1, ""), "FAULT engine      a pass ends\nby"),
        (EngineReport({}, 1, "it did not answer within 900 s"), "it did not answer"),
    ],
)
def test_an_engine_that_ended_is_a_fault_with_what_to_do(report, words):
    faults = [each for each in engine_findings(report, AmxBuild.WORKS) if each.state is State.FAULT]
    assert len(faults) == 1
    assert words in str(faults[0])


def test_packages_are_held_against_what_the_project_asks_for(monkeypatch):
    monkeypatch.setattr(
        doctor, "requires", lambda _: ["numpy>=1", "nowhere-to-be-found>=2", 'typer>=999; extra == "laptop"']
    )
    packages, laptop = doctor.package_findings()
    assert (packages.state, "lacks nowhere-to-be-found" in packages.found) == (State.FAULT, True)
    assert (laptop.state, "typer>=999 is wanted" in laptop.found) == (State.NOTE, True)
    assert "pip install --editable '.[laptop]'" in laptop.advice


def test_each_package_of_the_project_is_looked_at():
    """Those of the extra for developers are not: users have no need of them."""
    wanted = [Requirement(text) for text in doctor.requires(doctor.PACKAGE)]
    needed = {each.name for each in wanted if each.marker is None or each.marker.evaluate({"extra": "laptop"})}
    assert needed == {name for each in doctor.package_findings() for name in needed if f"{name} " in each.found}


@given(st.floats(0.01, 1e4), st.floats(1.0, 50.0))
def test_passes_are_steady_or_not_whatever_they_take(middle_ms, ratio):
    times = [middle_ms] * 40 + [middle_ms * ratio] * 40
    assert (steadiness_finding(times).state is State.OK) == (ratio <= doctor.UNSTEADY)


@pytest.mark.parametrize(
    ("sizes", "state"),
    [((16e9, 8e9), State.OK), ((16e9, 1e9), State.NOTE), ((None, None), State.OK)],
)
def test_memory_that_runs_out_is_noted(sizes, state):
    assert memory_finding(*sizes).state is state


def test_the_memory_of_this_machine_is_read_where_the_system_tells():
    total, available = doctor.memory_bytes()
    assert (total is None) == (available is None) == (not sys.platform.startswith("linux"))
    assert total is None or 0 < available <= total


def test_the_command_prints_a_line_each_and_fails_where_something_does_not_work(monkeypatch, capsys, tmp_path):
    missing = tmp_path / "none.gguf"
    assert run_main(monkeypatch, "doctor", "--model", missing, "--json") == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"subject", "found", "state", "advice"} == set(lines[0])
    (fault,) = [line for line in lines if line["state"] == "FAULT"]
    assert (fault["subject"], fault["found"]) == ("model", f"{missing}: no such file; expected a GGUF model")


def test_a_healthy_machine_is_no_fault(monkeypatch, capsys):
    monkeypatch.setattr("studies.commands.doctor.examine", lambda _: iter([Finding("python", "3.11")]))
    assert run_main(monkeypatch, "doctor") == 0
    assert capsys.readouterr().out == "ok    python      3.11\n"
