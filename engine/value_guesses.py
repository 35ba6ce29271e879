"""Drafts of whole values: what an argument is likely to get, from its schema and the user's words."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.boundary import common_length
from engine.call_text import SoFar, read_so_far
from engine.constraint import Constraint
from engine.drafts import Expected
from engine.formats import CallFormat
from engine.notation import write_value
from engine.spelling import call_parts, own_tokens
from engine.tools import Tool
from engine.vocabulary import Vocabulary

_FIRST = 0.5
"""How often the first token of a guessed value is right (accepted answers of BFCL-v4)."""

_FOLLOWING = 0.85
"""How often the next one is, if the one before it was."""

_HELD_BACK = 0.95
"""How often fixed text that is held back is spelled as usual."""

_NEXT_ARGUMENT = 0.7
"""How often the first optional argument that is left is written."""

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w)")

_QUOTED = re.compile(r"""(?<!\w)(['"\u2018\u201c])(.+?)['"\u2019\u201d](?!\w)""")

_NAME = re.compile(r"(?<!^)(?<![.?!] )\b[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)*")
"""Words with capitals that start no sentence."""


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
        sure = Expected(usual, (_HELD_BACK,) * len(usual))
        text = self.vocabulary.decode((*written, *usual)).decode(errors="ignore")
        so_far = read_so_far(text, self.tool, self.call_format)
        if so_far.open_name is None:
            return self._next_argument(so_far, written, sure) or sure
        return self._value(so_far, so_far.open_name, written, sure) or sure

    def _next_argument(self, so_far: SoFar, written: tuple[int, ...], sure: Expected) -> Expected | None:
        """What is fixed, and the first token that tells the next optional argument."""
        left = self._left(so_far.finished)
        if not left:
            return None
        spelled = self._spell({**so_far.finished, left[0]: ""}, -1)
        if spelled[: len(written)] != written or len(spelled) == len(written):
            return None
        tokens = spelled[len(written) :]
        start = common_length((tokens, sure.tokens))
        return Expected(tokens[: start + 1], (*sure.odds[:start], _NEXT_ARGUMENT)[: len(tokens)])

    def _value(self, so_far: SoFar, name: str, written: tuple[int, ...], sure: Expected) -> Expected | None:
        value = self.guess(so_far, name)
        if value is None or len(so_far.open_text) > 1:
            return None
        text = write_value(self.call_format.notation, value)
        spelled = self._spell_value(so_far, name, text)
        if spelled[: len(written)] != written or not text.startswith(so_far.open_text):
            return None
        tokens = spelled[len(written) :]
        start = common_length((tokens, sure.tokens))
        odds = (*sure.odds[:start], _FIRST, *(_FOLLOWING,) * len(tokens))[: len(tokens)]
        if not tokens:
            return None
        goes_on = self._spell({**so_far.finished, name: text})[: len(spelled)] != spelled
        may_end = name in (*self.tool.required[-1:], *self.tool.optional)
        return Expected(tokens, (*odds[:-1], odds[-1] * _NEXT_ARGUMENT) if goes_on and may_end else odds)

    def _left(self, finished: Mapping[str, str]) -> list[str]:
        """The arguments that may follow: the next required one, or the optional ones behind the last."""
        order = (*self.tool.required, *self.tool.optional)
        return list(order[max((order.index(name) + 1 for name in finished), default=0) :])

    def guess(self, so_far: SoFar, name: str) -> Any:
        """The value that the argument is likely to get; None where nothing tells."""
        schema: Any = self.tool.properties[name]
        if not isinstance(schema, Mapping):
            return None
        likely = [value for value in self._likely(schema) if not _is_in(so_far.finished.values(), value)]
        order = (*self.tool.required, *self.tool.optional)
        before = [self.tool.properties[other] for other in order[: order.index(name)] if other not in so_far.finished]
        # In a branch the arguments before this one are not there; theirs are the first of the words.
        skipped = sum(_alike(schema, other) for other in before)
        return likely[min(skipped, len(likely) - 1)] if likely else schema.get("default")

    def _likely(self, schema: Mapping[str, Any]) -> Iterator[Any]:
        """What the user's words have for such a value, in their order."""
        if "enum" in schema:
            yield from _mentioned(schema["enum"], self.said)
        elif schema.get("type") in ("integer", "number"):
            yield from (json.loads(found.replace(",", "")) for found in _NUMBER.findall(self.said) if _reads(found))
        elif schema.get("type") == "string" and "default" not in schema:
            found = [(m.start(), m[2]) for m in _QUOTED.finditer(self.said)]
            found += [(m.start(), m[0].rstrip(".'")) for m in _NAME.finditer(self.said)]
            yield from (text for _, text in sorted(found))

    def _spell_value(self, so_far: SoFar, name: str, value: str) -> tuple[int, ...]:
        """The call's tokens up to the one that ends the value, if the next argument follows or the call ends."""
        values = {**so_far.finished, name: value}
        left = self._left(values)
        spelled = self._spell({**values, left[0]: ""}, -1) if left else self._spell(values)
        form = self.call_format
        return self._up_to_end(spelled, len(form.call(self.tool.name, values)[: -len(form.end(True))].encode()))

    def _spell(self, values: Mapping[str, str], end: int | None = None) -> tuple[int, ...]:
        """The tokens of a call that has these values; of its parts those up to `end`."""
        return own_tokens(call_parts(self.call_format, self.tool.name, values)[:end], self.vocabulary)

    def _up_to_end(self, tokens: tuple[int, ...], size_bytes: int) -> tuple[int, ...]:
        """The first of `tokens` whose text reaches over `size_bytes`, all of them if it does not."""
        end = 0
        for number, token in enumerate(tokens):
            end += len(self.vocabulary.decode([token]))
            if end > size_bytes:
                return tokens[: number + 1]
        return tokens


def _is_in(texts: Iterable[str], value: Any) -> bool:
    """Whether one of the values' texts has `value`, as a part of it if that is a string."""
    return any(value in text if isinstance(value, str) else text == json.dumps(value) for text in texts)


def _alike(schema: Mapping[str, Any], other: Any) -> bool:
    """Whether the same words of a request may be meant by both."""
    return isinstance(other, Mapping) and (schema.get("type"), "enum" in schema) == (other.get("type"), "enum" in other)


def _mentioned(members: Sequence[Any], said: str) -> list[Any]:
    """The members that `said` has as words, in their order there."""
    places = [(re.search(rf"(?<!\w){re.escape(str(member))}", said, re.IGNORECASE), member) for member in members]
    return [member for place, member in sorted(((p.start(), m) for p, m in places if p), key=lambda each: each[0])]


def _reads(text: str) -> bool:
    """Whether a number of the request is one in JSON, which has none with zeros before it."""
    return re.fullmatch(r"-?(0|[1-9][\d,]*)(\.\d+)?", text) is not None
