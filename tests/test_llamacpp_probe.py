"""An engine that dies on this machine: what the probe finds, keeps, and what each command then does.

The engine is made to die as it does in earnest: a start-up file has any process that decodes end itself by the signal
that an illegal instruction gives.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from embedded import WEATHER
from tiny_models import KINDS, write_model

from engine.errors import EngineCrashError
from engine.llamacpp import Death, Probe, load_model, probe_engine
from engine.llamacpp.probe import Trial, probe_anew, tensor_types, try_in_child
from studies.models import embedded_model, probe_warning

ILLEGAL = "SIGILL (illegal instruction)"
DYING_ENGINE = """
import os, signal
import llama_cpp

load, decode = llama_cpp.llama_model_load_from_file, llama_cpp.llama_decode
extra = []

def noting_load(path, parameters):
    extra.append(parameters.use_extra_bufts)
    return load(path, parameters)

def dying_decode(context, batch):
    if extra[-1] or os.environ["DIES"] == "always":
        os.kill(os.getpid(), signal.Signals[os.environ.get("DIES_OF", "SIGILL")])
    return decode(context, batch)

llama_cpp.llama_model_load_from_file, llama_cpp.llama_decode = noting_load, dying_decode
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "attention.gguf"
    write_model(KINDS["attention"], path)
    return path


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """From now on, processes that are started die of passes on weights in extra buffers; caches are empty."""
    folder = tmp_path / "startup"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(DYING_ENGINE)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("DIES", "extra")


def schemaweaver(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "studies", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent)


def dies_with_extra(_: Path, extra_buffers: bool) -> Death | Trial:
    return Death(ILLEGAL, "") if extra_buffers else Trial.SURVIVED


def survives(*_: object) -> Trial:
    return Trial.SURVIVED


def test_a_healthy_engine_is_tried_once_and_kept(model, tmp_path):
    tried = []

    def lives(path: Path, extra_buffers: bool) -> Trial:
        tried.append((path, extra_buffers))
        return Trial.SURVIVED

    assert probe_engine(model, tmp_path, lives) == Probe(extra_buffers=True, is_new=True)
    assert probe_engine(model, tmp_path, lives) == Probe(extra_buffers=True)
    assert tried == [(model, True)]
    probe_anew(model, tmp_path, lives)
    assert len(tried) == 2


def test_an_engine_that_dies_is_told_once_and_kept(model, tmp_path):
    found = probe_engine(model, tmp_path, dies_with_extra)
    assert found == Probe(extra_buffers=False, death=Death(ILLEGAL, ""), is_new=True)
    assert probe_engine(model, tmp_path, dies_with_extra) == Probe(False, Death(ILLEGAL, ""))


def test_an_engine_that_dies_either_way_is_an_error_each_time(model, tmp_path):
    for _ in range(2):
        with pytest.raises(EngineCrashError, match=r"a pass ends by SIGABRT.*\n?.*the last word"):
            probe_engine(model, tmp_path, lambda *_: Death("SIGABRT (aborted)", "the last word"))


def test_another_quantisation_is_tried_anew(model, tmp_path):
    tried = []
    for each in (model, embedded_model(), model):
        probe_engine(each, tmp_path, lambda path, _: tried.append(path) or Trial.SURVIVED)
    assert tried == [model, embedded_model()]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"extra_buffers": true}', '{"extra_buffers": true, "death": 3}'])
def test_a_damaged_result_is_found_out_again(model, tmp_path, content):
    probe_engine(model, tmp_path, survives)
    (kept,) = tmp_path.iterdir()
    kept.write_text(content)
    assert probe_engine(model, tmp_path, survives).is_new


def test_a_cache_that_cannot_be_written_to_is_no_error(model, tmp_path):
    (tmp_path / "file").write_text("no folder")
    assert probe_engine(model, tmp_path / "file", survives).is_new


def test_the_types_of_tensors_are_read_without_weights(model, tmp_path):
    assert tensor_types(embedded_model()) == ("f32", "q4_1", "q8_0")
    assert tensor_types(model) == ("f32",)
    (tmp_path / "none.gguf").write_bytes(b"GGUF, but no more than that")
    assert tensor_types(tmp_path / "none.gguf") == ()


def test_passes_of_a_real_model_survive_in_a_child(model):
    assert try_in_child(model, extra_buffers=False) is Trial.SURVIVED


def test_a_child_that_dies_is_told_by_its_signal(model, broken):
    assert try_in_child(model, extra_buffers=True) == Death(ILLEGAL, "")
    assert try_in_child(model, extra_buffers=False) is Trial.SURVIVED


def test_a_child_that_only_fails_is_no_death_and_is_tried_again(tmp_path):
    """What is wrong with the file is said by whoever loads it; it says nothing of the engine."""
    (tmp_path / "none.gguf").write_bytes(b"GGUF, but no more than that")
    assert try_in_child(tmp_path / "none.gguf", extra_buffers=True) is Trial.UNKNOWN
    for _ in range(2):
        assert probe_engine(tmp_path / "none.gguf", tmp_path / "kept") == Probe(extra_buffers=True, is_new=True)


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_a_child_that_the_system_ends_says_nothing_of_the_engine(model, broken, monkeypatch, name):
    monkeypatch.setenv("DIES_OF", name)
    assert try_in_child(model, extra_buffers=True) is Trial.UNKNOWN


def test_a_child_imports_nothing_from_the_users_folder(model, tmp_path, monkeypatch):
    (tmp_path / "llama_cpp").mkdir()
    (tmp_path / "llama_cpp" / "__init__.py").write_text("raise SystemExit('a clone of something else')")
    monkeypatch.chdir(tmp_path)
    assert try_in_child(model, extra_buffers=True) is Trial.SURVIVED


def test_a_model_says_how_its_weights_were_loaded(model, broken):
    probed = load_model(model)
    assert (probed.extra_buffers, probed.probe) == (False, Probe(False, Death(ILLEGAL, ""), is_new=True))
    assert ILLEGAL in probe_warning(probed.probe)
    chosen = load_model(model, extra_buffers=True)
    assert (chosen.extra_buffers, chosen.probe) == (True, None)
    assert load_model(model, vocabulary_only=True).extra_buffers is None
    for each in (probed, chosen):
        each.close()


def test_each_command_that_decodes_works_on_a_machine_that_kills_it(model, broken, tmp_path):
    """`call` warns once; measurements, runs and profiles keep the kind of machine; `doctor` names it."""
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([WEATHER.as_openai()]))
    call = ("call", "--tools", tools, "--model", model, "--format", "qwen", "--max-tokens", 8, "Weather in Tokyo?")
    first, second = schemaweaver(*call), schemaweaver(*call)
    assert {first.returncode, second.returncode} <= {0, 1}
    assert first.stdout == second.stdout != ""
    assert f"a pass in a child process ended by {ILLEGAL}" in first.stderr
    assert second.stderr == ""

    measured = schemaweaver(
        "measure", "--model", model, "--format", "qwen", "--sweeps", 1, "--budget", 1, "--out", tmp_path / "m.json"
    )
    assert measured.returncode == 0, measured.stderr
    assert json.loads((tmp_path / "m.json").read_text())["provenance"]["extra_buffers"] is False
    run = ("--workload", "bfcl:1", "--repeats", 1, "--max-tokens", 16, "--model", model, "--format", "qwen")
    ran = schemaweaver("run", *run, "--schedule", "constrained", "--out", tmp_path / "runs.jsonl")
    assert ran.returncode == 0, ran.stderr
    header = json.loads((tmp_path / "runs.jsonl").read_text().splitlines()[0])
    assert header["provenance"]["extra_buffers"] is False
    shown = schemaweaver("demo", *run, "--out", tmp_path / "demo")
    assert shown.returncode == 0, shown.stderr
    assert json.loads((tmp_path / "demo" / "profile.json").read_text())["provenance"]["extra_buffers"] is False
    replayed = ("simulate", "--records", tmp_path / "demo" / "measured.jsonl", "--model", model)
    under = ("--profile", tmp_path / "demo" / "profile.json", "--out", tmp_path / "again.jsonl")
    again = schemaweaver(*replayed, *under, "--prices", tmp_path / "demo" / "prices.json")
    assert again.returncode == 0, again.stderr

    examined = schemaweaver("doctor", "--model", model)
    assert examined.returncode == 0, examined.stderr
    assert f"note  probe       a pass died of {ILLEGAL} with weights in extra buffers" in examined.stdout


def test_an_engine_that_always_dies_is_named_by_each_command(model, broken, tmp_path, monkeypatch):
    monkeypatch.setenv("DIES", "always")
    done = schemaweaver("measure", "--model", model, "--format", "qwen", "--out", tmp_path / "m.json")
    assert done.returncode == 3
    assert f"a pass ends by {ILLEGAL} on this machine, however llama.cpp loads the weights" in done.stderr
    examined = schemaweaver("doctor", "--model", model)
    assert examined.returncode == 1
    assert f"FAULT engine      attention.gguf: a pass ends by {ILLEGAL}" in examined.stdout


def test_no_command_ends_by_a_bare_signal(model, broken, tmp_path):
    """What the probe did not see: the process of the command itself dies in the middle of a pass."""
    (tmp_path / "cache" / "schemaweaver" / "probes").mkdir(parents=True)
    probe_engine(model, tmp_path / "cache" / "schemaweaver" / "probes", survives)
    done = schemaweaver("measure", "--model", model, "--format", "qwen", "--out", tmp_path / "m.json")
    assert done.returncode == 3
    said = " ".join(done.stderr.split())
    assert f"error: ended by {ILLEGAL} in engine/llamacpp/backend.py, line" in said
    assert "make clean, then make, compiles it anew" in said
