"""Whether a profile, a model and recorded runs belong together, and what is predicted past what was measured."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from cost_models import CostModel, Profile, Provenance, mismatches
from engine.commands import Phase
from engine.errors import ProfileError
from engine.llamacpp import Model, engine_version
from engine.records import RunRecord
from studies.profiles import FoundProfile


def check_ground(found: FoundProfile, run: Provenance, accept: bool) -> tuple[str, ...]:
    """What makes the profile another ground than the run's: warnings if `accept`, else ProfileError.

    A phone that is asked for by name is a what-if: one warning that says whose times these are.
    """
    if found.is_phone:
        return (what_if(found.profile, run.model_file_name),)
    differences = mismatches(found.profile.provenance, run)
    if differences and not accept:
        raise ProfileError(f"{found.name}: {' '.join(differences)} Use --other-model to go on all the same.")
    return tuple(f"{found.name}: {sentence}" for sentence in differences)


def what_if(profile: Profile, model_file_name: str) -> str:
    """A sentence on times that belong to another model and machine than the passes do."""
    source = profile.provenance
    return (
        f"a what-if: the passes are those of {model_file_name}; their times are those of {source.model_file_name} on a "
        f"{profile.name} ({source.cpu}), derived from {source.source}, and were not measured by this software"
    )


def as_if_here(profile: Profile, model: Model) -> Provenance:
    """The provenance of a simulation of `model` that claims the profile's own machine."""
    return replace(profile.provenance, model_file_name=model.name, model_sha256=model.sha256(), engine=engine_version())


def extrapolation_warning(runs: Iterable[RunRecord], cost: CostModel) -> str:
    """A sentence on the passes that lie outside what the cost model was measured on; "" where there are none."""
    passes = [record.command for run in runs for record in run.passes if record.command.phase is not Phase.DRAFT]
    sizes = np.array([(p.width, p.pick_count, p.context_tokens) for p in passes]).reshape(-1, 3)
    outside = int((~cost.covers(sizes[:, 0], sizes[:, 1], sizes[:, 2])).sum())
    if not outside:
        return ""
    widest, longest = sizes[:, 0].max(), sizes[:, 2].max()
    return (
        f"{outside} of {len(passes)} passes are past what the profile was measured on "
        f"(up to {widest} rows and {longest} tokens of context here); their times are extrapolated."
    )
