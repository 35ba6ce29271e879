"""Which tokens a context's sequences hold: llama.cpp itself only tells positions."""

from engine.commands import Drop, Fork, Pass, Trim


class HeldTokens:
    """The tokens of each sequence, by the commands that were carried out."""

    def __init__(self) -> None:
        self._tokens: dict[int, list[int]] = {}

    @property
    def sequences(self) -> frozenset[int]:
        """The sequences that hold anything."""
        return frozenset(self._tokens)

    def tokens(self, sequence: int) -> tuple[int, ...]:
        return tuple(self._tokens.get(sequence, ()))

    def count(self, sequence: int) -> int:
        return len(self._tokens.get(sequence, ()))

    def run(self, command: Pass) -> None:
        for row in command.rows:
            for sequence in row.sequences:
                self._tokens.setdefault(sequence, []).append(row.token)

    def fork(self, command: Fork) -> None:
        if command.source in self._tokens:
            self._tokens.update({target: [*self._tokens[command.source]] for target in command.targets})

    def trim(self, command: Trim) -> None:
        del self._tokens[command.sequence][command.tokens :]

    def drop(self, command: Drop) -> None:
        self._tokens.pop(command.sequence, None)

    def clear(self) -> None:
        self._tokens.clear()
