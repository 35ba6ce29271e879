"""The stages of a study with their progress, for the commands and for the demo."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from cost_models import CostModel
from engine.llamacpp import Decoder, Preparer
from engine.records import RunRecord
from engine.widths import Prices
from sim.workload import WorkloadCall
from studies.console import progress_bar
from studies.measured_runs import RunPlan, run_workload
from studies.resumed_runs import appended, runs_to_resume, start_runs
from studies.runs_file import RunsHeader
from studies.simulated_runs import replay_runs
from studies.workloads import calls_by_id


def run_stage(decoder: Decoder, calls: Sequence[WorkloadCall], plan: RunPlan, first_repeat: int = 0) -> list[RunRecord]:
    """All runs of a workload on llama.cpp."""
    total = len(calls) * len(plan.schedules) * plan.repeats
    return _shown(run_workload(decoder, calls, plan, first_repeat), total)


def record_stage(
    decoder: Decoder, calls: Sequence[WorkloadCall], plan: RunPlan, path: Path, header: RunsHeader, resume: bool
) -> list[RunRecord]:
    """`run_stage`, each run in the file at `path` as soon as it is done; with `resume`, calls that it has are kept.

    Raises InputError as `runs_to_resume` and `start_runs` do.
    """
    if not resume:
        start_runs(path, header)
    kept = runs_to_resume(path, header) if resume else ()
    done = {run.call_id for run in kept}
    rest = [call for call in calls if call.call_id not in done]
    total = len(rest) * len(plan.schedules) * plan.repeats
    return [*kept, *_shown(appended(path, run_workload(decoder, rest, plan)), total)]


def _shown(runs: Iterable[RunRecord], total: int) -> list[RunRecord]:
    """`runs`, with progress on stderr while they come."""
    done: list[RunRecord] = []
    with progress_bar() as bar:
        task = bar.add_task("running", total=total)
        for record in runs:
            done.append(record)
            bar.update(task, advance=1, description=f"{record.call_id} {record.schedule}")
    return done


def replay_stage(
    preparer: Preparer,
    calls: Sequence[WorkloadCall],
    measured: Sequence[RunRecord],
    cost: CostModel,
    draft_cost: CostModel | None = None,
    prices: Prices | None = None,
) -> list[RunRecord]:
    """A simulated run for each measured call and schedule; `prices` as `replay_runs` takes them."""
    return list(replay_runs(preparer, calls_by_id(calls), measured, cost, draft_cost, prices))
