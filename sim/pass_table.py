"""The passes of many runs as arrays, without any time: what a device that nobody simulated yet can be priced by."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from cost_models.protocol import BoolArray
from engine.commands import Phase, Status
from engine.errors import InputError
from engine.records import RunRecord
from sim.distinct_passes import DistinctPasses, IntArray, distinct_passes

TextArray = npt.NDArray[np.str_]

PHASES = tuple(Phase)
"""The phases in the order that `PassTable.phases` counts them by."""

RUN_ARRAYS = (
    *("call_ids", "schedules", "statuses", "prompt_tokens", "arguments"),
    *("prompt_passes", "tool_start_passes", "final_passes"),
)
PASS_ARRAYS = ("runs", "phases", "rows", "picks", "context_tokens")
_TEXTS = ("call_ids", "schedules", "statuses")


@dataclass(frozen=True, eq=False)
class PassTable:
    """Runs of schedules whose passes follow from the call alone, and from no price.

    Of each run, shape (runs,): its call and schedule; the status that the call ended with; tokens of the prompt;
    arguments of the call, 0 where it was cut. `prompt_passes`, `tool_start_passes` and `final_passes` count the run's
    passes up to the prompt's end, to the emission whose run of the tool is kept, and to the last emission, as
    `RunRecord.tool_start_ms` and `RunRecord.final_ms` say which these are.

    Of each pass, shape (passes,), run by run in the order of their running: the number of its run, the number of its
    phase in `PHASES`, and what a cost model is asked by. Host time goes by before each of them.

    The arrays cannot be written to. Raises InputError, starting with the array's name, on anything that is no such
    table, such as a run without passes.
    """

    call_ids: TextArray
    schedules: TextArray
    statuses: TextArray
    prompt_tokens: IntArray
    arguments: IntArray
    prompt_passes: IntArray
    tool_start_passes: IntArray
    final_passes: IntArray
    runs: IntArray
    phases: IntArray
    rows: IntArray
    picks: IntArray
    context_tokens: IntArray

    def __post_init__(self) -> None:
        for names in (RUN_ARRAYS, PASS_ARRAYS):
            _check_shapes(self, names)
        for field in fields(self):
            getattr(self, field.name).flags.writeable = False
        _check_passes(self)
        _check_emissions(self)

    @property
    def run_count(self) -> int:
        return len(self.call_ids)

    @cached_property
    def pass_counts(self) -> IntArray:
        """Passes of each run, shape (runs,)."""
        return np.bincount(self.runs, minlength=self.run_count)

    @cached_property
    def first_passes(self) -> IntArray:
        """Where each run's passes begin, shape (runs,)."""
        return np.cumsum(self.pass_counts) - self.pass_counts

    @cached_property
    def before_final(self) -> BoolArray:
        """Whether the last emission waited for a pass, shape (passes,)."""
        return np.arange(len(self.runs)) < (self.first_passes + self.final_passes)[self.runs]

    def waited_for(self, passes: IntArray) -> BoolArray:
        """Whether a pass is one behind the prompt among its run's first `passes`, shape (runs,): shape (passes,)."""
        places = np.arange(len(self.runs)) - self.first_passes[self.runs]
        return (places >= self.prompt_passes[self.runs]) & (places < passes[self.runs])

    @cached_property
    def distinct(self) -> DistinctPasses:
        """The passes that differ in what they cost: many times fewer than all."""
        is_draft = self.phases == PHASES.index(Phase.DRAFT)
        return distinct_passes(is_draft, self.rows, self.picks, self.context_tokens)

    def chosen(self, is_chosen: BoolArray) -> "PassTable":
        """The runs for which `is_chosen`, shape (runs,), is true, in their order."""
        places = np.cumsum(is_chosen) - 1
        kept = is_chosen[self.runs]
        arrays = {name: getattr(self, name)[is_chosen] for name in RUN_ARRAYS}
        arrays |= {name: getattr(self, name)[kept] for name in PASS_ARRAYS}
        return PassTable(**(arrays | {"runs": places[self.runs[kept]]}))

    def of_schedule(self, schedule: str) -> "PassTable":
        """The runs by one schedule; raises InputError that lists those there are."""
        if schedule not in self.schedules:
            there = ", ".join(dict.fromkeys(self.schedules.tolist()))
            raise InputError(f"no run by schedule {schedule!r}; there are: {there or 'none'}")
        return self.chosen(self.schedules == schedule)


def pass_table(runs: Iterable[RunRecord]) -> PassTable:
    """The passes and emissions of simulated or measured runs, without their times."""
    of_runs: list[tuple[Any, ...]] = []
    of_passes: list[tuple[int, ...]] = []
    for number, run in enumerate(runs):
        of_runs.append(_run_row(run))
        of_passes += _pass_rows(number, run)
    return table_of(_columns(RUN_ARRAYS, of_runs) | _columns(PASS_ARRAYS, of_passes))


def joined(tables: Sequence[PassTable]) -> PassTable:
    """All runs of `tables`, in their order."""
    firsts = np.cumsum([0, *(table.run_count for table in tables)])
    columns: dict[str, Any] = {
        name: np.concatenate([np.asarray([], _dtype(name)), *(getattr(table, name) for table in tables)])
        for name in (*RUN_ARRAYS, *PASS_ARRAYS)
    }
    numbered = [table.runs + first for table, first in zip(tables, firsts, strict=False)]
    return table_of(columns | {"runs": np.concatenate([np.asarray([], np.int64), *numbered])})


def table_of(columns: Mapping[str, Any]) -> PassTable:
    """A table of sequences or arrays by name, as arrays of the right kind."""
    return PassTable(**{name: np.array(values, _dtype(name)) for name, values in columns.items()})


def _dtype(name: str) -> type:
    return np.str_ if name in _TEXTS else np.int64


def _columns(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, Sequence[Any]]:
    return dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))


def _run_row(run: RunRecord) -> tuple[Any, ...]:
    last = run.emits[-1]
    standing = run.emits[0] if last.status is Status.CONFIRMED else last
    return (
        run.call_id,
        run.schedule,
        str(last.status),
        run.prompt_tokens,
        len(run.call.arguments or ()),
        _passes_until(run, run.prompt_end_ms),
        _passes_until(run, standing.at_ms),
        _passes_until(run, last.at_ms),
    )


def _passes_until(run: RunRecord, at_ms: float) -> int:
    return sum(record.end_ms <= at_ms for record in run.passes)


def _pass_rows(number: int, run: RunRecord) -> list[tuple[int, ...]]:
    commands = [record.command for record in run.passes]
    return [(number, PHASES.index(c.phase), c.width, c.pick_count, c.context_tokens) for c in commands]


def _check_shapes(table: PassTable, names: Sequence[str]) -> None:
    expected = getattr(table, names[0]).shape
    for name in names:
        found = getattr(table, name).shape
        if len(found) != 1 or found != expected:
            raise InputError(f"{name}: found shape {found}, expected {expected[:1]} as of {names[0]}")


def _check_passes(table: PassTable) -> None:
    """Every run has passes, in one piece; a pass has a phase, rows, no more picks than rows, and a context."""
    numbers = np.unique(table.runs)
    if not np.array_equal(numbers, np.arange(table.run_count)) or (np.diff(table.runs) < 0).any():
        raise InputError("runs: expected the passes of every run, run by run")
    _check_range("phases", table.phases, 0, len(PHASES) - 1)
    _check_range("rows", table.rows, 1)
    _check_range("picks", table.picks, 0, table.rows)
    _check_range("context_tokens", table.context_tokens, 1)


def _check_emissions(table: PassTable) -> None:
    """The tool starts between the prompt's end and the last emission, which waits for passes that there are."""
    _check_range("prompt_tokens", table.prompt_tokens, 0)
    _check_range("arguments", table.arguments, 0)
    _check_range("prompt_passes", table.prompt_passes, 0)
    _check_range("tool_start_passes", table.tool_start_passes, table.prompt_passes)
    _check_range("final_passes", table.final_passes, table.tool_start_passes, table.pass_counts)


def _check_range(name: str, values: IntArray, least: int | IntArray, most: int | IntArray | None = None) -> None:
    fits = values >= least if most is None else (values >= least) & (values <= most)
    if fits.all():
        return
    where = int(np.argmin(fits))
    lowest = int(np.broadcast_to(least, values.shape)[where])
    highest = "" if most is None else f" to {int(np.broadcast_to(most, values.shape)[where])}"
    expected = f"{lowest}{highest}" if most is not None else f"{lowest} or more"
    raise InputError(f"{name}[{where}]: found {values[where]}, expected {expected}")
