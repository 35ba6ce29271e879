"""Passes of schedules that run now: the very ones that decode on a phone, the model writing the accepted answers."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, dataclass, fields, replace

from cost_models import CostModel
from engine.llamacpp import Preparer
from sim.head import Head
from sim.pass_table import PassTable, joined, pass_table
from sim.workload import WorkloadCall
from studies.measured_runs import RunPlan
from studies.pass_runs import COUNTING, PRICED
from studies.simulated_runs import answer_runs
from studies.sweep.made_call import CallShape, made_call
from studies.sweep.point import Point

HEAD_SEEDS = 16
"""Runs of each call with a draft head, over which its luck evens out."""

DEFAULT_SHAPE = CallShape(arguments=3, optional_arguments=0, value_tokens=6, prompt_tokens=400)
"""What a point's call looks like where it does not say."""

CallsOf = Callable[[Point], Sequence[WorkloadCall]]
"""The calls that a point's schedule is run on."""


@dataclass(frozen=True, slots=True)
class RunPasses:
    """Runs each schedule on the calls of a point; conditions of the device change no pass but those of `auto`.

    Calls are cut at `max_call_tokens`; `draft_tokens` are drafted at once by `speculative`, by a head where the point
    says its acceptance. `seed` decides which tokens of a head are right.
    """

    preparer: Preparer
    calls_of: CallsOf
    max_call_tokens: int = 4096
    draft_tokens: int = 4
    seed: int = 0

    def key(self, point: Point, cost: CostModel) -> Hashable:
        """Schedule, batch width, shape and acceptance; the prices where they decide."""
        shape = (point.arguments, point.optional_arguments, point.value_tokens, point.prompt_tokens)
        return (point.schedule, point.batch_rows, shape, _acceptance(point), _prices(point, cost))

    def table(self, point: Point, cost: CostModel) -> PassTable:
        """The runs by the point's schedule."""
        plan = RunPlan(
            (point.schedule,),
            repeats=1,
            tile_rows=point.batch_rows or 1,
            max_call_tokens=self.max_call_tokens,
            prices=_prices(point, cost),
            draft_tokens=self.draft_tokens,
        )
        calls, acceptance = self.calls_of(point), _acceptance(point)
        if acceptance is None:
            return pass_table(answer_runs(self.preparer, calls, plan, COUNTING))
        head = Head(acceptance, self.draft_tokens, pass_ms=1.0)
        seeds = range(self.seed, self.seed + HEAD_SEEDS)
        return joined([pass_table(answer_runs(self.preparer, calls, plan, COUNTING, head, seed)) for seed in seeds])

    def vocabulary(self, point: Point) -> str:
        """The file that the schedules run with."""
        return self.preparer.model.name


def made_calls_of(preparer: Preparer) -> CallsOf:
    """One made call of the point's shape."""

    def calls_of(point: Point) -> Sequence[WorkloadCall]:
        return (made_call(_shape(point), preparer),)

    return calls_of


def with_shape(point: Point) -> Point:
    """`point` with all of its call's shape said."""
    return replace(point, **asdict(_shape(point)))


def _shape(point: Point) -> CallShape:
    said = {each.name: getattr(point, each.name) for each in fields(CallShape)}
    return replace(DEFAULT_SHAPE, **{name: value for name, value in said.items() if value is not None})


def _acceptance(point: Point) -> float | None:
    return point.acceptance if point.schedule == "speculative" else None


def _prices(point: Point, cost: CostModel) -> CostModel | None:
    return cost if point.schedule in PRICED else None
