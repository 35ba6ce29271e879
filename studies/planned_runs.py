"""Which runs a file is to hold, so that whoever finds it unfinished can go on with the same."""

from dataclasses import dataclass
from hashlib import sha256

from cost_models import MeasuredTable
from cost_models.json_node import JsonNode, json_text
from engine.llamacpp import Model
from studies.measured_runs import RunPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRuns:
    """Each of so many calls by each schedule so often, and what they are run with.

    `prices` and `draft_model` are digests of the profile's costs and of the draft model's file, "" without one.
    """

    calls: int
    schedules: tuple[str, ...]
    repeats: int
    tile_rows: int
    tool_ms: float
    max_call_tokens: int
    draft_tokens: int
    prices: str
    draft_model: str

    @property
    def count(self) -> int:
        """How many runs that makes."""
        return self.calls * len(self.schedules) * self.repeats

    @property
    def of_a_call(self) -> frozenset[tuple[str, int]]:
        """The schedule and the repeat of each run of one call."""
        return frozenset((schedule, repeat) for schedule in self.schedules for repeat in range(self.repeats))

    @classmethod
    def from_json(cls, data: JsonNode) -> "PlannedRuns":
        """The inverse of `dataclasses.asdict`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__)
        return cls(
            calls=at["calls"].whole(),
            schedules=tuple(item.text() for item in at["schedules"].items()),
            repeats=at["repeats"].whole(),
            tile_rows=at["tile_rows"].whole(),
            tool_ms=at["tool_ms"].number(),
            max_call_tokens=at["max_call_tokens"].whole(),
            draft_tokens=at["draft_tokens"].whole(),
            prices=at["prices"].text(),
            draft_model=at["draft_model"].text(),
        )


def planned_runs(plan: RunPlan, calls: int, prices: MeasuredTable | None, draft: Model | None = None) -> PlannedRuns:
    """What `plan` makes of so many calls; `prices` are the plan's, and `draft` is the draft model."""
    return PlannedRuns(
        calls=calls,
        schedules=plan.schedules,
        repeats=plan.repeats,
        tile_rows=plan.tile_rows,
        tool_ms=plan.tool_ms,
        max_call_tokens=plan.max_call_tokens,
        draft_tokens=plan.draft_tokens,
        prices=prices_digest(prices),
        draft_model="" if draft is None else draft.sha256(),
    )


def prices_digest(table: MeasuredTable | None) -> str:
    """The same for equal costs; "" for none."""
    return "" if table is None else sha256(json_text(table.to_json()).encode()).hexdigest()
