"""A backend without a model: it keeps the memory's rules and asks a writer what the model would pick."""

from collections.abc import Sequence
from typing import Protocol

from engine.commands import Drop, Fork, Pass, Trim
from engine.errors import ScheduleError
from engine.picks import PickRule
from sim.memory import SequenceMemory


class Writer(Protocol):
    """Stands for the model: what it would write next in a sequence."""

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        """The token after `tokens`, all that the sequence holds up to the row that asks."""
        ...


class SimulatedBackend:
    """Runs passes on `memory` and answers picks from `writer`; each answer is checked against the rule."""

    def __init__(self, writer: Writer, memory: SequenceMemory | None = None) -> None:
        self.memory = memory or SequenceMemory()
        self._writer = writer

    def tokens(self, sequence: int) -> tuple[int, ...]:
        """What `sequence` holds."""
        return self.memory.tokens(sequence)

    def run(self, command: Pass) -> "SimulatedReadout":
        self.memory.run(command)
        return SimulatedReadout(command, self.memory, self._writer)

    def fork(self, command: Fork) -> None:
        self.memory.fork(command)

    def trim(self, command: Trim) -> None:
        self.memory.trim(command)

    def drop(self, command: Drop) -> None:
        self.memory.drop(command)


class SimulatedReadout:
    """The picks of one pass, valid until the next one."""

    def __init__(self, command: Pass, memory: SequenceMemory, writer: Writer) -> None:
        self._rows = command.rows
        self._contents = [
            memory.tokens(row.sequences[-1], row.position + 1) if row.pick else () for row in command.rows
        ]
        self._writer = writer

    def pick(self, row: int, rule: PickRule) -> int:
        if not self._rows[row].pick:
            raise ScheduleError(f"row {row} was not asked for a pick")
        token = self._writer.next_token(self._contents[row], rule)
        if not rule.allows(token):
            raise ScheduleError(f"the writer picked token {token}, which is not allowed after row {row}")
        return token
