"""A writer that knows the call that the model will write, and decides its optional arguments before any value."""

from collections.abc import Collection, Mapping, Sequence

from engine.constraint import Constraint
from engine.errors import ScheduleError
from engine.formats import CallFormat
from engine.picks import PickRule
from engine.vocabulary import Vocabulary
from sim.oracle import Oracle


class DecidingOracle:
    """Writes as an `Oracle` does, but where it may choose among keys it takes one of the call's optional arguments.

    It takes the first whose whole key the constraint lets through, else the call's first key, else the end of a call
    without arguments: what a schedule that asks for one key after the other has to hear to get the call's own.
    Parameters are those of `Oracle`; `optional` names the tool's optional arguments.
    """

    def __init__(
        self,
        tool_name: str,
        values: Mapping[str, str],
        prompt_tokens: int,
        call_format: CallFormat,
        vocabulary: Vocabulary,
        optional: Collection[str],
    ) -> None:
        def oracle(some: Mapping[str, str]) -> Oracle:
            return Oracle(tool_name, some, prompt_tokens, call_format, vocabulary)

        alone = [{name: values[name]} for name in values if name in optional]
        starts: list[Mapping[str, str]] = [*alone, dict(list(values.items())[:1]), {}]
        self._prompt_tokens = prompt_tokens
        self._vocabulary = vocabulary
        self._whole = oracle(values)
        self._starts = [(oracle(some), _key_end(call_format, tool_name, some)) for some in starts]

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        if isinstance(rule, Constraint):
            for oracle, key_end in self._starts:
                token = self._towards(oracle, key_end, tokens, rule)
                if token is not None:
                    return token
        return self._whole.next_token(tokens, rule)

    def _towards(self, oracle: Oracle, key_end: int, tokens: Sequence[int], rule: Constraint) -> int | None:
        """What `oracle` writes next, if it may go on up to behind its key, of so many bytes; else None."""
        ahead, after = rule.copy(), list(tokens)
        while not ahead.is_finished and len(self._vocabulary.decode(after[self._prompt_tokens :])) < key_end:
            try:
                after.append(oracle.next_token(after, ahead))
            except ScheduleError:
                return None
            ahead.advance(after[-1])
        return after[len(tokens)] if len(after) > len(tokens) else None


def _key_end(call_format: CallFormat, tool_name: str, values: Mapping[str, str]) -> int:
    """Where the first value of a call starts, or its end without values, in bytes."""
    leads = (call_format.lead(name, True) for name in values)
    text = call_format.head(tool_name) + next(leads, call_format.end(False))
    return len(text.encode())
