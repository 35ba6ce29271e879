"""A setting of the paper's study with a few runs, whose numbers can be reckoned by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cost_models import AffineCost, CostModel
from cost_models.devices import device_names, read_device
from engine.commands import Phase, Status
from sim.distinct_passes import IntArray
from sim.pass_table import PHASES, PassTable, table_of
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.reading import Reading
from studies.paper.setting import Setting

COST = AffineCost(base_ms=9.0, row_ms=1.0, host_ms=2.0)
"""A pass of n rows takes 11 + n ms with the host's time."""

ONE_REQUIRED, TWO_REQUIRED, THREE_REQUIRED = "simple_python_1", "simple_python_0", "simple_python_3"
"""Calls of BFCL by how many arguments their tools require, and their answers have."""

PROMPT_TOKENS = 100

Passes = Sequence[tuple[Phase, int, int]]
"""Phase, rows and picks of each pass."""


@dataclass(frozen=True)
class Run:
    """The final call comes after `final` passes, None: after all; the tool starts after `tool_start`, None: then."""

    passes: Passes
    call_id: str = TWO_REQUIRED
    tool_start: int | None = None
    final: int | None = None
    status: Status = Status.FINAL
    arguments: int = 2

    @property
    def final_passes(self) -> int:
        return len(self.passes) if self.final is None else self.final

    @property
    def tool_start_passes(self) -> int:
        return self.final_passes if self.tool_start is None else self.tool_start


@dataclass(frozen=True, eq=False)
class TinySetting(Setting):
    """Runs by schedule, the same calls in each, at one cost for every device and model."""

    runs: Mapping[str, Sequence[Run]] = field(default_factory=dict)
    drawn: IntArray = field(default_factory=lambda: np.array([[0]]))
    price: CostModel = COST

    def cost(self, device, model="", bus_mhz=None):
        return self.price

    def passes(self, model, schedule):
        return table(schedule, self.runs[schedule])

    def draws(self, model):
        return self.drawn


def tiny_setting(
    runs: Mapping[str, Sequence[Run]], draws: Sequence[Sequence[int]] = ((0,),), reading: Reading | None = None
) -> TinySetting:
    devices = {name: read_device(name) for name in device_names()}
    return TinySetting(devices, reading or Reading(), runs=runs, drawn=np.array(draws))


def serial(count: int) -> Passes:
    return [(Phase.SERIAL, 1, 1)] * count


def table(schedule: str, runs: Sequence[Run]) -> PassTable:
    passes = [(number, each) for number, run in enumerate(runs) for each in run.passes]
    return table_of(
        {
            "call_ids": [run.call_id for run in runs],
            "schedules": [schedule] * len(runs),
            "statuses": [str(run.status) for run in runs],
            "prompt_tokens": [PROMPT_TOKENS] * len(runs),
            "arguments": [run.arguments for run in runs],
            "prompt_passes": [0] * len(runs),
            "tool_start_passes": [run.tool_start_passes for run in runs],
            "final_passes": [run.final_passes for run in runs],
            "runs": [number for number, _ in passes],
            "phases": [PHASES.index(phase) for _, (phase, _, _) in passes],
            "rows": [rows for _, (_, rows, _) in passes],
            "picks": [picks for _, (_, _, picks) in passes],
            "context_tokens": [PROMPT_TOKENS + rows for _, (_, rows, _) in passes],
        }
    )


def cell(exhibit: Exhibit, row: str, column: str, unit: str | None = None) -> Cell:
    (found,) = [c for c in exhibit.cells if (c.row, c.column) == (row, column) and unit in (None, c.unit)]
    return found


def ours(exhibit: Exhibit, row: str, column: str, unit: str | None = None) -> float:
    estimate = cell(exhibit, row, column, unit).ours
    assert estimate is not None
    return estimate.value
