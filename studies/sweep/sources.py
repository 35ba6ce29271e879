"""Where a sweep's passes come from: a file of kept ones, a workload, or calls made for it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from cost_models import ModelShape
from cost_models.device import Device
from engine.errors import InputError
from engine.llamacpp import Preparer
from studies.asking import Asking, open_preparer
from studies.families import family
from studies.sweep.asked import Values, check_shape, why_run
from studies.sweep.drawn_passes import DrawnPasses
from studies.sweep.kept_passes import default_passes, find_passes, kept_passes
from studies.sweep.paper_passes import paper_passes
from studies.sweep.passes import Passes
from studies.sweep.passes_by_model import PassesByModel, Place
from studies.sweep.prices import BASELINE
from studies.sweep.run_passes import RunPasses, made_calls_of
from studies.workloads import load_workload


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What the command line says of passes: names of kept ones and of a workload, None where it does not.

    `as_paper`: those of the study of the paper. `calls` are drawn from kept passes by `seed`; `asking` is how schedules
    that run are asked, `draft_tokens` what speculation drafts at once.
    """

    passes: str | None
    as_paper: bool
    workload: str | None
    calls: int
    seed: int
    asking: Asking
    draft_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Passes, and in words what they are of; `is_made` where calls take the shape that a point says."""

    passes: Passes
    words: str
    is_made: bool = False
    tile_rows: int | None = None


def models_at(devices: Mapping[str, Device], models: Mapping[str, ModelShape]) -> Mapping[Place, str]:
    """The name of the model at each device under each of `models`, under the device's own where there are none."""
    if models:
        return {(device, name): shape.name for device in devices for name, shape in models.items()}
    return {(name, None): device.model.name for name, device in devices.items()}


@contextmanager
def opened(sources: Sources, values: Values, models: Mapping[Place, str]) -> Iterator[Source]:
    """The passes for `values`; a vocabulary that they need is closed at the end.

    `models` names the model at each place of the sweep; kept passes are those of its family where none are named.

    Raises InputError where kept ones were named and will not do, or the calls of a workload were to change.
    """
    why = why_run(values)
    check_shape(values, sources.workload)
    if sources.as_paper:
        yield _as_paper(sources, values, models, why)
        return
    if sources.passes and (why or sources.workload):
        other = why or f"--workload {sources.workload}"
        raise InputError(f"--passes {sources.passes}: with {other} schedules have to run; leave one of them out")
    if not (why or sources.workload):
        yield _kept(sources, values, models)
        return
    preparer = open_preparer(sources.asking)
    try:
        yield _run(sources, preparer)
    finally:
        preparer.model.close()


def _run(sources: Sources, preparer: Preparer) -> Source:
    workload = sources.workload
    calls = load_workload(workload, sources.seed) if workload else ()
    calls_of = (lambda _: calls) if workload else made_calls_of(preparer)
    passes = RunPasses(preparer, calls_of, draft_tokens=sources.draft_tokens, seed=sources.seed)
    words = f"{workload or 'made calls'}, run now with the vocabulary of {preparer.model.name}"
    return Source(passes=passes, words=words, is_made=not workload)


def calls_of_model(
    model: str, passes: str | None, as_paper: bool, schedules: Sequence[str], calls: int, seed: int
) -> Source:
    """Drawn calls in one model's tokens, out of the kept passes called `passes`, None: those of its family.

    `as_paper`: as the study of the paper has them. Raises InputError for both.
    """
    if as_paper:
        _refuse_others({"--passes": passes})
        drawn, words = paper_passes(family(model), schedules, calls, seed), _paper_words(calls, seed)
    else:
        name = passes or default_passes(model)
        drawn, words = kept_passes(find_passes(name), schedules, calls, seed), f"{calls} calls of {name}, seed {seed}"
    return Source(passes=drawn, words=words, tile_rows=drawn.tile_rows)


def _as_paper(sources: Sources, values: Values, models: Mapping[Place, str], why: str | None) -> Source:
    _refuse_others({"--passes": sources.passes, "--workload": sources.workload, "": why})
    names = {place: family(model) for place, model in models.items()}
    schedules = _schedules(values)
    drawn = {name: paper_passes(name, schedules, sources.calls, sources.seed) for name in dict.fromkeys(names.values())}
    return _by_model(names, drawn, _paper_words(sources.calls, sources.seed))


def _kept(sources: Sources, values: Values, models: Mapping[Place, str]) -> Source:
    names = {place: sources.passes or default_passes(model) for place, model in models.items()}
    files = {name: find_passes(name) for name in dict.fromkeys(names.values())}
    schedules = _schedules(values)
    drawn = {name: kept_passes(file, schedules, sources.calls, sources.seed) for name, file in files.items()}
    of = " and ".join(f"{name} ({file.key.workload}, {file.key.vocabulary})" for name, file in files.items())
    return _by_model(names, drawn, f"{sources.calls} calls of {of}, seed {sources.seed}")


def _by_model(names: Mapping[Place, str], drawn: Mapping[str, DrawnPasses], words: str) -> Source:
    tile_rows = next(iter(drawn.values())).tile_rows
    return Source(passes=PassesByModel(names=names, kept=drawn), words=words, tile_rows=tile_rows)


def _schedules(values: Values) -> Sequence[str]:
    return (BASELINE, *map(str, values["schedule"]))


def _refuse_others(options: Mapping[str, str | None]) -> None:
    for option, value in options.items():
        if value:
            other = f"{option} {value}".strip()
            raise InputError(f"--as-paper: with {other} passes are other ones; leave one of them out")


def _paper_words(calls: int, seed: int) -> str:
    return f"{calls} calls of BFCL as the study of the paper draws and lays them out, seed {seed}"
