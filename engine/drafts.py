"""What a call may go on with: drafts, checked by the model's own picks before they count."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.call_text import read_so_far
from engine.formats import CallFormat
from engine.spelling import call_parts, own_tokens
from engine.tools import Tool
from engine.vocabulary import Vocabulary

Drafter = Callable[[Sequence[int], int], tuple[int, ...]]
"""From the tokens of a call so far, and the rows that the next pass has to give away, to tokens that may come next."""


@dataclass(frozen=True, slots=True)
class ValueDrafts:
    """Values that arguments of a call may get, as texts by name.

    `starts` are texts of values that may go on; behind one of them nothing is expected.
    """

    tool: Tool
    call_format: CallFormat
    vocabulary: Vocabulary
    values: Mapping[str, str]
    starts: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, call_tokens: Sequence[int], free_rows: int = 0) -> tuple[int, ...]:
        """The tokens that go on from `call_tokens` up to where the drafts know no more, however many rows that takes.

        The last one is left out, as it may merge with what follows, unless nothing does.
        """
        written = tuple(call_tokens)
        text = self.vocabulary.decode(written).decode(errors="ignore")
        expected, is_whole = self._expected(text)
        parts = call_parts(self.call_format, self.tool.name, expected)
        spelled = own_tokens(parts if is_whole else parts[:-1], self.vocabulary)
        if spelled[: len(written)] != written:
            return ()
        return spelled[len(written) :] if is_whole else spelled[len(written) : -1]

    def _expected(self, text: str) -> tuple[dict[str, str], bool]:
        """The arguments that the call is expected to have from its start on, and whether it has no others."""
        so_far = read_so_far(text, self.tool, self.call_format)
        expected = dict(so_far.finished)
        names = list(self.tool.required[len(expected) :])
        if so_far.open_name is not None:
            names = [so_far.open_name, *names[1:]]
        for name in names:
            start = so_far.open_text if name == so_far.open_name else ""
            if name not in self.values or not (self.values[name] + self._bare_end).startswith(start):
                return self._with_start(expected, name, start), False
            expected[name] = self.values[name]
        return expected, not self.tool.optional

    @property
    def _bare_end(self) -> str:
        """What tells that a bare value has ended; the start of it may stand at the end of an open value."""
        return self.call_format.value_close if self.call_format.notation.bare_strings else ""

    def _with_start(self, expected: dict[str, str], name: str, start: str) -> dict[str, str]:
        drafted = self.starts.get(name, "")
        return {**expected, name: drafted} if len(drafted) > len(start) and drafted.startswith(start) else expected


def first_draft(*drafters: Drafter) -> Drafter:
    """What the first of `drafters` expects that expects anything."""

    def draft(call_tokens: Sequence[int], free_rows: int) -> tuple[int, ...]:
        drafts = (drafter(call_tokens, free_rows) for drafter in drafters)
        return next((tokens for tokens in drafts if tokens), ())

    return draft
