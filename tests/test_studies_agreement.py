"""Calls of several schedules side by side: where they first differ, and what their margins say."""

import json
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from strategies import WRITING, Case, cases, examples, whims

from engine.schedules import SCHEDULES
from engine.tools import Tool
from sim.backend import SimulatedBackend
from sim.memory import SequenceMemory
from sim.workload import WorkloadCall
from studies.agreeing import compare_on_engine
from studies.agreement import ComparedCall, Reason, compare_call, margin_of, reason_of, report_of, rivals_of, to_json
from studies.agreement_tables import difference_table, noise_text, pair_table
from studies.first_difference import Difference, Side
from studies.margins import OTHER_WIDTHS, CallMargins, Margin
from studies.measured_runs import RunPlan
from studies.noise import Noise, noise_of
from studies.written_call import write_call
from tests.embedded import ALARM, ASK, WEATHER, decoder

TOOL = Tool("get", "", {"properties": {n: {"type": "string"} for n in ("a", "b")}, "required": ["a", "b"]})
TOKYO = Case((TOOL,), TOOL, {"a": '"x"', "b": '"Tokyo"'})
PARIS = replace(TOKYO, values={"a": '"x"', "b": '"Paris"'})
schedule_pairs = st.sampled_from(list(permutations(WRITING, 2)))
NOISE = Noise(choices=100, reversed=2, p95=0.25, max=0.5, widths=())


def written(schedule, case, writer=None):
    """The case's request by a schedule, with the case's own call for what the model writes."""
    backend = SimulatedBackend(writer or case.oracle(), SequenceMemory(capabilities=case.request.capabilities))
    return write_call(schedule, case.request, backend)


def still(reference, movement=0.0):
    return Margin(reference, dict.fromkeys(OTHER_WIDTHS, reference + movement))


def compared(*calls, case=TOKYO):
    """Two calls side by side."""
    (call,) = compare_call("c0", len(case.request.prompt), calls, case.vocabulary)
    return call


def test_equal_calls_differ_nowhere():
    call = compared(written("constrained", TOKYO), written("jump_forward", TOKYO))
    assert (call.is_equal, call.difference, rivals_of([call])) == (True, None, {})


def test_the_first_differing_token_is_shown_from_both_sides():
    call = compared(written("constrained", TOKYO), written("jump_forward", PARIS))
    assert not call.is_equal
    difference = call.difference
    assert difference.behind + difference.first.text == TOKYO.text[: len(difference.behind + difference.first.text)]
    assert difference.behind + difference.other.text == PARIS.text[: len(difference.behind + difference.other.text)]
    assert (difference.first.is_picked, difference.other.is_picked, difference.is_respelled) == (True, True, False)
    assert rivals_of([call, call]) == {difference.index: (difference.other.token,) * 2}


def test_a_value_that_a_branch_decoded_was_not_picked_behind_the_text_before_it():
    branched = written("schemaweaver", TOKYO, PARIS.oracle())
    call = compared(written("constrained", TOKYO), branched)
    assert (call.difference.first.is_picked, call.difference.other.is_picked) == (True, False)
    assert reason_of(replace(call, margin=still(9.0)), NOISE) is Reason.ANOTHER_CONTEXT
    assert reason_of(replace(call, margin=still(0.1)), NOISE) is Reason.NEAR_TIE
    swapped = compared(branched, written("constrained", TOKYO))
    assert (swapped.difference.first.is_picked, swapped.difference.other.is_picked) == (False, True)


@examples(60)
@given(cases(max_call_tokens=120), whims, st.sampled_from(list(permutations(SCHEDULES, 2))))
def test_under_equal_logits_the_same_choice_is_made_alike(case, whim, schedules):
    """So with real logits, a difference in one choice is the engine's noise or an error of ours."""
    call = compared(*(written(name, case, whim.writer(case.vocabulary)) for name in schedules), case=case)
    event(f"equal: {call.is_equal}")
    difference = call.difference
    if difference is not None:
        assert difference.first.token != difference.other.token
        assert not difference.is_one_choice
        assert all(text.startswith(difference.behind.rstrip("\ufffd")) for text in call.texts)
        assert reason_of(replace(call, margin=still(9.0)), NOISE) is not Reason.UNEXPLAINED
    else:
        assert call.is_equal


@examples(40)
@given(cases(), schedule_pairs)
def test_schedules_of_a_model_that_knows_its_call_write_equal_ones(case, schedules):
    call = compared(*(written(name, case) for name in schedules), case=case)
    assert call.is_equal
    assert rivals_of([call]) == {}


def differing(first=None, other=None, *, margin=None, is_respelled=False, is_equal=False):
    difference = Difference(7, '{"a": "x", "b": "', first or PICKED, other or PICKED, is_respelled)
    return ComparedCall("c0", "other", is_equal, 40, ("one", "two"), (True, True), difference, margin)


PICKED = Side(5, "To", is_picked=True, could_be_other=True)
STRICT = Side(5, "To", is_picked=True, could_be_other=False)
ELSEWHERE = Side(6, "Pa", is_picked=False, could_be_other=False)
ENDED = Side(None, "", is_picked=False, could_be_other=False)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (differing(margin=still(0.2)), Reason.NEAR_TIE),
        (differing(margin=still(-0.25)), Reason.NEAR_TIE),
        (differing(margin=still(0.4)), Reason.RARE_NOISE),
        (differing(margin=still(-0.5)), Reason.RARE_NOISE),
        (differing(margin=still(0.51)), Reason.UNEXPLAINED),
        # The width moves this very choice by more than its margin.
        (differing(margin=still(0.9, movement=-1.0)), Reason.NEAR_TIE),
        (differing(margin=still(0.9, movement=0.8)), Reason.UNEXPLAINED),
        (differing(other=ELSEWHERE, margin=still(0.2)), Reason.NEAR_TIE),
        (differing(other=ELSEWHERE, margin=still(7.0)), Reason.ANOTHER_CONTEXT),
        (differing(first=ELSEWHERE, margin=still(-7.0)), Reason.ANOTHER_CONTEXT),
        (differing(other=ELSEWHERE, margin=still(7.0), is_respelled=True), Reason.RESPELLED),
        (differing(other=ELSEWHERE, margin=still(0.1), is_respelled=True), Reason.RESPELLED),
        (differing(margin=still(0.1), is_respelled=True), Reason.NEAR_TIE),
        # Each was picked, but not among the same tokens.
        (differing(first=STRICT, margin=still(0.1)), Reason.FORBIDDEN),
        (differing(other=STRICT, margin=still(7.0)), Reason.FORBIDDEN),
        (differing(other=ENDED), Reason.CUT),
        (differing(first=ENDED), Reason.CUT),
        (differing(), Reason.FORBIDDEN),
    ],
)
def test_the_reading_of_a_difference(call, reason):
    assert reason_of(call, NOISE) is reason


def test_a_margin_is_found_by_number_and_token():
    margins = CallMargins((), {(7, 6): still(0.5)})
    assert margin_of(differing(other=ELSEWHERE), margins) == still(0.5)
    assert margin_of(differing(), margins) is None
    assert margin_of(differing(other=ENDED), margins) is None
    assert margin_of(differing(other=ELSEWHERE, is_equal=True), margins) is None


def report():
    """Two schedules on two calls: one differs twice, by noise and in a branch; the other is the same twice."""
    same = replace(differing(), is_equal=True, difference=None, schedule="jump_forward")
    near, far = differing(margin=still(0.1)), differing(other=ELSEWHERE, margin=still(3.0))
    calls = [replace(same, call_id="c0"), near, replace(same, call_id="c1"), replace(far, call_id="c1")]
    return report_of("constrained", calls, [still(2.0, 0.25)] * 3)


def test_the_share_of_equal_calls_has_its_interval_and_the_others_their_readings():
    same, other = report().pairs
    assert (same.schedule, same.equal, same.of, same.percent, same.reasons) == ("jump_forward", 2, 2, 100.0, {})
    # Wilson's interval by hand, as in the test of right calls: z2 = 3.841459 and p = 1 give n / (n + z2).
    assert (same.low_percent, same.high_percent) == (pytest.approx(100 * 2 / 5.841459, abs=1e-3), pytest.approx(100))
    assert (other.equal, other.reasons) == (0, {Reason.NEAR_TIE: 1, Reason.ANOTHER_CONTEXT: 1})


def test_equal_calls_that_the_limit_cut_are_told():
    short = replace(TOKYO, max_call_tokens=20)
    call = compared(*(written(name, short) for name in ("constrained", "jump_forward")))
    assert (call.is_equal, call.are_complete) == (True, (False, False))
    (pair,) = report_of("constrained", [call], []).pairs
    assert (pair.equal, pair.cut_alike) == (1, 1)


def test_the_report_as_json_has_each_call_and_each_side():
    data = json.loads(json.dumps(to_json(report())))
    assert [pair["equal"] for pair in data["schedules"]] == [2, 0]
    assert [call["equal"] for call in data["calls"]] == [True, False, True, False]
    assert data["calls"][0] == {
        "call_id": "c0",
        "schedule": "jump_forward",
        "equal": True,
        "complete": {"constrained": True, "jump_forward": True},
        "same_tokens": True,
    }
    far = data["calls"][3]
    assert far["reason"] == "another context"
    assert far["difference"] == {
        "position": 47,
        "call_token": 7,
        "behind": '{"a": "x", "b": "',
        "constrained": {"token": 5, "text": "To", "is_picked": True, "could_be_other": True},
        "other": {"token": 6, "text": "Pa", "is_picked": False, "could_be_other": False},
        "is_respelled": False,
    }
    assert far["margin"]["reference"] == 3.0
    assert far["margin"]["at_widths"] == {"2": 3.0, "4": 3.0, "8": 3.0, "16": 3.0}
    assert (far["margin"]["is_within_noise_p95"], far["margin"]["is_within_noise_max"]) == (False, False)
    assert data["calls"][1]["margin"]["is_within_noise_max"]
    assert (data["noise"]["choices"], data["noise"]["max"]) == (3, 0.25)


def test_the_tables_show_what_the_report_has():
    same, other = pair_table(report()).rows
    assert same[:4] == ("jump_forward", "2 of 2", "0", "100.0 (34 to 100)")
    assert other[:4] == ("other", "0 of 2", "0", "0.0 (0 to 66)")
    assert dict(zip(Reason, other[4:], strict=True))[Reason.ANOTHER_CONTEXT] == "1"
    near, far = difference_table(report()).rows
    assert near == (
        "c0",
        "other",
        """'"a": "x", "b": "'""",
        "'To'",
        "'To'",
        "-",
        "near-tie",
        "7",
        "+0.100",
        "+0.100 to +0.100",
    )
    assert far[4:8] == ("'Pa'", "other", "another context", "7")
    assert "3 choices" in noise_text(report().noise)
    assert "up to 0.250 logits (P95 0.250)" in noise_text(report().noise)


@pytest.mark.parametrize(
    ("call", "cells"),
    [
        # What is fixed by the schema was not picked, and was decided nowhere else.
        (differing(first=replace(PICKED, is_picked=False), other=ENDED), ("'To'", "-", "-", "cut", "7", "-", "-")),
        (differing(), ("'To'", "'To'", "-", "forbidden", "7", "-", "-")),
    ],
)
def test_a_difference_without_a_margin_has_a_row_all_the_same(call, cells):
    (row,) = difference_table(report_of("constrained", [call], [])).rows
    assert row[3:] == cells


@pytest.mark.engine
def test_the_reference_on_the_real_engine_is_what_constrained_decoding_computes():
    """So its own tokens win there; in wider passes their margins move, and by far less than a wrong row would."""
    call = WorkloadCall("c0", tuple(ASK), (WEATHER, ALARM), "get_weather", {})
    plan = RunPlan(("constrained", "jump_forward", "schemaweaver"), tile_rows=4, max_call_tokens=96)
    results, margins = compare_on_engine(decoder(), call, plan)
    assert [result.schedule for result in results] == ["jump_forward", "schemaweaver"]
    assert all(result.is_equal or result.difference is not None for result in results)
    assert min(margin.reference for margin in margins.choices) >= 0
    noise = noise_of(margins.choices)
    assert noise.choices > 5
    assert 0 < noise.max < 2
