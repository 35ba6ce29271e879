"""A writer that knows the call that the model will write."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from engine.errors import ScheduleError
from engine.formats import CallFormat
from engine.picks import PickRule
from engine.spelling import call_parts, own_tokens, text_of
from engine.vocabulary import Vocabulary


class Oracle:
    """Writes one given call, in the trunk and in each branch.

    `values` are the texts of the call's arguments, in the order in which they are written. In a branch, where one
    argument stands first, it writes that argument's value and what follows it in the call. It spells these texts as the
    tokenizer does; where that token is not allowed, it takes the longest start of the text that is. Where the
    constraint wants one of the `unwritten` arguments, which the call does not have, it writes the first token that is
    allowed.
    """

    def __init__(
        self,
        tool_name: str,
        values: Mapping[str, str],
        prompt_tokens: int,
        call_format: CallFormat,
        vocabulary: Vocabulary,
        unwritten: Sequence[str] = (),
    ) -> None:
        self._prompt_tokens = prompt_tokens
        self._vocabulary = vocabulary
        names = list(values)
        orders = [names, *(names[index:] for index in range(1, len(names)))]
        calls = [call_parts(call_format, tool_name, {name: values[name] for name in order}) for order in orders]
        self._unwritten = tuple(unwritten)
        self._known = {text_of(parts).encode(): own_tokens(parts, vocabulary) for parts in calls}

    @property
    def text(self) -> str:
        """The call that it writes."""
        return next(iter(self._known)).decode()

    @property
    def spellings(self) -> tuple[tuple[int, ...], ...]:
        """The tokenizer's own tokens of the call, then of the call as it reads in each branch but the first."""
        return tuple(self._known.values())

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        written = tuple(tokens[self._prompt_tokens :])
        text = self._vocabulary.decode(written)
        rests = self._rests(text)
        usual = (self._usual(written, self._known[text + rest]) for rest in rests)
        shorter = (token for rest in rests for token in self._starts(rest))
        for token in chain(usual, shorter):
            if token is not None and rule.allows(token):
                return token
        if self._unwritten:
            return int(rule.mask().argmax())
        if not rests:
            raise ScheduleError(f"the oracle's call does not go on from {text!r}")
        raise ScheduleError(f"no token that goes on with {rests} is allowed here")

    def _rests(self, text: bytes) -> list[bytes]:
        """What the model may go on with behind `text`: the start of the call, or of a branch whose key begins alike.

        The constraint decides among them, since it knows the branch.
        """
        return [known[len(text) :] for known in self._known if known.startswith(text)]

    def _usual(self, written: tuple[int, ...], spelled: tuple[int, ...]) -> int | None:
        """The token after `written` in the tokenizer's own spelling; None where `written` left it."""
        goes_on = len(spelled) > len(written) and spelled[: len(written)] == written
        return spelled[len(written)] if goes_on else None

    def _starts(self, rest: bytes) -> Iterator[int]:
        """The tokens that start `rest`: a marker where it has one, then the longest first."""
        spellings = (self._vocabulary.encode(rest[:end]) for end in range(len(rest), 0, -1))
        for spelled in chain([self._vocabulary.encode_with_markers(rest.decode(errors="ignore"))], spellings):
            if spelled and rest.startswith(self._vocabulary.decode(spelled[:1])):
                yield spelled[0]
