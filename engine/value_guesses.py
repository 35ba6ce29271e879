"""Drafts of whole values: what an argument is likely to get, from its schema and the user's words.

The odds are rounded from two counts with Qwen2's tokens, each token counted where those before it were right: the
accepted answers of 243 calls of BFCL-v4, and what Qwen2.5-Coder-0.5B wrote for 99 others. Where they differ much, as
answers leave out what may be left out and models do not, the odds lie between.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from engine.boundary import common_length
from engine.call_text import SoFar, read_written
from engine.constraint import Constraint
from engine.drafts import Expected
from engine.formats import CallFormat
from engine.notation import write_value
from engine.said_values import said_type, said_values
from engine.spelling import call_parts, tokens_behind
from engine.tools import Tool
from engine.vocabulary import Vocabulary

_FOLLOWING = 0.96
"""How often the next token of a value is right."""

_NEXT_ARGUMENT = 0.7
"""How often the first optional argument that is left is written."""

_HELD_BACK = 0.98
"""How often fixed text that is held back is spelled as usual."""

_BEFORE_MORE = 0.2
"""The same where a list, an object or a boolean starts: its first token mostly has more of it."""

_STARTS_MORE = re.compile(r"""[\[{]"?$""")


@dataclass(frozen=True, slots=True)
class _Odds:
    """How often the first token of a guess is right, and how often the value then ends as guessed."""

    first: float
    end: float

    def along(self, tokens: int, end_tells_next: bool) -> tuple[float, ...]:
        """Those of each of so many tokens, the last of which ends the value."""
        end = self.end * (_NEXT_ARGUMENT if end_tells_next else 1.0)
        return (self.first, *(_FOLLOWING,) * (tokens - 2), end) if tokens > 1 else (self.first * end,) * tokens


_MEMBER = _Odds(0.95, 0.95)
_ONE_NUMBER = _Odds(0.95, 0.95)
_SOME_NUMBER = _Odds(0.7, 0.95)
_TEXT = _Odds(0.55, 0.75)
_DEFAULT = _Odds(0.3, 0.9)


@dataclass(frozen=True, slots=True)
class ValueGuesses:
    """Expects, where a value starts, a member of its enum that the user names, a number or a name of theirs, a default.

    What the call has already is not expected again. Behind the required arguments the next optional one is expected.
    Where nothing is, fixed text that is held back is expected to be spelled as usual.
    """

    tool: Tool
    call_format: CallFormat
    vocabulary: Vocabulary
    said: str

    def __call__(self, call_tokens: Sequence[int], constraint: Constraint) -> Expected:
        """The tokens of the whole value, up to the one that ends it; or one token that tells which argument is next."""
        written = tuple(call_tokens)
        usual = constraint.held_back()
        so_far = read_written((*written, *usual), self.tool, self.call_format, self.vocabulary)
        sure = Expected(usual, (self._sureness(so_far),) * len(usual))
        if so_far.open_name is None:
            return self._next_argument(so_far.finished, written, sure) or sure
        return self._value(so_far, so_far.open_name, written, sure) or sure

    def _sureness(self, so_far: SoFar) -> float:
        """How often text that is held back up to there is spelled as usual."""
        if so_far.open_name is None:
            return _HELD_BACK
        schema = self.tool.properties[so_far.open_name]
        is_boolean = isinstance(schema, Mapping) and said_type(schema) == "boolean"
        return _BEFORE_MORE if is_boolean or _STARTS_MORE.search(so_far.open_text) else _HELD_BACK

    def _next_argument(self, values: Mapping[str, str], written: tuple[int, ...], sure: Expected) -> Expected | None:
        """What is fixed behind `values`, and the first token that tells the next optional argument."""
        left = self._left(values)
        tokens = self._spell(written, {**values, left[0]: ""}, -1) if left else ()
        start = common_length((tokens, sure.tokens))
        odds = (*sure.odds[:start], _NEXT_ARGUMENT)[: len(tokens)]
        return Expected(tokens[: start + 1], odds) if tokens else None

    def _value(self, so_far: SoFar, name: str, written: tuple[int, ...], sure: Expected) -> Expected | None:
        """What is fixed, and the value of `name`; None where nothing tells it or it has begun already."""
        if len(so_far.open_text) > self._most_begun:
            return None
        value, odds = self._guess(so_far, name)
        if value is None:
            return None
        values = {**so_far.finished, name: write_value(self.call_format.notation, value)}
        tokens = self._spell_value(written, values) if values[name].startswith(so_far.open_text) else ()
        start = common_length((tokens, sure.tokens))
        guessed = odds.along(len(tokens) - start, self._end_tells_next(written, values, tokens))
        return Expected(tokens, (*sure.odds[:start], *guessed)) if tokens else None

    @property
    def _most_begun(self) -> int:
        """Characters that a value may have for a guess of all of it: its mark, or a first digit."""
        notation = self.call_format.notation
        return 1 if notation.bare_strings else len(notation.string_mark)

    def _left(self, finished: Mapping[str, str]) -> list[str]:
        """The arguments that may follow: the next required one, or the optional ones behind the last."""
        order = (*self.tool.required, *self.tool.optional)
        return list(order[max((order.index(name) + 1 for name in finished), default=0) :])

    def odds(self, name: str) -> float:
        """How often the value of `name` is the one that is expected before the call starts; 0 where none is."""
        value, odds = self._guess(SoFar({}), name)
        return 0.0 if value is None else odds.first * odds.end

    def _guess(self, so_far: SoFar, name: str) -> tuple[Any, _Odds]:
        """The likely value, and how likely it is."""
        schema: Any = self.tool.properties[name]
        taken = [text for other, text in so_far.finished.items() if other != name]
        likely = [value for value in said_values(schema, self.said) if not self._is_in(taken, value)]
        if not likely:
            return schema.get("default") if isinstance(schema, Mapping) else None, _DEFAULT
        order = (*self.tool.required, *self.tool.optional)
        before = [self.tool.properties[other] for other in order[: order.index(name)] if other not in so_far.finished]
        # In a branch the arguments before this one are not there; theirs are the first of the words.
        skipped = sum(_alike(schema, other) for other in before)
        return likely[min(skipped, len(likely) - 1)], _odds(schema, len(likely))

    def _is_in(self, texts: Sequence[str], value: Any) -> bool:
        """Whether one of the values' texts has `value`, as a part of it if that is a string."""
        if isinstance(value, str):
            return any(value in text for text in texts)
        return write_value(self.call_format.notation, value) in texts

    def _end_tells_next(self, written: tuple[int, ...], values: Mapping[str, str], tokens: tuple[int, ...]) -> bool:
        """Whether the last of `tokens` says that another argument follows where the call might end."""
        *_, name = values
        may_end = name in (*self.tool.required[-1:], *self.tool.optional)
        return may_end and self._spell(written, values)[: len(tokens)] != tokens

    def _spell_value(self, written: tuple[int, ...], values: Mapping[str, str]) -> tuple[int, ...]:
        """The tokens up to the one that ends the last of `values`, if the next argument follows or the call ends."""
        left = self._left(values)
        tokens = self._spell(written, {**values, left[0]: ""}, -1) if left else self._spell(written, values)
        form = self.call_format
        value_end = len(form.call(self.tool.name, values).encode()) - len(form.end(True).encode())
        return self._up_to_end(tokens, value_end - len(self.vocabulary.decode(written)))

    def _spell(self, written: tuple[int, ...], values: Mapping[str, str], end: int | None = None) -> tuple[int, ...]:
        """The tokens behind those `written` of a call that has these values; of its parts those up to `end`."""
        return tokens_behind(written, call_parts(self.call_format, self.tool.name, values)[:end], self.vocabulary)

    def _up_to_end(self, tokens: tuple[int, ...], size_bytes: int) -> tuple[int, ...]:
        """The first of `tokens` whose text reaches over `size_bytes`, all of them if it does not."""
        ends = accumulate(len(self.vocabulary.decode([token])) for token in tokens)
        return tokens[: next((number for number, end in enumerate(ends, 1) if end > size_bytes), len(tokens))]


def _odds(schema: Mapping[str, Any], candidates: int) -> _Odds:
    """Those of a value that is one of so many `candidates`."""
    if "enum" in schema:
        return _MEMBER
    if said_type(schema) == "string":
        return _TEXT
    return _ONE_NUMBER if candidates == 1 else _SOME_NUMBER


def _alike(schema: Mapping[str, Any], other: Any) -> bool:
    """Whether the same words of a request may be meant by both."""
    return isinstance(other, Mapping) and (said_type(schema), "enum" in schema) == (said_type(other), "enum" in other)
