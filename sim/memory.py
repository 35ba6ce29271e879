"""llama.cpp's rules for the memory of sequences, kept without a model.

Read in llama.cpp's source (`llama-batch.cpp`, `llama-kv-cache.cpp`): positions go on without a gap, rows that several
sequences share need equal contents in all of them, sets of sequences only narrow within a batch, a fork goes to empty
sequences, cells are counted once for all sequences that share them.
"""

from collections.abc import Sequence

from engine.commands import TRUNK, Drop, Fork, Pass, Row
from engine.errors import ContextFullError, ScheduleError


class SequenceMemory:
    """The tokens of each sequence; raises ScheduleError where llama.cpp would refuse or abort.

    A token's cell is an object of its own, shared by the sequences that were forked from one another.
    """

    def __init__(self, max_sequences: int = 256, max_cells: int = 1 << 20, max_rows: int = 2048) -> None:
        self.max_sequences = max_sequences
        self.max_cells = max_cells
        self.max_rows = max_rows
        self._cells: dict[int, list[tuple[int, object]]] = {}

    def tokens(self, sequence: int) -> tuple[int, ...]:
        """What `sequence` holds."""
        return tuple(token for token, _ in self._cells.get(sequence, ()))

    @property
    def sequences(self) -> frozenset[int]:
        """The sequences that hold anything."""
        return frozenset(sequence for sequence, cells in self._cells.items() if cells)

    @property
    def used_cells(self) -> int:
        return len({id(cell) for cells in self._cells.values() for _, cell in cells})

    def hold(self, tokens: Sequence[int], sequence: int = TRUNK) -> None:
        """Put `tokens` into an empty sequence, as a prompt that is in memory from before."""
        self._cells[sequence] = [(token, object()) for token in tokens]

    def run(self, command: Pass) -> None:
        """Append a pass's rows to their sequences."""
        if command.width > self.max_rows:
            raise ScheduleError(f"a pass of {command.width} rows; llama.cpp aborts above {self.max_rows}")
        if self.used_cells + command.width > self.max_cells:
            raise ContextFullError(
                f"no room for {command.width} rows beside {self.used_cells} of {self.max_cells}", code=1
            )
        self._check_narrowing(command)
        for row in command.rows:
            self._append(row)

    def fork(self, command: Fork) -> None:
        for target in command.targets:
            self._check_sequence(target)
            if self._cells.get(target):
                raise ScheduleError(f"fork to sequence {target}, which is not empty")
            self._cells[target] = list(self._cells.get(command.source, ()))

    def drop(self, command: Drop) -> None:
        self._check_sequence(command.sequence)
        self._cells.pop(command.sequence, None)

    def _append(self, row: Row) -> None:
        contents = [self._cells.setdefault(self._check_sequence(s), []) for s in row.sequences]
        first = contents[0]
        if any(len(cells) != row.position for cells in contents):
            raise ScheduleError(f"position {row.position} of {row.sequences} leaves a gap: they end at {len(first)}")
        if any(cells != first for cells in contents[1:]):
            raise ScheduleError(f"row shared by {row.sequences}, whose contents differ")
        cell = (row.token, object())
        for cells in contents:
            cells.append(cell)

    def _check_narrowing(self, command: Pass) -> None:
        seen: dict[int, set[int]] = {}
        for row in command.rows:
            here = set(row.sequences)
            for sequence in row.sequences:
                if not here <= seen.get(sequence, here):
                    raise ScheduleError(f"sequences {row.sequences} grow within a pass, from {seen[sequence]}")
                seen[sequence] = here

    def _check_sequence(self, sequence: int) -> int:
        if not 0 <= sequence < self.max_sequences:
            raise ScheduleError(f"sequence {sequence} is outside 0 to {self.max_sequences - 1}")
        return sequence
