"""A writer that knows the call that the model will write."""

from collections.abc import Mapping, Sequence

from engine.constraint import Constraint
from engine.errors import ScheduleError
from engine.formats import CallFormat
from engine.vocabulary import Vocabulary


class Oracle:
    """Writes one given call, in the trunk and in each branch.

    `values` are the JSON texts of the call's arguments, in the order in which they are written. In a branch, where one
    argument stands first, it writes that argument's value and what follows it in the call. It spells text as the
    tokenizer does; where that token is not allowed, it takes the longest start of the text that is one allowed token.
    """

    def __init__(
        self,
        tool_name: str,
        values: Mapping[str, str],
        prompt_tokens: int,
        call_format: CallFormat,
        vocabulary: Vocabulary,
    ) -> None:
        self._prompt_tokens = prompt_tokens
        self._vocabulary = vocabulary
        head = call_format.head(tool_name)
        parts = [call_format.lead(name, index == 0) + value for index, (name, value) in enumerate(values.items())]
        self._text = (head + "".join(parts) + call_format.closer).encode()
        self._branches = [
            (head + call_format.lead(name, True) + value + "".join(parts[index + 1 :]) + call_format.closer).encode()
            for index, (name, value) in enumerate(values.items())
        ]

    def next_token(self, tokens: Sequence[int], constraint: Constraint) -> int:
        written = tuple(tokens[self._prompt_tokens :])
        text = self._vocabulary.decode(written)
        rest = self._rest(text)
        spelled = self._vocabulary.encode_with_markers((text + rest).decode())
        if (
            len(spelled) > len(written)
            and spelled[: len(written)] == written
            and constraint.allows(spelled[len(written)])
        ):
            return spelled[len(written)]
        return self._longest_allowed(rest, constraint)

    def _rest(self, text: bytes) -> bytes:
        """What the model goes on with behind `text`, the start of the call or of a branch's."""
        for known in (self._text, *self._branches):
            if known.startswith(text):
                return known[len(text) :]
        raise ScheduleError(f"the oracle's call does not go on from {text!r}")

    def _longest_allowed(self, rest: bytes, constraint: Constraint) -> int:
        for end in range(len(rest), 0, -1):
            token = self._vocabulary.encode(rest[:end])[0]
            if rest.startswith(self._vocabulary.decode([token])) and constraint.allows(token):
                return token
        raise ScheduleError(f"no token that starts {rest!r} is allowed here")
