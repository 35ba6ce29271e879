"""Runs a schedule on a backend against the wall clock, with the tool beside the decode."""

import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from engine.backend import Backend, Readout
from engine.calls import ToolCall
from engine.commands import Command, Draft, Drop, Emit, Fork, MemoryCommand, Pass, Status, Trim
from engine.errors import InputError
from engine.picks import PickRule
from engine.records import EmitRecord, PassRecord, ToolRun

T = TypeVar("T")

ToolFunction = Callable[[ToolCall], object]
"""What runs a call. It is given complete calls only; its result is not looked at."""

RUNS_THE_TOOL = frozenset({Status.PROVISIONAL, Status.FINAL, Status.CORRECTED})
"""The emissions that start the tool; a confirmed call is running already, an incomplete one never runs."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a driver saw: passes, emissions and runs of the tool, in order of time."""

    passes: tuple[PassRecord, ...]
    emits: tuple[EmitRecord, ...]
    tool_runs: tuple[ToolRun, ...] = ()


@dataclass(slots=True)
class RecordingReadout:
    """A readout that notes what was picked from it."""

    readout: Readout
    width: int
    picks: list[tuple[int, int]] = field(default_factory=list)

    def pick(self, row: int, rule: PickRule) -> int:
        row %= self.width
        token = self.readout.pick(row, rule)
        self.picks.append((row, token))
        return token


def run_blocking(
    commands: Generator[Command, Readout, ToolCall],
    backend: Backend,
    tool: ToolFunction | None = None,
    on_emit: Callable[[Emit], None] | None = None,
    clock: Callable[[], float] = time.perf_counter,
    draft: Backend | None = None,
) -> Outcome:
    """Run `commands` to their end; each emission that may run starts `tool` on a thread beside the decode.

    `on_emit` is called with each emission as it happens. `clock` gives seconds. `draft` is the draft model's backend,
    for schedules that ask for one. Returns once the tool's runs have ended, and raises what the tool raised.
    """
    run = _BlockingRun(backend, tool, clock, draft)
    with run.workers:
        readout: Readout | None = None
        while (command := next_command(commands, readout)) is not None:
            readout = run.perform(command)
            if isinstance(command, Emit) and on_emit:
                on_emit(command)
    return run.outcome()


def next_command(commands: Generator[Command, Readout, ToolCall], readout: Readout | None) -> Command | None:
    """What the schedule wants next, given the readout of its last pass (None after other commands); None at its end."""
    try:
        return next(commands) if readout is None else commands.send(readout)
    except StopIteration:
        return None


class _BlockingRun:
    """Performs commands and notes when."""

    def __init__(
        self, backend: Backend, tool: ToolFunction | None, clock: Callable[[], float], draft: Backend | None
    ) -> None:
        self.workers = ThreadPoolExecutor(max_workers=2)
        self._backend = backend
        self._draft = draft
        self._tool = tool
        self._clock = clock
        self._start_s = clock()
        self._passes: list[tuple[Pass, float, float, RecordingReadout]] = []
        self._emits: list[EmitRecord] = []
        self._tool_runs: list[tuple[Status, Future[tuple[float, float]]]] = []

    def perform(self, command: Command) -> Readout | None:
        match command:
            case Emit():
                self._emit(command)
                return None
            case Draft():
                return self._perform_on(that_drafts(self._draft), command.command)
        return self._perform_on(self._backend, command)

    def outcome(self) -> Outcome:
        passes = tuple(PassRecord(p, start, end, tuple(readout.picks)) for p, start, end, readout in self._passes)
        times = [(status, *future.result()) for status, future in self._tool_runs]
        emits = tuple(self._emits)
        return Outcome(passes, emits, tuple(ToolRun(s, start, end, is_kept(s, emits)) for s, start, end in times))

    def _perform_on(self, backend: Backend, command: MemoryCommand) -> Readout | None:
        if isinstance(command, Pass):
            return self._pass(backend, command)
        change_memory(backend, command)
        return None

    def _pass(self, backend: Backend, command: Pass) -> Readout:
        start_ms = self._now_ms()
        readout = RecordingReadout(backend.run(command), command.width)
        self._passes.append((command, start_ms, self._now_ms(), readout))
        return readout

    def _emit(self, command: Emit) -> None:
        self._emits.append(EmitRecord(command.call, command.status, self._now_ms()))
        if self._tool is not None and command.status in RUNS_THE_TOOL:
            self._tool_runs.append((command.status, self.workers.submit(self._run_tool, self._tool, command.call)))

    def _run_tool(self, tool: ToolFunction, call: ToolCall) -> tuple[float, float]:
        start_ms = self._now_ms()
        tool(call)
        return start_ms, self._now_ms()

    def _now_ms(self) -> float:
        return (self._clock() - self._start_s) * 1e3


def change_memory(backend: Backend, command: Fork | Trim | Drop) -> None:
    """Have `backend` do what takes no pass."""
    match command:
        case Fork():
            backend.fork(command)
        case Trim():
            backend.trim(command)
        case Drop():
            backend.drop(command)


def that_drafts(draft: T | None) -> T:
    """`draft` itself; raises InputError where a schedule asks for a draft model and there is none."""
    if draft is None:
        raise InputError("the request says that a draft model is there, but the run was given none")
    return draft


def is_kept(status: Status, emits: Sequence[EmitRecord]) -> bool:
    """Whether the tool's run for an emission with `status` is the one whose result counts."""
    return status is not Status.PROVISIONAL or emits[-1].status is Status.CONFIRMED
