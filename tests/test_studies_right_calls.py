"""The share of right calls and its interval."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.commands import Phase
from sim.verdict import RIGHT, wrong
from sim.workload import WorkloadCall
from studies.judged_runs import judged
from studies.right_calls import right_calls
from tests.records_builder import make_run, serial_passes, tool_call


def runs(*verdicts):
    return [
        make_run(serial_passes(Phase.SERIAL, 1), repeat=repeat, is_right=is_right)
        for repeat, is_right in enumerate(verdicts)
    ]


def of(right, count):
    return right_calls({f"c{n}": runs(n < right) for n in range(count)})


@pytest.mark.parametrize(
    ("right", "count", "low", "high"),
    # Wilson's interval by hand: (p + z2/2n -+ z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n), with z = 1.959964.
    [(0, 10, 0.0, 27.7533), (10, 10, 72.2467, 100.0), (5, 10, 23.6593, 76.3407), (67, 100, 57.3056, 75.4365)],
)
def test_the_interval_is_wilsons(right, count, low, high):
    share = of(right, count)
    assert (share.right, share.of, share.percent) == (right, count, pytest.approx(100 * right / count))
    assert (share.low_percent, share.high_percent) == (pytest.approx(low, abs=1e-3), pytest.approx(high, abs=1e-3))


@given(st.integers(1, 60).flatmap(lambda count: st.tuples(st.integers(0, count), st.just(count))))
def test_the_interval_holds_the_share_and_stays_within_0_and_100(case):
    share = of(*case)
    assert 0 <= share.low_percent <= share.percent + 1e-9
    assert share.percent - 1e-9 <= share.high_percent <= 100 + 1e-9
    assert len(share.wrong) == share.of - share.right


def test_a_call_is_right_where_each_of_its_runs_is_and_repeats_are_no_calls():
    share = right_calls({"a": runs(True, True, True), "b": runs(True, False), "c": runs(False)})
    assert (share.right, share.of, share.wrong) == (1, 3, ("b", "c"))
    assert str(share) == "33.3 (6 to 79)"


def test_calls_that_nobody_judged_are_not_counted():
    share = right_calls({"a": runs(True), "b": runs(None), "c": runs(True, None), "d": []})
    assert (share.right, share.of) == (1, 1)
    assert right_calls({"b": runs(None)}) is right_calls({}) is None


def test_a_run_is_judged_by_its_calls_own_rules():
    def judge(call):
        return RIGHT if call.arguments == {"city": "Tokyo"} else wrong("is elsewhere", "city")

    call = WorkloadCall("c0", (), (), "get_weather", {}, judge)
    right, other = (make_run(serial_passes(Phase.SERIAL, 1), call=tool_call(city)) for city in ("Tokyo", "Rome"))
    assert (judged(right, call).is_right, judged(right, call).why_wrong) == (True, "")
    assert (judged(other, call).is_right, judged(other, call).why_wrong) == (False, "'city' is elsewhere")
    assert judged(other, WorkloadCall("c0", (), (), "get_weather", {})) == other
