"""A bench from recorded runs: what it refuses, and that its files say the same as its tables."""

import json
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cached_property, partial
from io import StringIO
from pathlib import Path

import pytest
from command_line import run_main
from llama_cpp_files import VOCABULARIES, needs_vocabularies
from real_models import real_model

from cost_models import write_profile
from cost_models.phones import phone_names, read_phone
from engine.errors import ProfileError
from engine.llamacpp import BackendOptions, make_preparer
from engine.records import MEASURED
from engine.schedules import SCHEDULES
from studies import pricing_bench, sweep_bench
from studies.bench_records import check_profile
from studies.measured_runs import RunPlan
from studies.planned_runs import planned_runs
from studies.profiles import FoundProfile, find_profile
from studies.provenance import provenance_of
from studies.runs_file import RunsHeader, write_runs
from studies.simulated_runs import answer_runs
from studies.workloads import READ_ONLY, load_workload

pytestmark = needs_vocabularies
WORKLOAD = "bfcl:6"
MODEL = VOCABULARIES / "ggml-vocab-qwen2.gguf"
PHONE = read_phone("pixel-7")
PRICINGS, POINTS = 5000, 6
"""Fewer than the command takes."""


@pytest.fixture(scope="module")
def recorded():
    """A header and runs by every schedule that pass for measured ones."""
    model = real_model("qwen2")
    plan = RunPlan(tuple(SCHEDULES), 1, PHONE.table.tile_rows, 0.0, 256, PHONE.table)
    calls = load_workload(WORKLOAD, 0)
    runs = [
        replace(run, source=MEASURED)
        for run in answer_runs(make_preparer(model, None, "qwen"), calls, plan, PHONE.table)
    ]
    provenance = provenance_of(model, BackendOptions())
    return RunsHeader(WORKLOAD, 0, "qwen", provenance, planned_runs(plan, len(calls), PHONE.table)), runs


def run_bench(folder, header, runs, *arguments, profile=PHONE):
    """The exit code of the command on these runs, with fewer pricings and points."""
    write_runs(folder / "runs.jsonl", header, runs)
    chosen = ["--records", folder / "runs.jsonl", "--model", MODEL, "--no-memory", "--out", folder]
    chosen += ["--counting", "none", *arguments]
    if profile:
        write_profile(profile, folder / "profile.json")
        chosen += ["--profile", folder / "profile.json"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pricing_bench, "PRICINGS", PRICINGS)
        patch.setattr(sweep_bench, "POINTS", POINTS)
        return run_main(patch, "bench", *chosen)


@pytest.fixture
def bench(tmp_path):
    return partial(run_bench, tmp_path)


@dataclass(frozen=True)
class Bench:
    """What a bench of the recorded runs wrote into a folder and said."""

    folder: Path
    said: str

    @cached_property
    def data(self):
        return json.loads((self.folder / "bench.json").read_text())


@pytest.fixture(scope="module")
def made(recorded, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    with redirect_stdout(StringIO()) as said:
        assert run_bench(folder, *recorded) == 0
    return Bench(folder, said.getvalue())


def test_a_bench_writes_every_schedule_as_data_and_as_tables(made, recorded):
    header, _ = recorded
    said, data = made.said, made.data
    page = (made.folder / "bench.md").read_text()
    assert {each["schedule"] for each in data["this_machine"]["schedules"]} == set(SCHEDULES)
    assert {each["schedule"] for each in data["own_costs"]} == set(SCHEDULES)
    assert [each["schedules"] for each in data["pricings"]] == [[name] for name in pricing_bench.SCHEDULES]
    assert all(each["pricings"] >= PRICINGS for each in data["pricings"])
    assert [(each["schedules"], each["points"]) for each in data["sweeps"]] == [
        (["jump_forward", "schemaweaver"], POINTS),
        (["schemaweaver"], POINTS),
    ]
    assert data["counting"] is None
    assert data["phones"].keys() == {name + kind for name in phone_names() for kind in ("", READ_ONLY)}
    assert data["provenance"]["model_file_name"] == MODEL.name
    assert (data["workload"], data["planned"]["max_call_tokens"]) == (WORKLOAD, 256)
    assert data["command"].startswith(
        f"schemaweaver bench --model {MODEL.name} --records runs.jsonl --profile profile.json"
    )
    for text in (data["command"], header.provenance.cpu, MODEL.name, WORKLOAD):
        assert text in page
    for name in SCHEDULES:
        expected = 2 * (1 + 2 * len(phone_names())) + 1 + [*pricing_bench.SCHEDULES, "schemaweaver"].count(name)
        assert page.count(f"| {name} |") == expected
        assert name in said
    assert str(made.folder) not in page
    assert str(made.folder) not in json.dumps(data)


def test_the_phones_price_the_same_calls(made):
    own, phone = made.data["this_machine"], made.data["phones"]["pixel-7"]
    # These runs were priced as that phone, so both have to say the same.
    assert own["call_ids"] == phone["call_ids"]
    for here, there in zip(own["schedules"], phone["schedules"], strict=True):
        assert here["latency_ms"] == pytest.approx(there["latency_ms"])
        assert here["times_faster"] == there["times_faster"]


def test_a_phone_that_takes_every_tool_for_read_only_starts_no_tool_later(made):
    phones = made.data["phones"]
    for told, early in ((phones[name], phones[name + READ_ONLY]) for name in phone_names()):
        starts = [
            {each["schedule"]: each["latency_ms"]["tool start"] for each in of["schedules"]} for of in (told, early)
        ]
        assert all(starts[1][name] <= starts[0][name] for name in set(SCHEDULES) - {"auto"})
        assert starts[1]["verified"] < starts[0]["verified"]
        assert all(starts[1][name] == starts[0][name] for name in ("constrained", "jump_forward", "speculative"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda h, r: (replace(h, planned=None), [r[0], r[-1]]), "no call has runs of all its schedules"),
        (lambda h, r: (h, r[:-1]), "lacks 1 of its planned runs"),
        (
            lambda h, r: (h, [replace(run, source="simulated") for run in r]),
            "expected runs that schemaweaver run wrote",
        ),
        (
            lambda h, r: (replace(h, provenance=replace(h.provenance, model_sha256="00")), r),
            "--model names another file",
        ),
        (
            lambda h, r: (replace(h, provenance=replace(h.provenance, cpu="Z80")), r),
            "from another machine: cpu Z80 there",
        ),
        (lambda h, r: (replace(h, planned=replace(h.planned, draft_model="ab")), r), "had a draft model"),
        (lambda h, r: (replace(h, planned=replace(h.planned, prices="ab")), r), "other prices than those of --profile"),
    ],
)
def test_records_that_are_no_good_for_a_bench_here_are_refused(bench, recorded, capsys, change, said):
    assert bench(*change(*recorded)) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_runs_that_decided_by_a_profile_need_it(bench, recorded, capsys):
    assert bench(*recorded, profile=None) == 2
    assert "decided by a profile: name it with --profile" in " ".join(capsys.readouterr().err.split())


def test_recorded_runs_are_not_gone_on_with(bench, recorded, capsys):
    assert bench(*recorded, "--resume") == 2
    assert "--resume: recorded runs are taken as they are" in " ".join(capsys.readouterr().err.split())


def test_only_a_profile_of_this_model_and_machine_is_taken():
    here = replace(PHONE.provenance, model_sha256="ab", source="")
    own = replace(PHONE, provenance=here)
    assert check_profile(FoundProfile("own.json", own, is_phone=False), here) == own
    with pytest.raises(ProfileError, match="Leave --profile out"):
        check_profile(find_profile("pixel-7"), here)
