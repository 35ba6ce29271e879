"""`schemaweaver passes`: what it writes is what a simulation says, and what it refuses."""

import json
from dataclasses import fields, replace

import command_line
import numpy as np
import pytest
from llama_cpp_files import TEMPLATES, VOCABULARIES, needs_templates, needs_vocabularies
from real_models import real_model

import engine.schedules
from cost_models.phones import read_phone
from engine.commands import Phase
from engine.llamacpp import BackendOptions, make_preparer
from sim.head import read_head
from sim.pass_file import read_passes
from sim.pass_prices import price
from sim.pass_table import PHASES
from studies import workload_passes
from studies.asking import with_template
from studies.measured_runs import RunPlan
from studies.pass_key import calls_sha256, pass_key
from studies.pass_runs import FIXED, PRICED
from studies.simulated_runs import answer_runs
from studies.workloads import load_workload

QWEN2 = VOCABULARIES / "ggml-vocab-qwen2.gguf"
TEMPLATE = TEMPLATES / "Qwen-Qwen3-0.6B.jinja"
SCHEDULES = ("constrained", "speculative", "schemaweaver")


def run_main(monkeypatch, *arguments):
    return command_line.run_main(monkeypatch, "passes", *arguments)


@pytest.fixture
def droidcall(tmp_path):
    """A workload of three calls."""
    arguments = {"number": {"type": "str", "required": True}, "times": {"type": "int", "required": False}}
    tool = {"name": "get_dial", "description": "Get a dial.", "arguments": arguments}
    rows = [
        {"query": f"Dial {n}", "answers": [{"name": "get_dial", "arguments": {"number": str(n)}}], "tools": [tool]}
        for n in (5, 112, 30303)
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "api.jsonl").write_text(json.dumps(tool))
    return f"droidcall:{tmp_path / 'rows.jsonl'}"


def kept(folder):
    return "--cache", folder / "cache", "-o", folder / "p.parquet", "-j", 1


@pytest.fixture
def asked(tmp_path, droidcall):
    """Arguments that count the passes of that workload."""
    files = ("--vocabulary", QWEN2, "--template", TEMPLATE, "--format", "qwen")
    return ("-w", droidcall, *files, "-s", ",".join(SCHEDULES), *kept(tmp_path))


@needs_vocabularies
@needs_templates
def test_passes_in_the_file_are_priced_as_the_simulation_does(monkeypatch, tmp_path, droidcall, asked):
    assert run_main(monkeypatch, *asked) == 0
    file = read_passes(tmp_path / "p.parquet")
    phone = read_phone("pixel-7").table
    preparer = make_preparer(with_template(real_model("qwen2"), TEMPLATE), BackendOptions(), "qwen")
    runs = list(answer_runs(preparer, load_workload(droidcall, 0), RunPlan(SCHEDULES, 1, 4), phone))
    assert len(runs) == 3 * len(SCHEDULES)
    for name in SCHEDULES:
        own = [run for run in runs if run.schedule == name]
        table = file.table.of_schedule(name)
        assert table.call_ids.tolist() == [run.call_id for run in own]
        assert table.prompt_tokens.tolist() == [run.prompt_tokens for run in own]
        priced = price(table, phone)
        assert priced.tool_start_ms.tolist() == pytest.approx([run.tool_start_ms for run in own], rel=1e-9)
        assert priced.final_ms.tolist() == pytest.approx([run.final_ms for run in own], rel=1e-9)


@needs_vocabularies
@needs_templates
def test_the_file_says_what_made_it_and_a_second_time_nothing_is_simulated(monkeypatch, tmp_path, droidcall, asked):
    assert run_main(monkeypatch, *asked) == 0
    file = read_passes(tmp_path / "p.parquet")
    monkeypatch.setattr(workload_passes, "counted_passes", None)
    assert run_main(monkeypatch, *asked) == 0
    again = read_passes(tmp_path / "p.parquet")
    assert (again.key, again.command) == (file.key, file.command)
    for field in fields(file.table):
        assert np.array_equal(getattr(again.table, field.name), getattr(file.table, field.name)), field.name
    assert (file.key.vocabulary, file.key.template, file.key.schedules) == (QWEN2.name, TEMPLATE.name, SCHEDULES)
    assert file.key.vocabulary_sha256 == real_model("qwen2").sha256()
    assert f"--vocabulary {QWEN2.name} --template {TEMPLATE.name} --format qwen" in file.command
    assert str(tmp_path) not in file.command.replace(droidcall, "")


@needs_vocabularies
def test_the_key_is_another_for_another_template_plan_or_workload(droidcall):
    plain = real_model("qwen2")
    calls = load_workload(droidcall, 0)
    templated = with_template(plain, TEMPLATE) if TEMPLATE.exists() else plain
    keys = [
        pass_key(droidcall, 0, of, make_preparer(model, BackendOptions(context_tokens=tokens), name), plan).digest()
        for model, of, tokens, name, plan in (
            (plain, calls, 4096, "qwen", RunPlan(SCHEDULES)),
            (plain, calls[1:], 4096, "qwen", RunPlan(SCHEDULES)),
            (plain, calls, 2048, "qwen", RunPlan(SCHEDULES)),
            (plain, calls, 4096, "hermes", RunPlan(SCHEDULES)),
            (plain, calls, 4096, "qwen", RunPlan(SCHEDULES, tile_rows=1)),
            (plain, calls, 4096, "qwen", RunPlan(SCHEDULES, draft_tokens=1)),
            *([(templated, calls, 4096, "qwen", RunPlan(SCHEDULES))] if templated is not plain else []),
        )
    ]
    assert len(set(keys)) == len(keys)


@needs_vocabularies
@needs_templates
def test_a_head_drafts_for_speculative_and_what_it_costs_is_said_at_pricing(monkeypatch, tmp_path, droidcall, asked):
    head = read_head("acceptance=0.9,depth=8,ms=30,row_ms=2")
    assert run_main(monkeypatch, *asked, "--head", "acceptance=0.9,depth=8,ms=1") == 0
    file = read_passes(tmp_path / "p.parquet")
    assert file.command.endswith("--head acceptance=0.9,depth=8,ms=1")
    of_draft = file.table.phases == PHASES.index(Phase.DRAFT)
    assert set(file.table.schedules[file.table.runs[of_draft]].tolist()) == {"speculative"}

    phone = read_phone("pixel-7").table
    preparer = make_preparer(with_template(real_model("qwen2"), TEMPLATE), BackendOptions(), "qwen")
    runs = list(answer_runs(preparer, load_workload(droidcall, 0), RunPlan(("speculative",), 1, 4), phone, head))
    priced = price(file.table.of_schedule("speculative"), phone, head.cost)
    assert priced.final_ms.tolist() == pytest.approx([run.final_ms for run in runs], rel=1e-9)


@needs_vocabularies
def test_the_key_has_the_heads_rate_and_depth_and_not_its_cost(droidcall):
    calls, preparer = load_workload(droidcall, 0), make_preparer(real_model("qwen2"), BackendOptions(), "qwen")
    numbers = ("0.9,depth=8,ms=1", "0.9,depth=8,ms=30,row_ms=2", "0.5,depth=8,ms=1", "0.9,depth=4,ms=1")
    heads = [None, *(read_head(f"acceptance={number}") for number in numbers)]
    keys = [pass_key(droidcall, 0, calls, preparer, RunPlan(SCHEDULES), None, head).digest() for head in heads]
    assert keys[1] == keys[2]
    assert len(set(keys)) == 4


def test_a_head_without_the_schedule_that_it_drafts_for_is_refused(monkeypatch, capsys):
    assert run_main(monkeypatch, "-s", "constrained,verified", "--head", "acceptance=0.9,depth=8,ms=1") == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "--head drafts for speculative alone, which is not among constrained, verified" in said


def test_calls_are_told_apart_by_what_they_ask_offer_and_answer(droidcall):
    calls = load_workload(droidcall, 0)
    turned = [replace(call, tools=tuple(replace(t, read_only=not t.read_only) for t in call.tools)) for call in calls]
    answered = [replace(call, accepted={"number": ["7"]}) for call in calls]
    some = (calls, calls[:2], calls[::-1], turned, answered, load_workload("bfcl:3", 0))
    assert len(set(map(calls_sha256, some))) == len(some)
    assert calls_sha256(load_workload(droidcall, 0)) == calls_sha256(calls)


def test_fixed_schedules_are_all_but_those_that_prices_decide(monkeypatch, capsys):
    assert sorted((*FIXED, *PRICED)) == sorted(engine.schedules.SCHEDULES)
    assert run_main(monkeypatch, "-s", "constrained,auto") == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "auto decides by a device's prices, so its passes are not the same on every device" in said


def test_a_template_that_cannot_be_read_is_named(monkeypatch, capsys, tmp_path):
    assert run_main(monkeypatch, "-w", "bfcl:1", "--template", tmp_path / "none.jinja") == 2
    assert "none.jinja: cannot be read: No such file" in " ".join(capsys.readouterr().err.split())
