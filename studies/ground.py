"""Whether a profile, a model and recorded runs belong together, and what is predicted past what was measured."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from cost_models import CostModel, Profile, Provenance, mismatches
from engine.errors import ProfileError
from engine.llamacpp import Model, engine_version
from engine.records import RunRecord


def check_ground(path: Path, profile: Profile, run: Provenance, accept: bool) -> tuple[str, ...]:
    """What makes `profile` (read from `path`) another ground than the run's: warnings if `accept`, else
    ProfileError."""
    found = mismatches(profile.provenance, run)
    if found and not accept:
        raise ProfileError(f"{path}: {' '.join(found)} Use --other-model to go on all the same.")
    return tuple(f"{path}: {sentence}" for sentence in found)


def as_if_here(profile: Profile, model: Model) -> Provenance:
    """The provenance of a simulation of `model` that claims the profile's own machine."""
    return replace(profile.provenance, model_file_name=model.name, model_sha256=model.sha256(), engine=engine_version())


def extrapolation_warning(runs: Iterable[RunRecord], cost: CostModel) -> str:
    """A sentence on the passes that lie outside what the cost model was measured on; "" where there are none."""
    passes = [record.command for run in runs for record in run.passes]
    sizes = np.array([(p.width, p.pick_count, p.context_tokens) for p in passes]).reshape(-1, 3)
    outside = int((~cost.covers(sizes[:, 0], sizes[:, 1], sizes[:, 2])).sum())
    if not outside:
        return ""
    widest, longest = sizes[:, 0].max(), sizes[:, 2].max()
    return (
        f"{outside} of {len(passes)} passes are past what the profile was measured on "
        f"(up to {widest} rows and {longest} tokens of context here); their times are extrapolated."
    )
