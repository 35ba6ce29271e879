"""Whether the machine was steady, and what the demo then says and shows."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cost_models import AffineCost, ErrorSummary
from studies.comparison import compare
from studies.machine.steadiness import WIDEST_DRIFT, WIDEST_SPREAD, WIDEST_SWING, Steadiness, steadiness, verdict
from studies.summary_table import summary_table
from tests.records_builder import study

EXPECTED_MS = 10.0
COST = AffineCost(base_ms=EXPECTED_MS, row_ms=0.0)
HELD_OUT = ErrorSummary(cells=10, mean=0.05, median=0.04, p90=0.1, worst=0.2, bias=0.01)
QUIET, SPREAD = [1.0, 1.05, 0.95], 0.08


def runs_at(factors, predicted_factor=1.0):
    """Measured and simulated runs; the passes before the measured ones took `factors` times what is expected."""
    runs = study(6, 3, predicted_factor=lambda _: predicted_factor)
    return [
        replace(run, serial_ms=EXPECTED_MS * factors[number % len(factors)]) if run.source == "measured" else run
        for number, run in enumerate(runs)
    ]


def said_of(runs, spread=SPREAD):
    return verdict(compare(runs), HELD_OUT, steadiness(runs, COST, spread))


def test_a_steady_machine_gets_a_verdict_on_the_prediction():
    steady, fit, start, final = said_of(runs_at(QUIET))
    assert steady.startswith("The machine was steady: a pass of one row before a run took 1.00 times")
    assert fit == "Pass sizes that the fit did not see are predicted to 5.0% in the mean, 10.0% at P90."
    assert start.startswith("The mean tool start is predicted to 0.0 % or better, inside run-to-run variation for all")
    assert final.startswith("The mean final call is predicted to 0.0 % or better, inside run-to-run variation for all")


def test_a_prediction_outside_the_variation_is_named_with_both_numbers():
    sentences = said_of(runs_at(QUIET, predicted_factor=1.2))
    assert "outside it for constrained (+20.0 %, varies by 0.0 %)" in sentences[2]


@pytest.mark.parametrize(
    ("factors", "spread"),
    [
        ([2.1, 2.0, 2.2], SPREAD),  # another program takes a core all the time
        ([1.0, 1.0, 30.0], SPREAD),  # or now and then
        ([0.4, 0.5], SPREAD),  # it did so while the costs of passes were measured
        (QUIET, 0.39),  # or during one of the sweeps
    ],
)
def test_records_of_a_busy_machine_give_no_times_and_say_to_run_again(factors, spread):
    runs = runs_at(factors)
    (sentence,) = said_of(runs, spread)
    assert sentence.startswith("The machine was busy: run again when nothing else runs.")
    table = summary_table(compare(runs), with_times=False)
    assert [header.split("\n")[0] for header in table.headers] == ["schedule", "passes", "same call as"]
    assert len(table.headers) < len(summary_table(compare(runs)).headers)


def test_runs_without_serial_passes_are_not_judged():
    (sentence,) = said_of(study(4, 2))
    assert "nobody knows whether its times mean anything" in sentence


@given(st.lists(st.floats(0.85, 1.15), min_size=2, max_size=40), st.floats(WIDEST_DRIFT * 2, 20))
def test_slowing_all_runs_alike_makes_a_steady_machine_a_busy_one(factors, slower):
    def found(times):
        return steadiness(runs_at([factor * times for factor in factors]), COST, SPREAD)

    assert found(1.0).is_steady
    assert not found(1.5 + slower).is_steady


@given(st.floats(0.05, 20), st.floats(1, 20), st.floats(1, 20), st.floats(0, 2))
def test_a_machine_is_steady_within_each_of_three_bounds(middle, below, above, spread):
    found = Steadiness(middle, middle / below, middle * above, 10, spread)
    within = abs(middle - 1) <= WIDEST_DRIFT and found.high / found.low <= WIDEST_SWING and spread <= WIDEST_SPREAD
    assert found.is_steady == within
