"""The calls of BFCL that a study prices: two answers to each, where one may have an optional argument more."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from cost_models.protocol import BoolArray
from engine.commands import Status
from sim.distinct_passes import IntArray
from sim.draws import even_draws
from sim.pass_data import read_pass_data
from sim.pass_table import PassTable, joined
from studies.paper.layout import laid_out
from studies.paper.reading import Reading

THREE = 3
"""Arguments of the calls that section 7.4 tells apart by how often the model adds an optional one."""


@dataclass(frozen=True, slots=True)
class Workload:
    """BFCL's calls in the tokens and format of one family of models, under a reading.

    Calls are numbered: first each with its shortest accepted answer, then those again that may have one more optional
    argument, with it.
    """

    family: str
    reading: Reading

    def passes(self, schedule: str) -> PassTable:
        """The passes of every numbered call by one schedule, in the reading's layout."""
        return _passes(self, schedule)

    def draws(self) -> IntArray:
        """Numbers of calls, shape (draws, calls), with an optional argument in the reading's shares of them."""
        return _draws(self)


@dataclass(frozen=True, eq=False)
class Answers:
    """Of each call with its shortest answer, shape (calls,): its arguments, whether one of them is optional, and the
    number of the same call with one more, -1 where there is none."""

    arguments: IntArray
    has_optional: BoolArray
    longer: IntArray

    @cached_property
    def may_add(self) -> BoolArray:
        return ~self.has_optional & (self.longer >= 0)


def with_optional(draw: IntArray, answers: Answers, reading: Reading, rng: np.random.Generator) -> IntArray:
    """The calls of `draw`, of which some get an optional argument: as many as the reading says, as far as they may."""
    groups = np.minimum(answers.arguments[draw], reading.most_arguments or answers.arguments.max())
    chosen = draw.copy()
    for group in np.unique(groups):
        share = reading.three_optional_share if group == THREE else reading.optional_share
        of_group = np.flatnonzero(groups == group)
        missing = round((share or 0.0) * len(of_group)) - int(answers.has_optional[draw[of_group]].sum())
        able = rng.permutation(of_group[answers.may_add[draw[of_group]]])[: max(0, missing)]
        chosen[able] = answers.longer[draw[able]]
    return chosen


@cache
def _draws(workload: Workload) -> IntArray:
    reading, answers = workload.reading, _answers(workload)
    plain = even_draws(answers.arguments, reading.calls, reading.draws, reading.seed, reading.most_arguments)
    rng = np.random.default_rng([reading.seed, 1])
    return np.stack([with_optional(draw, answers, reading, rng) for draw in plain])


@cache
def _has_optional(workload: Workload) -> BoolArray:
    """Of every numbered call, whether it has an optional argument."""
    longer = int((_answers(workload).longer >= 0).sum())
    return np.concatenate([_answers(workload).has_optional, np.ones(longer, dtype=np.bool_)])


@cache
def _answers(workload: Workload) -> Answers:
    short, long = (_counted(workload, answer).of_schedule("schemaweaver") for answer in _ANSWERS)
    places = {call_id: short.run_count + place for place, call_id in enumerate(long.call_ids.tolist())}
    return Answers(
        arguments=short.arguments,
        # Corrected: optional arguments came behind the provisional call.
        has_optional=short.statuses == str(Status.CORRECTED),
        longer=np.array([places.get(call_id, -1) for call_id in short.call_ids.tolist()]),
    )


_ANSWERS = ("", "-optional")
"""In names of pass data: the shortest answers, and those with an optional argument more."""


def pass_data_of(family: str, reading: Reading) -> Sequence[str]:
    """The names of the passes that a workload is made of."""
    read_only = "-read-only" if reading.all_read_only else ""
    return tuple(f"bfcl{answer}{read_only}-{family}" for answer in _ANSWERS)


def _counted(workload: Workload, answer: str) -> PassTable:
    """Those that tell which answers have optional arguments: of tools that are read-only."""
    return _whole(f"bfcl{answer}-read-only-{workload.family}")


@cache
def _passes(workload: Workload, schedule: str) -> PassTable:
    tables = [_whole(name).of_schedule(schedule) for name in pass_data_of(workload.family, workload.reading)]
    return laid_out(joined(tables), workload.reading.layout, _has_optional(workload))


@cache
def _whole(name: str) -> PassTable:
    return read_pass_data(name).table
