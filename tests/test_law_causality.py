"""Causality: two runs whose models agree on a prefix have identical commands up to there."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import kinds, model, small_cases
from strategies import all_names, examples, whims
from tracing import Trace, trace

from engine.commands import Pass


class Turncoat:
    """Writes as one writer for some picks, then as another."""

    def __init__(self, first, second, after: int) -> None:
        self._first, self._second, self._left = first, second, after

    def next_token(self, tokens, constraint):
        self._left -= 1
        return (self._first if self._left >= 0 else self._second).next_token(tokens, constraint)


@examples(60)
@given(small_cases, whims, whims, kinds, st.integers(0, 40), all_names)
def test_causality_what_is_picked_later_changes_no_command_before(case, whim, other, kind, agreed, schedule):
    first = trace(schedule, case.request, model(case, whim, kind))
    turncoat = Turncoat(model(case, whim, kind), other.writer(case.vocabulary), agreed)
    second = trace(schedule, case.request, turncoat)
    common = commands_up_to_pick(first, agreed)
    assert second.commands[: len(common)] == common


def commands_up_to_pick(run: Trace, number: int) -> list:
    """The commands up to the pass that pick `number` (counted from 0) was read from; all where there are fewer."""
    passes = iter(run.passes)
    made = 0
    for position, command in enumerate(run.commands):
        if isinstance(command, Pass):
            made += len(next(passes)[1])
            if made > number:
                return run.commands[: position + 1]
    return run.commands
