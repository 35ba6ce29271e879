"""What each sequence held of a call during a run, read off the run's rows."""

from engine.commands import TRUNK, Row


class Contents:
    """Follows the rows of a run, whose records have no forks, trims and drops; what stands in the prompt is left out.

    Positions go on without a gap, so they tell. A row of another sequence at the trunk's end means that it was forked
    there. A row of the trunk beyond its end means that what was tried in another sequence has become the trunk. Any
    other row that is not at its sequence's end means that the sequence was cut there.
    """

    def __init__(self, prompt_tokens: int) -> None:
        self._prompt_tokens = prompt_tokens
        self._tokens: dict[int, tuple[int, ...]] = {TRUNK: ()}
        self._tried = TRUNK

    @property
    def trunk(self) -> tuple[int, ...]:
        """The call's tokens that the trunk holds."""
        return self._tokens[TRUNK]

    @property
    def tried(self) -> tuple[int, ...]:
        """Those that the sequence beside the trunk holds that was written to last; the trunk's where there was none."""
        return self._tokens[self._tried]

    def append(self, row: Row) -> tuple[int, ...]:
        """Follow `row`; the call's tokens that its sequences hold then."""
        end = row.position - self._prompt_tokens
        if end < 0:
            return ()
        text = (*self._before(row.sequences[-1], end), row.token)
        self._tokens.update(dict.fromkeys(row.sequences, text))
        self._tried = next((sequence for sequence in row.sequences if sequence != TRUNK), self._tried)
        return text

    def _before(self, sequence: int, end: int) -> tuple[int, ...]:
        """The first `end` tokens that `sequence` held before its next row."""
        own = self._tokens.get(sequence, ())
        if sequence != TRUNK and len(self.trunk) == end:
            return self.trunk
        if sequence == TRUNK and len(own) < end:
            return self.tried[:end]
        return own[:end]
