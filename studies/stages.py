"""The stages of a study with their progress, for the commands and for the demo."""

from collections.abc import Sequence

from cost_models import CostModel
from engine.llamacpp import Decoder, Preparer
from engine.records import RunRecord
from sim.workload import WorkloadCall
from studies.console import progress_bar
from studies.measured_runs import RunPlan, run_workload
from studies.simulated_runs import replay_runs
from studies.workloads import calls_by_id


def run_stage(decoder: Decoder, calls: Sequence[WorkloadCall], plan: RunPlan, first_repeat: int = 0) -> list[RunRecord]:
    """All runs of a workload on llama.cpp."""
    runs: list[RunRecord] = []
    with progress_bar() as bar:
        task = bar.add_task("running", total=len(calls) * len(plan.schedules) * plan.repeats)
        for record in run_workload(decoder, calls, plan, first_repeat):
            runs.append(record)
            bar.update(task, advance=1, description=f"{record.call_id} {record.schedule}")
    return runs


def replay_stage(
    preparer: Preparer,
    calls: Sequence[WorkloadCall],
    measured: Sequence[RunRecord],
    cost: CostModel,
    draft_cost: CostModel | None = None,
) -> list[RunRecord]:
    """A simulated run for each measured call and schedule."""
    return list(replay_runs(preparer, calls_by_id(calls), measured, cost, draft_cost))
