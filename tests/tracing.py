"""Runs a schedule on the simulated backend and keeps all that it did, for laws about single commands and memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.calls import ToolCall
from engine.commands import TRUNK, Command, Draft, Emit, Fork, MemoryCommand, Pass, Phase
from engine.driver import RecordingReadout, change_memory
from engine.records import EmitRecord, PassRecord, RunRecord
from engine.request import Request
from engine.schedules import SCHEDULES
from sim.backend import SimulatedBackend, Writer
from sim.memory import SequenceMemory


@dataclass(slots=True)
class Trace:
    """One run: its commands in order, the picks of each pass, and what each sequence held after each pass."""

    schedule: str
    request: Request
    commands: list[Command] = field(default_factory=list)
    passes: list[tuple[Pass, list[tuple[int, int]]]] = field(default_factory=list)
    contents: list[Mapping[int, tuple[int, ...]]] = field(default_factory=list)
    memory: SequenceMemory = field(default_factory=SequenceMemory)
    returned: ToolCall | None = None

    @property
    def call(self) -> ToolCall:
        assert self.returned is not None
        return self.returned

    @property
    def emits(self) -> list[Emit]:
        return [command for command in self.commands if isinstance(command, Emit)]

    @property
    def trunk_call_tokens(self) -> tuple[int, ...]:
        """What the trunk holds behind the prompt."""
        return self.memory.tokens(TRUNK)[len(self.request.prompt) :]

    @property
    def scratch_sequence(self) -> int | None:
        """The one sequence that is written to without having been forked."""
        forked = {target for command in self.commands if isinstance(command, Fork) for target in command.targets}
        written = {s for command, _ in self.passes for row in command.rows for s in row.sequences}
        (scratch,) = (written - forked - {TRUNK}) or {None}
        return scratch

    def count(self, *phases: Phase) -> int:
        return sum(command.phase in phases for command, _ in self.passes)

    def perform(self, backend: SimulatedBackend, command: MemoryCommand) -> RecordingReadout | None:
        if not isinstance(command, Pass):
            change_memory(backend, command)
            return None
        readout = RecordingReadout(backend.run(command), command.width)
        self.passes.append((command, readout.picks))
        self.contents.append({sequence: self.memory.tokens(sequence) for sequence in self.memory.sequences})
        return readout

    def call_texts(self, sequence: int, *phases: Phase) -> list[bytes]:
        """What `sequence` held behind the prompt after each pass of `phases` in which it held anything."""
        decode, start = self.request.toolset.vocabulary.decode, len(self.request.prompt)
        held_after = [
            held for (command, _), held in zip(self.passes, self.contents, strict=True) if command.phase in phases
        ]
        return [decode(held[sequence][start:]) for held in held_after if sequence in held]

    def record(self) -> RunRecord:
        """The run as a record whose clock stands still."""
        passes = tuple(PassRecord(command, 0.0, 0.0, tuple(picks)) for command, picks in self.passes)
        emits = tuple(EmitRecord(emit.call, emit.status, 0.0) for emit in self.emits)
        request = self.request
        return RunRecord("c", self.schedule, "simulated", 0, len(request.prompt), request.reused_tokens, passes, emits)


def trace(schedule: str, request: Request, writer: Writer, drafts: SimulatedBackend | None = None) -> Trace:
    """Run `schedule` to its end, with `writer` for a model and `drafts` for a draft model."""
    run = Trace(
        schedule, request, memory=SequenceMemory(max_cells=request.max_cells, capabilities=request.capabilities)
    )
    run.memory.hold(request.prompt[: request.reused_tokens])
    backend = SimulatedBackend(writer, run.memory)
    steps = SCHEDULES[schedule](request)
    readout: RecordingReadout | None = None
    while run.returned is None:
        try:
            command = next(steps) if readout is None else steps.send(readout)
        except StopIteration as end:
            run.returned = end.value
            break
        readout = None
        run.commands.append(command)
        match command:
            case Emit():
                pass
            case Draft():
                assert drafts is not None
                readout = run.perform(drafts, command.command)
            case _:
                readout = run.perform(backend, command)
    return run
