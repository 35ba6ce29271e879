"""The same calls as on this machine, priced with the phones that come with the project."""

from collections.abc import Sequence
from dataclasses import dataclass

from cost_models import Profile
from cost_models.phones import phone_names, read_phone
from engine.llamacpp import Preparer
from sim.workload import WorkloadCall
from studies.console import progress_bar
from studies.ground import extrapolation_warning
from studies.measured_runs import RunPlan
from studies.simulated_runs import answer_runs
from studies.speed import Speed, speed_of


@dataclass(frozen=True, slots=True)
class PhoneSpeed:
    """What a phone's profile says of each schedule, where the model writes the accepted answers.

    `unwritten` are calls whose answers break their tools' schemas. `extrapolated` is a sentence on passes past what the
    profile covers, "" without any.
    """

    name: str
    profile: Profile
    speed: Speed
    unwritten: tuple[str, ...]
    extrapolated: str


def phone_speeds(
    preparer: Preparer, calls: Sequence[WorkloadCall], schedules: Sequence[str], most_tokens: int, draft_tokens: int
) -> tuple[PhoneSpeed, ...]:
    """Each phone's speed over `calls`; `auto` decides by the phone's own costs, and passes fill the phone's tiles."""
    return tuple(
        _phone_speed(name, preparer, calls, tuple(schedules), most_tokens, draft_tokens) for name in phone_names()
    )


def _phone_speed(
    name: str,
    preparer: Preparer,
    calls: Sequence[WorkloadCall],
    schedules: tuple[str, ...],
    most_tokens: int,
    draft_tokens: int,
) -> PhoneSpeed:
    profile = read_phone(name)
    costs = profile.table
    plan = RunPlan(schedules, 1, costs.tile_rows, 0.0, most_tokens, costs, draft_tokens)
    runs = []
    with progress_bar() as bar:
        task = bar.add_task(f"pricing with {name}", total=len(calls) * len(schedules))
        for run in answer_runs(preparer, calls, plan, costs):
            runs.append(run)
            bar.update(task, advance=1)
    written = {run.call_id for run in runs}
    unwritten = tuple(call.call_id for call in calls if call.call_id not in written)
    return PhoneSpeed(name, profile, speed_of(runs), unwritten, extrapolation_warning(runs, costs))
