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
from studies.workloads import READ_ONLY


@dataclass(frozen=True, slots=True)
class PhoneSpeed:
    """What a phone's profile says of each schedule, where the model writes the accepted answers.

    `name` is the phone's, with +read-only behind it where every tool was taken for read-only.

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
    """Each phone's speed over `calls`; `auto` decides by the phone's own costs, and passes fill the phone's tiles.

    Each phone comes a second time, with every tool taken for read-only, and not without where all are.
    """
    offered = {READ_ONLY: tuple(call.with_tools_read_only() for call in calls)}
    if not all(tool.read_only for call in calls for tool in call.tools):
        offered = {"": tuple(calls), **offered}
    return tuple(
        _phone_speed(phone, kind, of_kind, preparer, tuple(schedules), most_tokens, draft_tokens)
        for phone in phone_names()
        for kind, of_kind in offered.items()
    )


def _phone_speed(
    phone: str,
    kind: str,
    calls: Sequence[WorkloadCall],
    preparer: Preparer,
    schedules: tuple[str, ...],
    most_tokens: int,
    draft_tokens: int,
) -> PhoneSpeed:
    profile, name = read_phone(phone), phone + kind
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
