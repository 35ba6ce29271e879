"""Whether recorded runs are good for a bench here."""

from collections import defaultdict
from pathlib import Path

from cost_models import Profile, Provenance, mismatches
from engine.errors import InputError, ProfileError
from engine.llamacpp import Model
from engine.records import MEASURED
from studies.planned_runs import prices_digest
from studies.profiles import FoundProfile
from studies.resumed_runs import missing_runs
from studies.runs_file import RunsFile


def check_profile(found: FoundProfile, here: Provenance) -> Profile:
    """The profile, if it is of this model and machine; else ProfileError: a bench tells of its own machine."""
    if differences := mismatches(found.profile.provenance, here):
        raise ProfileError(f"{found.name}: {' '.join(differences)} Leave --profile out, and this machine is measured.")
    return found.profile


def check_records(path: Path, file: RunsFile, model: Model, here: Provenance, profile: Profile | None) -> None:
    """Raise InputError unless the runs are all there, measured, of `model`, and of this machine and engine.

    Runs that decided by prices need the profile that they had them from, so that they can be replayed.
    """
    if missing := missing_runs(path):
        raise InputError(f"{path}: lacks {missing} of its planned runs; go on with schemaweaver run ... --resume")
    if any(run.source != MEASURED for run in file.runs) or not file.runs:
        raise InputError(f"{path}: expected runs that schemaweaver run wrote")
    recorded = file.header.provenance
    if recorded.model_sha256 != model.sha256():
        raise InputError(f"{path}: its runs are of {recorded.model_file_name}, and --model names another file")
    _check_shared_call(path, file)
    _check_machine(path, recorded, here)
    _check_prices(path, file, profile)


def _check_shared_call(path: Path, file: RunsFile) -> None:
    schedules_of: dict[str, set[str]] = defaultdict(set)
    for run in file.runs:
        schedules_of[run.call_id].add(run.schedule)
    if {run.schedule for run in file.runs} not in schedules_of.values():
        raise InputError(f"{path}: no call has runs of all its schedules")


def _check_machine(path: Path, recorded: Provenance, here: Provenance) -> None:
    for name in ("cpu", "engine", "extra_buffers"):
        before, now = getattr(recorded, name), getattr(here, name)
        if before != now:
            raise InputError(f"{path}: its runs are from another machine: {name} {before} there, {now} here")


def _check_prices(path: Path, file: RunsFile, profile: Profile | None) -> None:
    planned = file.header.planned
    if planned is not None and planned.draft_model:
        raise InputError(f"{path}: its runs had a draft model, which a bench has no prices for")
    priced = any(run.settings.get("priced") for run in file.runs)
    if profile is not None and not priced:
        raise InputError(f"{path}: its runs decided by no profile; leave --profile out")
    if priced and profile is None:
        raise InputError(f"{path}: its runs decided by a profile: name it with --profile")
    if priced and planned is not None and planned.prices != prices_digest(profile.table if profile else None):
        raise InputError(f"{path}: its runs decided by other prices than those of --profile")
