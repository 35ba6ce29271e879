"""llama.cpp's rules for the memory of sequences, kept without a model.

Read in llama.cpp's source (`llama-batch.cpp`, `llama-kv-cache.cpp`): positions go on without a gap, rows that several
sequences share need equal contents in all of them, sets of sequences only narrow within a batch, a fork goes to empty
sequences, cells are counted once for all sequences that share them. What only some memories can do is refused by
`Capabilities`.
"""

from collections import Counter
from collections.abc import Sequence

from engine.capabilities import ATTENTION, Capabilities
from engine.commands import TRUNK, Drop, Fork, Pass, Row, Trim
from engine.errors import ContextFullError, ScheduleError


class SequenceMemory:
    """The tokens of each sequence; raises ScheduleError where llama.cpp would refuse or abort.

    Each token lies in a cell, which sequences that were forked from one another share.
    """

    def __init__(
        self,
        max_sequences: int = 256,
        max_cells: int = 1 << 20,
        max_rows: int = 2048,
        capabilities: Capabilities = ATTENTION,
    ) -> None:
        self.max_sequences = max_sequences
        self.max_cells = max_cells
        self.max_rows = max_rows
        self.capabilities = capabilities
        self._tokens: dict[int, list[int]] = {}
        self._cells: dict[int, list[int]] = {}
        self._holders: Counter[int] = Counter()
        self._ends_before_passes: dict[int, int] = {}
        self._next_cell = 0

    def tokens(self, sequence: int, end: int | None = None) -> tuple[int, ...]:
        """The first `end` tokens, or all, that `sequence` holds."""
        return tuple(self._tokens.get(sequence, ())[:end])

    @property
    def sequences(self) -> frozenset[int]:
        """The sequences that hold anything."""
        return frozenset(sequence for sequence, tokens in self._tokens.items() if tokens)

    @property
    def used_cells(self) -> int:
        return len(self._holders)

    def hold(self, tokens: Sequence[int], sequence: int = TRUNK) -> None:
        """Put `tokens` into an empty sequence, as a prompt that is in memory from before."""
        cells = range(self._next_cell, self._next_cell + len(tokens))
        self._next_cell = cells.stop
        self._tokens[sequence], self._cells[sequence] = list(tokens), list(cells)
        self._holders.update(cells)

    def run(self, command: Pass) -> None:
        """Append a pass's rows to their sequences."""
        if command.width > self.max_rows:
            raise ScheduleError(f"a pass of {command.width} rows; llama.cpp aborts above {self.max_rows}")
        if self.used_cells + command.width > self.max_cells:
            raise ContextFullError(
                f"no room for {command.width} rows beside {self.used_cells} of {self.max_cells}", code=1
            )
        self._check_narrowing(command)
        self._note_ends()
        for row in command.rows:
            self._append(row)

    def fork(self, command: Fork) -> None:
        for target in command.targets:
            self._check_sequence(target)
            if self._tokens.get(target):
                raise ScheduleError(f"fork to sequence {target}, which is not empty")
            self._tokens[target] = list(self._tokens.get(command.source, ()))
            self._cells[target] = list(self._cells.get(command.source, ()))
            self._holders.update(self._cells[target])
            self._ends_before_passes[target] = self._ends_before_passes.get(command.source, 0)

    def can_trim(self, command: Trim) -> bool:
        """Whether `trim` would take the command."""
        return self._trim_problem(command) is None

    def trim(self, command: Trim) -> None:
        self._check_sequence(command.sequence)
        if problem := self._trim_problem(command):
            raise ScheduleError(problem)
        del self._tokens[command.sequence][command.tokens :]
        self._release(self._cells[command.sequence][command.tokens :])
        del self._cells[command.sequence][command.tokens :]

    def drop(self, command: Drop) -> None:
        self._check_sequence(command.sequence)
        self._tokens.pop(command.sequence, None)
        self._ends_before_passes.pop(command.sequence, None)
        self._release(self._cells.pop(command.sequence, ()))

    def _release(self, cells: Sequence[int]) -> None:
        for cell in cells:
            self._holders[cell] -= 1
            if not self._holders[cell]:
                del self._holders[cell]

    def _note_ends(self) -> None:
        """A pass may use cells anew that are out of the window's sight behind what a sequence holds before it."""
        for sequence, tokens in self._tokens.items():
            self._ends_before_passes[sequence] = max(self._ends_before_passes.get(sequence, 0), len(tokens))

    def _trim_problem(self, command: Trim) -> str | None:
        held = len(self._tokens.get(command.sequence, ()))
        if command.tokens >= held:
            return f"{command}: the sequence holds {held} tokens" if command.tokens > held else None
        if not self.capabilities.removes_part:
            return f"{command}: this memory cannot remove part of a sequence"
        window, end = self.capabilities.window_tokens, self._ends_before_passes.get(command.sequence, 0)
        if window is not None and command.tokens < end and end > window:
            return f"{command}: what a window of {window} tokens sees there may be lost"
        return None

    def _append(self, row: Row) -> None:
        ends = [len(self._tokens.get(self._check_sequence(sequence), ())) for sequence in row.sequences]
        if any(end != row.position for end in ends):
            raise ScheduleError(f"position {row.position} of {row.sequences} leaves a gap: they end at {ends}")
        if len(row.sequences) > 1 and not self.capabilities.shares_rows:
            raise ScheduleError(f"row shared by {row.sequences} in a memory whose sequences cannot share rows")
        first, *others = (self._cells.get(sequence, []) for sequence in row.sequences)
        if any(cells != first for cells in others):
            raise ScheduleError(f"row shared by {row.sequences}, whose contents differ")
        self._store(row.token, row.sequences)

    def _store(self, token: int, sequences: Sequence[int]) -> None:
        cell, self._next_cell = self._next_cell, self._next_cell + 1
        for sequence in sequences:
            self._tokens.setdefault(sequence, []).append(token)
            self._cells.setdefault(sequence, []).append(cell)
        self._holders[cell] = len(sequences)

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
