"""What each sequence held of a call during a run, read off the run's rows."""

from collections.abc import Collection

from engine.commands import TRUNK, Pass, Phase

Text = tuple[int, ...]
"""A call's tokens up to some place."""


class Contents:
    """Follows the passes of a run, whose records have no forks, trims and drops; the prompt's tokens are left out.

    Phases and positions tell. Branches are forked from the trunk for the skeleton's pass and go on in those of the
    values. What is written to another sequence in any other pass was forked from the trunk before it; if a row of the
    trunk stands beyond its end, what was tried in that sequence has become the trunk. Any row that stands before its
    sequence's end means that the sequence was cut there.
    """

    def __init__(self, prompt_tokens: int) -> None:
        self._prompt_tokens = prompt_tokens
        self._held: dict[int, Text] = {TRUNK: ()}
        self._tried: Text = ()

    @property
    def trunk(self) -> Text:
        """What the trunk holds."""
        return self._held[TRUNK]

    @property
    def tried(self) -> Text:
        """What was tried last in a sequence beside the trunk."""
        return self._tried

    def follow(self, command: Pass) -> list[Text]:
        """What the sequences of each row hold up to it."""
        texts: list[Text] = []
        written: set[int] = set()
        for row in command.rows:
            end = row.position - self._prompt_tokens
            text = (*self._before(row.sequences[-1], end, command.phase, written), row.token) if end >= 0 else ()
            if text:
                self._held.update(dict.fromkeys(row.sequences, text))
                written.update(row.sequences)
            texts.append(text)
        if command.phase not in (Phase.SKELETON, Phase.VALUES):
            self._tried = next((self._held[sequence] for sequence in written if sequence != TRUNK), self._tried)
        return texts

    def _before(self, sequence: int, end: int, phase: Phase, written: Collection[int]) -> Text:
        """The first `end` tokens that `sequence` holds, where those of `written` have rows of this pass already."""
        goes_on = sequence in written or (phase is Phase.VALUES and sequence in self._held)
        if goes_on and sequence != TRUNK:
            return self._held[sequence][:end]
        return self.trunk[:end] if len(self.trunk) >= end else self._tried[:end]
