"""A call's tokens on the trunk, read off a run's rows."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases, examples, schedule_names, whims
from toy_vocabulary import toy_vocabulary
from tracing import trace

from engine.commands import Pass, Phase, Row
from engine.errors import InputError
from engine.records import PassRecord
from studies.trunk_call import trunk_call
from tests.records_builder import PROMPT_TOKENS, make_run, tool_call


@examples(60)
@given(cases(max_call_tokens=120), whims, schedule_names, st.booleans())
def test_the_tokens_are_those_that_the_trunk_holds_in_the_end(case, whim, schedule, is_oracle):
    writer = case.oracle() if is_oracle else whim.writer(case.vocabulary)
    run = trace(schedule, case.request, writer)
    call = trunk_call(run.record(), case.vocabulary)
    assert call.tokens == run.trunk_call_tokens
    if schedule == "constrained":
        forced = len(run.request.toolset.call_constraint().forced()[:1])
        assert call.picked == frozenset(range(forced, len(call.tokens)))


def record(picks, *rows):
    """A pass over `rows`, each a call token's number and the token, with picks by row number."""
    own = tuple(Row(token, PROMPT_TOKENS + number, pick=row in picks) for row, (number, token) in enumerate(rows))
    return PassRecord(Pass(Phase.SERIAL, own), 0.0, 1.0, tuple(picks.items()))


def run_of(text, *records):
    return replace(make_run([], call=replace(tool_call(), text=text)), passes=tuple(records))


def spelled(text):
    return toy_vocabulary().encode(text)


def test_rows_at_a_position_that_was_passed_replace_what_stood_there_and_void_the_picks_behind_it():
    a, b, c, d = spelled("wxyz")
    run = run_of(
        "wzy",
        record({0: b, 1: c}, (0, a), (1, b)),
        record({0: d}, (2, c)),
        # The draft at 1 did not stand: b and c are gone, and so is the pick of c behind b.
        record({0: c}, (1, d)),
        record({}, (2, c)),
    )
    call = trunk_call(run, toy_vocabulary())
    assert call.tokens == (a, d, c)
    assert call.picked == {2}
    same_again = run_of("wzy", *run.passes[:2], record({}, (1, d)), record({}, (2, c)))
    assert trunk_call(same_again, toy_vocabulary()).picked == frozenset()


def test_drafts_that_were_removed_at_the_end_are_no_part_of_the_call():
    a, b, c = spelled("wxy")
    run = run_of("wx", record({0: b}, (0, a), (1, b), (2, c)))
    call = trunk_call(run, toy_vocabulary())
    assert (call.tokens, call.picked) == ((a, b), {1})


def test_rows_of_branches_are_not_the_trunks():
    a, b = spelled("wx")
    branch = PassRecord(Pass(Phase.VALUES, (Row(b, PROMPT_TOKENS + 1, (1,), pick=True),)), 0.0, 1.0, ((0, b),))
    run = run_of("wx", record({}, (0, a)), branch, record({}, (1, b)))
    assert trunk_call(run, toy_vocabulary()).picked == frozenset()


def test_rows_that_do_not_spell_the_call_are_refused():
    run = run_of("other", record({}, *enumerate(spelled("wx"))))
    with pytest.raises(InputError, match=r"the rows of 'c0' by 'constrained' do not spell its call 'other': .* 'wx'"):
        trunk_call(run, toy_vocabulary())
