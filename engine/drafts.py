"""What a call may go on with: drafts, checked by the model's own picks before they count."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.call_text import read_written
from engine.constraint import Constraint
from engine.formats import CallFormat
from engine.spelling import call_parts, tokens_behind
from engine.tools import Tool
from engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Expected:
    """Tokens that may come next, and for each how often it is right if the one before it was.

    Without odds they have been decoded already, in a branch, and are tried whatever rows that takes.
    """

    tokens: tuple[int, ...] = ()
    odds: tuple[float, ...] = ()


NOTHING = Expected()

Drafter = Callable[[Sequence[int], Constraint], Expected]
"""From the tokens of a call so far, and the constraint's state behind them, to what may come next."""


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

    def __call__(self, call_tokens: Sequence[int], constraint: Constraint) -> Expected:
        """The tokens that go on from `call_tokens` up to where the drafts know no more.

        The last one is left out, as it may merge with what follows, unless nothing does.
        """
        written = tuple(call_tokens)
        expected, is_whole = self._expected(written)
        parts = call_parts(self.call_format, self.tool.name, expected)
        spelled = tokens_behind(written, parts if is_whole else parts[:-1], self.vocabulary)
        return Expected(spelled if is_whole else spelled[:-1])

    def _expected(self, written: tuple[int, ...]) -> tuple[dict[str, str], bool]:
        """The arguments that the call is expected to have from its start on, and whether it has no others."""
        so_far = read_written(written, self.tool, self.call_format, self.vocabulary)
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

    def draft(call_tokens: Sequence[int], constraint: Constraint) -> Expected:
        drafts = (drafter(call_tokens, constraint) for drafter in drafters)
        return next((expected for expected in drafts if expected.tokens), NOTHING)

    return draft
