"""`schemaweaver bench`: how fast every schedule is here and on phones, and what the project itself costs."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from cost_models import AffineCost, Profile, write_profile, write_whole
from cost_models.json_node import json_text
from engine.errors import InputError
from engine.llamacpp import BackendOptions, Decoder, load_model, make_preparer, open_decoder, probe_engine
from engine.schedules import SCHEDULES
from studies.bench_records import check_profile, check_records
from studies.bench_report import Bench, bench_introduction, bench_json, bench_sections
from studies.console import OUT, print_text_table, say, step
from studies.constraint_bench import bench_constraints
from studies.counting_bench import CountingBench, bench_counting, embedded_passes
from studies.fitting import fit_measurement
from studies.interrupting import said_how_to_go_on
from studies.markdown import markdown
from studies.measured_runs import RunPlan
from studies.measuring import measure_machine
from studies.models import find_model, open_model
from studies.options import (
    FormatOption,
    MaxTokensOption,
    ModelOption,
    ResumeOption,
    SeedOption,
    WorkloadOption,
    gguf_files,
)
from studies.own_costs import own_costs
from studies.peak_memory import peak_memory_bytes
from studies.phone_speed import phone_speeds
from studies.planned_runs import planned_runs
from studies.pricing_bench import bench_shipped
from studies.profiles import find_profile
from studies.provenance import provenance_of
from studies.resumed_runs import check_no_unfinished
from studies.runs_file import RunsHeader, read_runs
from studies.speed import speed_of
from studies.stages import record_stage
from studies.sweep_bench import bench_sweeps
from studies.workloads import load_workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver bench --workload bfcl:4 --repeats 1

  schemaweaver bench --records out/measured.jsonl --profile out/profile.json

  schemaweaver bench --vocabularies .venv/llama.cpp/vocabularies
"""

BUDGET_S = 45.0
"""How long passes are measured for prices."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which runs a bench makes where none are recorded."""

    workload: str
    seed: int
    repeats: int
    max_tokens: int
    call_format: str | None

    def __str__(self) -> str:
        """The arguments of the command line that ask for them."""
        named = f" --format {self.call_format}" if self.call_format else ""
        return (
            f"--workload {self.workload} --seed {self.seed} --repeats {self.repeats} --max-tokens {self.max_tokens}"
            f"{named}"
        )


@app.command(epilog=EPILOG)
def bench(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder for bench.json, bench.md and the records (bench.jsonl).")
    ] = Path("out"),
    workload: WorkloadOption = "bfcl:12",
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Runs of each call by each schedule.")] = 3,
    model: ModelOption = None,
    call_format: FormatOption = None,
    max_tokens: MaxTokensOption = 256,
    seed: SeedOption = 0,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            "-p",
            metavar="PATH",
            help="What fit wrote on this machine, for auto to decide by. Default: measured first, in two minutes.",
        ),
    ] = None,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records",
            "-r",
            help="Take the runs that run wrote here, with their workload, seed and limits, in place of new ones.",
        ),
    ] = None,
    resume: ResumeOption = False,
    memory: Annotated[
        bool, typer.Option("--memory/--no-memory", help="Measure peak memory, in a process for each schedule.")
    ] = True,
    counting: Annotated[
        str,
        typer.Option(
            "--counting",
            metavar="WORKLOAD",
            help="Workload whose passes are counted for the time that takes, in the embedded model's tokens; none for "
            "no such thing.",
        ),
    ] = "bfcl:all",
    vocabularies: Annotated[
        Path | None, typer.Option("--vocabularies", help="Folder of GGUF files to measure constraints on.")
    ] = None,
) -> None:
    """Measure every schedule on this machine, price the same calls with the phones, and lay them beside the aims.

    For each schedule: latency to tool start and to the final call, and how many times faster than constrained and
    jump_forward with intervals, passes, host time, right calls; then what the project itself costs: time to simulate a
    call, peak memory, what it takes to count a workload's passes, to price them for many devices and to sweep, and with
    `--vocabularies` what constraints cost.
    """
    if vocabularies:
        gguf_files(vocabularies)
    if records and resume:
        raise InputError("--resume: recorded runs are taken as they are; go on with them by schemaweaver run --resume")
    out.mkdir(parents=True, exist_ok=True)
    path, prices = find_model(model), Path(profile) if profile else None
    asked = Asked(workload, seed, repeats, max_tokens, call_format)
    if records is None:
        prices = _record(out, path, asked, prices, resume)
    found = _bench(records or out / "bench.jsonl", path, prices, memory, vocabularies)
    step("Pricing passes for many devices, and sweeping a thousand points")
    counted = None if counting == "none" else _counting(counting, seed)
    found = replace(found, pricings=bench_shipped(), sweeps=bench_sweeps(), counting=counted)
    made_by = f"--records {records.name}" if records else str(asked)
    _write(out, replace(found, command=_command(made_by, found, prices if records or profile else None, vocabularies)))


def _record(out: Path, model: Path, asked: Asked, profile: Path | None, resume: bool) -> Path:
    """Run all schedules, with the runs in `out`; returns the profile's file, which is measured where none is named."""
    if not resume:
        # The profile that unfinished runs decide by would be lost too.
        check_no_unfinished(out / "bench.jsonl")
    calls = load_workload(asked.workload, asked.seed)
    decoder = open_decoder(open_model(str(model)), BackendOptions(), asked.call_format)
    try:
        provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
        prices = profile or out / "bench-profile.json"
        # Runs that are gone on with have to decide by the prices that they began with.
        is_known = profile is not None or (resume and prices.exists() and (out / "bench.jsonl").exists())
        costs = check_profile(find_profile(str(prices)), provenance) if is_known else _measure(decoder, prices, asked)
        plan = RunPlan(tuple(SCHEDULES), asked.repeats, costs.table.tile_rows, 0.0, asked.max_tokens, costs.table)
        planned = planned_runs(plan, len(calls), costs.table)
        header = RunsHeader(asked.workload, asked.seed, decoder.preparer.call_format.name, provenance, planned)
        step(f"Running {asked.workload}, seed {asked.seed}, by every schedule on {provenance.model_file_name}")
        with said_how_to_go_on(out / "bench.jsonl"):
            record_stage(decoder, calls, plan, out / "bench.jsonl", header, resume)
    finally:
        decoder.close()
    return prices


def _measure(decoder: Decoder, path: Path, asked: Asked) -> Profile:
    step("Measuring what passes cost here")
    provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
    fitted = fit_measurement(measure_machine(decoder, provenance, BUDGET_S, asked.seed), "this machine")
    write_profile(fitted.profile, path)
    return fitted.profile


def _bench(records: Path, model: Path, prices: Path | None, memory: bool, vocabularies: Path | None) -> Bench:
    """All numbers behind the runs in `records`; the model's vocabulary is enough for most."""
    file = read_runs(records)
    header = file.header
    loaded = load_model(model, vocabulary_only=True)
    here = replace(provenance_of(loaded, BackendOptions()), extra_buffers=probe_engine(model).extra_buffers)
    profile = find_profile(str(prices)).profile if prices else None
    check_records(records, file, loaded, here, profile)
    preparer = make_preparer(loaded, BackendOptions(context_tokens=header.provenance.n_ctx), header.call_format)
    calls = load_workload(header.workload, header.seed)
    speed = speed_of(file.runs)
    compared = [call for call in calls if call.call_id in speed.call_ids]
    runs = [run for run in file.runs if run.call_id in speed.call_ids]
    schedules = [each.schedule for each in speed.schedules]
    settings = runs[0].settings
    step("Pricing the same calls with the phones")
    phones = phone_speeds(preparer, compared, schedules, settings["max_call_tokens"], settings.get("draft_tokens", 4))
    step("Measuring what the project itself costs")
    measured = schedules if memory else ()
    peaks = {name: peak_memory_bytes(name, model, header, prices) for name in measured}
    cost = profile.table if profile else AffineCost(base_ms=1.0, row_ms=1.0)
    costs = own_costs(runs, preparer, compared, cost, peaks)
    constraints = tuple(bench_constraints(vocabularies, compared)) if vocabularies else ()
    return Bench("", header, speed, phones, costs, constraints)


def _counting(workload: str, seed: int) -> CountingBench:
    step(f"Counting the passes of {workload}")
    return bench_counting(embedded_passes(workload, seed), BackendOptions().thread_count)


def _command(made_by: str, found: Bench, profile: Path | None, vocabularies: Path | None) -> str:
    """What makes these tables again, given the files that it names."""
    named = f" --profile {profile.name}" if profile else ""
    measured = f" --vocabularies {vocabularies}" if vocabularies else ""
    return f"schemaweaver bench --model {found.header.provenance.model_file_name} {made_by}{named}{measured}"


def _write(out: Path, found: Bench) -> None:
    sections = list(bench_sections(found))
    write_whole(out / "bench.json", json_text(bench_json(found)))
    write_whole(out / "bench.md", markdown("Bench", bench_introduction(found), sections))
    for section in sections:
        for number, table in enumerate(section.tables):
            print_text_table(table, "" if number else section.title)
        OUT.print(f"{section.note}\n", soft_wrap=True, markup=False)
    say(f"written to {out / 'bench.json'} and {out / 'bench.md'}")
