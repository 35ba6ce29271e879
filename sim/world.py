"""Runs a schedule under a predicted clock: the engine's driver as a simpy process."""

from collections.abc import Generator
from dataclasses import dataclass, field

import simpy

from cost_models import CostModel
from engine.backend import Backend, Readout
from engine.calls import ToolCall
from engine.commands import Command, Draft, Emit, MemoryCommand, Pass, Status
from engine.driver import (
    RUNS_THE_TOOL,
    Outcome,
    RecordingReadout,
    change_memory,
    is_kept,
    next_command,
    that_drafts,
)
from engine.records import EmitRecord, PassRecord, ToolRun

Steps = Generator[simpy.Event, None, None]


@dataclass(frozen=True, slots=True)
class Simulated:
    """A model in the simulator: a backend that answers for it, and what its passes cost."""

    backend: Backend
    cost: CostModel


def simulate(
    commands: Generator[Command, Readout, ToolCall],
    backend: Backend,
    cost: CostModel,
    tool_ms: float = 0.0,
    draft: Simulated | None = None,
) -> Outcome:
    """Run `commands` to their end on a clock that moves by what `cost` predicts; the tool takes `tool_ms` each time.

    The schedule and its commands are those of `engine.driver.run_blocking`; only the time is another. A pass costs its
    `pass_ms`, and the host's `host_ms` goes by before it. Passes of the draft model cost what `draft` says.
    """
    world = _World(Simulated(backend, cost), draft, tool_ms)
    world.clock.process(world.decode(commands))
    world.clock.run()
    return world.outcome()


@dataclass(slots=True)
class _World:
    model: Simulated
    draft: Simulated | None
    tool_ms: float
    clock: simpy.Environment = field(default_factory=simpy.Environment)
    passes: list[tuple[Pass, float, float, RecordingReadout]] = field(default_factory=list)
    emits: list[EmitRecord] = field(default_factory=list)
    tool_runs: list[tuple[Status, float, float]] = field(default_factory=list)

    def decode(self, commands: Generator[Command, Readout, ToolCall]) -> Steps:
        """The process of the decoder."""
        readout: Readout | None = None
        while (command := next_command(commands, readout)) is not None:
            readout = None
            match command:
                case Emit():
                    self.emit(command)
                case Draft():
                    readout = yield from self.perform_on(that_drafts(self.draft), command.command)
                case _:
                    readout = yield from self.perform_on(self.model, command)

    def perform_on(self, model: Simulated, command: MemoryCommand) -> Generator[simpy.Event, None, Readout | None]:
        """The process of what a model is asked for; only passes take time."""
        if isinstance(command, Pass):
            yield self.clock.timeout(model.cost.host_ms)
            return (yield from self.run_pass(model, command))
        change_memory(model.backend, command)
        return None

    def run_pass(self, model: Simulated, command: Pass) -> Generator[simpy.Event, None, Readout]:
        """The process of one forward pass."""
        start_ms = self.clock.now
        readout = RecordingReadout(model.backend.run(command), command.width)
        yield self.clock.timeout(float(model.cost.pass_ms(command.width, command.pick_count, command.context_tokens)))
        self.passes.append((command, start_ms, self.clock.now, readout))
        return readout

    def emit(self, command: Emit) -> None:
        self.emits.append(EmitRecord(command.call, command.status, self.clock.now))
        if command.status in RUNS_THE_TOOL:
            self.clock.process(self.run_tool(command.status))

    def run_tool(self, status: Status) -> Steps:
        """The process of the tool, beside the decoder."""
        start_ms = self.clock.now
        yield self.clock.timeout(self.tool_ms)
        self.tool_runs.append((status, start_ms, self.clock.now))

    def outcome(self) -> Outcome:
        emits = tuple(self.emits)
        passes = tuple(PassRecord(p, start, end, tuple(readout.picks)) for p, start, end, readout in self.passes)
        runs = sorted(self.tool_runs, key=lambda run: run[1])
        return Outcome(passes, emits, tuple(ToolRun(s, start, end, is_kept(s, emits)) for s, start, end in runs))
