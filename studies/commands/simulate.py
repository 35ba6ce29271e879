"""`schemaweaver simulate`: a workload under a profile's clock."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from cost_models import MeasuredTable, Profile
from engine.errors import InputError
from engine.llamacpp import BackendOptions, load_model, make_preparer
from engine.records import RunRecord
from sim.head import read_head
from studies.comparison import compare
from studies.console import print_text_table, say, step, warn
from studies.ground import as_if_here, check_ground, extrapolation_warning
from studies.measured_runs import RunPlan
from studies.models import find_model
from studies.options import (
    DEFAULT_SCHEDULES,
    DraftTokensOption,
    FormatOption,
    MaxTokensOption,
    ModelOption,
    ProfileOption,
    SchedulesOption,
    SeedOption,
    TileOption,
    ToolTimeOption,
    WorkloadOption,
    out_file,
    schedules_named,
)
from studies.planned_runs import prices_digest
from studies.profiles import find_profile
from studies.runs_file import RunsFile, RunsHeader, read_runs, write_runs
from studies.simulated_runs import answer_runs
from studies.stages import replay_stage
from studies.summary_table import summary_table
from studies.workloads import load_workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples: replay what the model picked; let it write the right answers; ask what a phone would do.

  schemaweaver simulate --records out/measured.jsonl

  schemaweaver simulate --workload bfcl:100 --profile out/profile.json

  schemaweaver simulate --workload bfcl:100 --profile oneplus-12r

  schemaweaver simulate -s speculative --head acceptance=0.7,depth=4,ms=12
"""


@app.command(epilog=EPILOG)
def simulate(
    profile: ProfileOption = "out/profile.json",
    records: Annotated[Path | None, typer.Option("--records", "-r", help="Replay the runs that run wrote.")] = None,
    workload: WorkloadOption = "bfcl:12",
    schedule: SchedulesOption = DEFAULT_SCHEDULES,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the records go (JSON lines).")] = Path(
        "out/simulated.jsonl"
    ),
    model: ModelOption = None,
    call_format: FormatOption = None,
    max_tokens: MaxTokensOption = 512,
    tile: TileOption = None,
    tool_ms: ToolTimeOption = 100.0,
    seed: SeedOption = 0,
    draft_tokens: DraftTokensOption = 4,
    head: Annotated[
        str | None,
        typer.Option(
            "--head",
            metavar="NUMBERS",
            help="A head that drafts for speculative: acceptance=0.7,depth=4,ms=12 (ms per drafted token), and row_ms "
            "for each token that it reads, the prompt's first. Default: the prompt is looked up.",
        ),
    ] = None,
    draft_profile: Annotated[
        str | None,
        typer.Option("--draft-profile", metavar="PATH", help="What passes of the recorded runs' draft model cost."),
    ] = None,
    prices: Annotated[
        str | None,
        typer.Option(
            "--prices",
            metavar="PATH",
            help="The profile that recorded runs of auto decided by. Default: the same as --profile.",
        ),
    ] = None,
    other_model: Annotated[
        bool, typer.Option("--other-model", help="Accept a profile of another model or machine, with a warning.")
    ] = False,
) -> None:
    """Run a workload through schedules under a profile's clock and write records; reads the model's vocabulary only."""
    stated_head = read_head(head) if head else None
    if stated_head and records:
        raise InputError("--head: recorded runs say what was drafted; name a workload instead of --records")
    found = find_profile(profile)
    costs = found.profile
    draft_cost = find_profile(draft_profile).profile.table if draft_profile else None
    recorded = read_runs(records) if records else None
    names = schedules_named(schedule)
    file = load_model(find_model(model), vocabulary_only=True)
    format_name = recorded.header.call_format if recorded and call_format is None else call_format
    preparer = make_preparer(file, BackendOptions(context_tokens=costs.provenance.n_ctx or 4096), format_name)
    ran_on = recorded.header.provenance if recorded else as_if_here(costs, file)
    warn(*check_ground(found, ran_on, other_model))
    step(f"Simulating under the profile of {costs.name}")
    if recorded:
        workload, seed = recorded.header.workload, recorded.header.seed
        kept = [run for run in recorded.runs if schedule == DEFAULT_SCHEDULES or run.schedule in names]
        decided_by = find_profile(prices).profile.table if prices else costs.table
        _check_prices(recorded, kept, decided_by)
        calls = load_workload(workload, seed)
        runs = replay_stage(preparer, calls, kept, costs.table, draft_cost, decided_by)
    else:
        plan = RunPlan(names, 1, tile or costs.table.tile_rows, tool_ms, max_tokens, costs.table, draft_tokens)
        calls = load_workload(workload, seed)
        runs = list(answer_runs(preparer, calls, plan, costs.table, stated_head, seed))
        left_out = sorted({call.call_id for call in calls} - {run.call_id for run in runs})
        warn(
            f"left out, as their accepted answers break their tools' schemas: {', '.join(left_out)}" if left_out else ""
        )
    _finish(out, RunsHeader(workload, seed, preparer.call_format.name, costs.provenance), runs, costs)


def _check_prices(recorded: RunsFile, runs: Sequence[RunRecord], prices: MeasuredTable) -> None:
    """Raise InputError where `runs` are known to have decided by other prices: they would take other passes."""
    planned = recorded.header.planned
    is_priced = any(run.settings.get("priced") for run in runs)
    if is_priced and planned is not None and planned.prices and planned.prices != prices_digest(prices):
        raise InputError("the recorded runs of auto decided by another profile: name it with --prices")


def _finish(out: Path, header: RunsHeader, runs: list[RunRecord], costs: Profile) -> None:
    write_runs(out_file(out), header, runs)
    print_text_table(summary_table(compare(runs)), f"{header.workload}, seed {header.seed}, predicted for {costs.name}")
    warn(extrapolation_warning(runs, costs.table))
    say(f"{len(runs)} runs written to {out}")
