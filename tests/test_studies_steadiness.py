"""Whether the machine was steady, and what the demo then says and shows."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cost_models import AffineCost, ErrorSummary
from studies.commands.demo import printed_summary, study_of
from studies.comparison import compare
from studies.fitting import fit_measurement
from studies.machine.steadiness import WIDEST_DRIFT, steadiness, verdict
from studies.summary_table import summary_table
from tests.records_builder import PROMPT_TOKENS, study
from tests.test_calibration_fit import SMOOTH, measured

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
    within = "with a bias of +0.0 to +0.0 %, inside what single runs of a call vary by for all schedules."
    assert start == f"The mean tool start is predicted {within}"
    assert final == f"The mean final call is predicted {within}"


def test_a_prediction_outside_the_variation_is_named_with_both_numbers():
    sentences = said_of(runs_at(QUIET, predicted_factor=1.2))
    assert "a bias of +20.0 to +20.0 %, inside what single runs of a call vary by for 0 of 3 schedules" in sentences[2]
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
    assert sentence.startswith("The machine was busy during the runs or during the calibration: run again when nothing")
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


def test_prompts_past_what_was_measured_tell_nothing_of_the_machine():
    fitted = fit_measurement(measured(SMOOTH, noise=0.02), "this machine")
    run = replace(runs_at(QUIET)[0], reused_tokens=PROMPT_TOKENS)
    assert steadiness([run], fitted.profile.table, SPREAD) is not None
    assert steadiness([replace(run, reused_tokens=1_000_000)], fitted.profile.table, SPREAD) is None


@pytest.mark.parametrize(("slower", "is_steady"), [(1.0, True), (2.5, False)])
def test_the_demo_prints_times_of_a_steady_machine_alone(capsys, slower, is_steady):
    fitted = fit_measurement(measured(SMOOTH, noise=0.02), "this machine")
    expected_ms = fitted.profile.table.pass_ms(1, 1, PROMPT_TOKENS + 1)
    runs = [
        replace(run, reused_tokens=PROMPT_TOKENS, serial_ms=expected_ms * slower if run.source == "measured" else None)
        for run in study(6, 3)
    ]
    shown, steady = study_of("bfcl:6", 0, 3, runs, fitted)
    summary = printed_summary(shown, fitted, steady)
    assert steady is is_steady
    assert ("tool start" in summary.split("6 calls compared")[0]) is is_steady
    assert ("run again" in summary) is not is_steady
    printed = capsys.readouterr().out
    assert all(line in printed for line in summary.splitlines())
    assert ("Error of predicted pass times" in printed) is is_steady
    assert ("So no times are printed here" in printed) is not is_steady
