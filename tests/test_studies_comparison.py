import json
import math
from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.commands import Pass, Phase, Row
from engine.errors import InputError
from studies.call_parts import AFTERWARDS, OUTSIDE
from studies.comparison import compare, to_json
from studies.quantities import geometric_mean
from studies.summary_table import summary_table
from studies.tables import (
    MISSING,
    Table,
    latency_table,
    ms_cell,
    number_cell,
    part_table,
    scope_text,
    work_table,
)
from tests.records_builder import SCHEDULES, make_run, serial_passes, study, tool_call

FACTORS = st.floats(0.25, 4.0)


def timed_run(ms, **names):
    """A run whose one pass after the prompt takes `ms`, with nothing outside passes."""
    return make_run(serial_passes(Phase.SERIAL, 1), pass_ms=lambda _: ms, host_ms=0.0, **names)


def only(comparison, schedule="constrained"):
    return next(item for item in comparison.schedules if item.schedule == schedule)


def test_equal_runs_have_no_error_and_agree():
    comparison = compare(study(calls=5))
    assert [item.schedule for item in comparison.schedules] == list(SCHEDULES)
    for item in comparison.schedules:
        for quantity in (item.tool_start_ms, item.final_ms, item.passes_per_call, item.host_ms_per_pass):
            assert quantity.bias_percent == pytest.approx(0, abs=1e-9)
            assert quantity.errors.p90_percent == pytest.approx(0, abs=1e-9)
            assert quantity.spread_percent == pytest.approx(0, abs=1e-9)
        assert str(item.equal_calls) == str(item.same_passes) == "5 of 5"
    assert all(part.time_ms.bias_percent == pytest.approx(0, abs=1e-9) for part in comparison.parts)
    assert all(call.error_percent == pytest.approx(0, abs=1e-9) for call in comparison.calls)


@settings(deadline=None)
@given(st.lists(FACTORS, min_size=6, max_size=6), st.lists(FACTORS, min_size=3, max_size=3))
def test_the_baseline_is_exactly_as_fast_as_itself(measured, predicted):
    runs = study(3, 2, measured_factor=lambda c, r: measured[2 * c + r], predicted_factor=lambda c: predicted[c])
    base = only(compare(runs))
    ratios = (base.tool_start_speedup, base.final_speedup)
    assert all(ratio.measured == ratio.predicted == 1 for ratio in ratios)


@settings(deadline=None)
@given(FACTORS)
def test_a_uniform_error_is_the_bias_and_every_call_error(factor):
    comparison = compare(study(4, predicted_factor=lambda _: factor))
    percent = 100 * (factor - 1)
    for item in comparison.schedules:
        assert item.tool_start_ms.bias_percent == pytest.approx(percent, abs=1e-6)
        errors = item.final_ms.errors
        assert (errors.mean_percent, errors.median_percent, errors.p90_percent) == pytest.approx(
            (abs(percent),) * 3, abs=1e-6
        )
        assert item.tool_start_speedup.predicted == pytest.approx(item.tool_start_speedup.measured)
    assert all(part.time_ms.bias_percent == pytest.approx(percent, abs=1e-6) for part in comparison.parts)


@settings(deadline=None)
@given(st.lists(FACTORS, min_size=4, max_size=4))
def test_a_speedup_is_the_ratio_of_the_shown_means(factors):
    comparison = compare(study(4, predicted_factor=lambda call: factors[call]))
    base = only(comparison)
    for item in comparison.schedules:
        assert item.final_speedup.predicted == base.final_ms.predicted / item.final_ms.predicted
        assert item.final_ms.errors.median_percent <= item.final_ms.errors.p90_percent + 1e-9


def test_means_are_geometric_over_repeats_and_then_over_calls():
    # One call has three repeats, the other one: each call weighs the same all the same.
    times = {"a": (100.0, 200.0, 400.0), "b": (50.0,)}
    runs = [timed_run(ms, call_id=c, repeat=n) for c, many in times.items() for n, ms in enumerate(many)]
    assert only(compare(runs)).tool_start_ms.measured == pytest.approx(math.sqrt(200 * 50))


def test_a_call_error_is_from_the_median_of_its_repeats():
    runs = [timed_run(ms, repeat=n) for n, ms in enumerate((90.0, 100.0, 500.0))]
    item = only(compare([*runs, timed_run(110.0, source="simulated")]))
    assert item.tool_start_ms.errors.median_percent == pytest.approx(10)
    [call] = compare([*runs, timed_run(110.0, source="simulated")]).calls
    assert (call.measured_ms, call.measured_low_ms, call.measured_high_ms) == (100.0, 90.0, 500.0)
    assert call.error_percent == pytest.approx(10)


def test_median_and_p90_are_over_calls():
    names = [f"c{n}" for n in range(11)]
    measured = [timed_run(100.0, call_id=name) for name in names]
    predicted = [timed_run(100.0 + n, call_id=name, source="simulated") for n, name in enumerate(names)]
    errors = only(compare(measured + predicted)).final_ms.errors
    assert (errors.median_percent, errors.p90_percent) == (pytest.approx(5), pytest.approx(9))


def test_the_spread_is_the_median_calls_coefficient_of_variation():
    times = {"a": (100.0, 100.0), "b": (99.0, 101.0), "c": (10.0, 1000.0), "d": (7.0,)}
    runs = [timed_run(ms, call_id=c, repeat=n) for c, many in times.items() for n, ms in enumerate(many)]
    assert only(compare(runs)).final_ms.spread_percent == pytest.approx(math.sqrt(2))


def test_a_spread_needs_repeats():
    assert only(compare([timed_run(5.0), timed_run(6.0, call_id="other")])).final_ms.spread_percent is None


def test_the_order_of_repeats_and_calls_changes_nothing():
    runs = study(4, measured_factor=lambda call, repeat: 1 + 0.1 * call + 0.03 * repeat)
    for some, other in zip(compare(runs).schedules, compare(runs[::-1]).schedules, strict=True):
        assert some.schedule in SCHEDULES
        twin = only(compare(runs[::-1]), some.schedule)
        assert some.final_ms.measured == pytest.approx(twin.final_ms.measured)
        assert some.final_ms.spread_percent == pytest.approx(twin.final_ms.spread_percent)
        assert other.equal_calls.same == 4


def test_the_parts_add_up_to_the_mean_final_latency():
    runs = study(3, 2, measured_factor=lambda call, repeat: 1 + call + 0.1 * repeat)
    comparison = compare(runs)
    for schedule in SCHEDULES:
        inside = [p for p in comparison.parts if p.schedule == schedule and p.part not in (Phase.PROMPT, AFTERWARDS)]
        finals = [r.final_ms for r in runs if r.schedule == schedule and r.source == "measured"]
        assert sum(part.time_ms.measured for part in inside) == pytest.approx(fmean(finals))
        parts = [p for p in comparison.parts if p.schedule == schedule and p.part != Phase.PROMPT]
        assert sum(part.passes_per_call.measured or 0 for part in parts) == pytest.approx(
            only(comparison, schedule).passes_per_call.measured
        )


def test_passes_behind_the_final_call_are_a_part_of_their_own_and_in_no_latency():
    run = make_run(serial_passes(Phase.SERIAL, 2), pass_ms=lambda _: 10.0)
    early = replace(run, emits=(replace(run.emits[-1], at_ms=run.passes[-1].start_ms),))
    parts = {part.part: part for part in compare([early]).parts}
    assert parts[AFTERWARDS].time_ms.measured == pytest.approx(10.0)
    assert parts[AFTERWARDS].passes_per_call.measured == 1
    assert parts["serial"].passes_per_call.measured == 1


def test_parts_come_in_the_order_of_a_call():
    names = [part.part for part in compare(study(1)).parts if part.schedule == "schemaweaver"]
    assert names == ["prompt", "name", "skeleton", "values", "write_back", "optional", OUTSIDE]


def test_a_phase_that_only_some_calls_have_is_zero_in_the_others():
    runs = [
        make_run(serial_passes(Phase.SERIAL, 1), call_id="a", pass_ms=lambda _: 10.0),
        make_run(serial_passes(Phase.JUMP, 1), call_id="b", pass_ms=lambda _: 30.0),
    ]
    simulated = [replace(run, source="simulated") for run in runs]
    times = {part.part: part.time_ms for part in compare(runs + simulated).parts}
    assert (times["serial"].measured, times["jump"].measured) == (5.0, 15.0)
    assert times["jump"].errors.p90_percent == 0


@pytest.mark.parametrize(("kept", "lost"), [("measured", "predicted"), ("simulated", "measured")])
def test_a_missing_source_is_none(kept, lost):
    comparison = compare([run for run in study(3) if run.source == kept])
    for item in comparison.schedules:
        assert getattr(item.tool_start_ms, lost) is getattr(item.final_speedup, lost) is None
        assert item.tool_start_ms.bias_percent is item.tool_start_ms.errors is item.same_passes is None
        assert str(item.equal_calls) == "3 of 3"
    assert comparison.calls == ()
    assert (comparison.repeats is None) == (kept == "simulated")


def test_a_source_may_be_missing_for_one_schedule_only():
    runs = [r for r in study(3) if (r.schedule, r.source) != ("jump_forward", "measured")]
    comparison = compare(runs)
    assert len(comparison.call_ids) == 3
    assert only(comparison, "jump_forward").final_ms.measured is None
    assert only(comparison, "jump_forward").final_speedup.predicted > 1
    assert str(only(comparison, "jump_forward").equal_calls) == "3 of 3"


def test_only_calls_that_every_schedule_has_are_compared():
    runs = [r for r in study(4) if (r.call_id, r.schedule, r.source) != ("c1", "schemaweaver", "simulated")]
    comparison = compare(runs)
    assert (comparison.call_ids, comparison.left_out) == (("c0", "c2", "c3"), ("c1",))
    kept = compare([run for run in runs if run.call_id != "c1"])
    assert comparison.schedules == kept.schedules
    assert (
        scope_text(comparison)
        == "3 calls compared; each measured 3 times per schedule; 1 left out for want of a run: c1."
    )


def test_without_the_baseline_ratios_are_none():
    comparison = compare(study(2, schedules=("jump_forward",)))
    item = only(comparison, "jump_forward")
    assert item.final_speedup.measured is item.equal_calls is None
    assert item.final_ms.measured > 0


def test_no_runs_and_no_common_call_give_empty_comparisons():
    assert compare([]).schedules == ()
    item = only(compare([timed_run(5.0, call_id="a"), timed_run(5.0, call_id="b", source="simulated")]))
    assert (item.final_ms.measured, item.final_ms.predicted, item.equal_calls) == (None, None, None)


@pytest.mark.parametrize(
    ("call", "baseline_call", "equal"),
    [
        (tool_call("Oslo"), tool_call("Oslo"), "1 of 1"),
        (tool_call("Oslo"), tool_call("Rome"), "0 of 1"),
        (tool_call("Oslo", complete=False), tool_call("Oslo"), "0 of 1"),
        (tool_call("Oslo", complete=False), tool_call("Oslo", complete=False), "1 of 1"),
    ],
)
def test_equal_calls(call, baseline_call, equal):
    runs = [
        timed_run(5.0, call=baseline_call),
        timed_run(5.0, schedule="jump_forward", call=call),
    ]
    assert str(only(compare(runs), "jump_forward").equal_calls) == equal


def test_one_repeat_that_differs_makes_a_call_unequal():
    runs = study(2)
    odd = next(run for run in runs if (run.schedule, run.call_id, run.repeat) == ("jump_forward", "c1", 2))
    other = replace(odd, emits=(replace(odd.emits[0], call=tool_call("Rome")),))
    agreement = only(compare([other if run is odd else run for run in runs]), "jump_forward").equal_calls
    assert (agreement.same, agreement.of, agreement.differing) == (1, 2, ("c1",))


@pytest.mark.parametrize(
    ("measured", "simulated", "shown"),
    [
        (True, None, "100.0 (21 to 100)"),
        (False, True, "0.0 (0 to 79)"),
        (None, True, MISSING),
        (None, None, MISSING),
    ],
)
def test_right_calls_are_those_of_measured_runs(measured, simulated, shown):
    runs = [timed_run(5.0, is_right=measured), timed_run(5.0, is_right=simulated, source="simulated")]
    comparison = compare(runs)
    summary = dict(zip(summary_table(comparison).headers, summary_table(comparison).rows[0], strict=True))
    assert summary.get("right calls %\n(95 % interval)", MISSING) == work_table(comparison).rows[0][-1] == shown


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (("simulated",), ["tool start\npredicted ms", "speed-up\npredicted", "final call\npredicted ms"]),
        (("measured",), ["tool start\nms", "speed-up\nmeasured", "final call\nms"]),
        (
            ("measured", "simulated"),
            [
                "tool start\nms",
                "predicted\nms",
                "bias\n%",
                "error per call\nmedian %",
                "\nP90 %",
                "speed-up\nmeasured",
                "\npredicted",
                "final call\nms",
                "predicted\nms",
            ],
        ),
    ],
)
def test_columns_that_nobody_has_are_left_out_and_the_others_say_what_they_are_of(sources, expected):
    table = summary_table(compare([timed_run(5.0, source=source) for source in sources]))
    always = ("schedule", "passes\nper call", "same call as\nconstrained")
    assert [header for header in table.headers if header not in always] == expected
    assert not any(cell == MISSING for cell in table.rows[0])


def test_right_calls_of_simulated_runs_alone_are_theirs():
    runs = [timed_run(5.0, call_id=f"c{n}", is_right=n > 0, source="simulated") for n in range(4)]
    found = only(compare(runs)).right_calls
    assert (found.right, found.of, found.wrong) == (3, 4, ("c0",))
    assert to_json(compare(runs))["schedules"][0]["right_calls"]["wrong"] == ["c0"]


def test_one_row_that_differs_makes_passes_differ():
    measured = make_run([Pass(Phase.SERIAL, (Row(5, 40, pick=True),))])
    same = make_run([Pass(Phase.SERIAL, (Row(5, 40, pick=True),))], source="simulated")
    unread = make_run([Pass(Phase.SERIAL, (Row(5, 40),))], source="simulated")
    assert only(compare([measured, same])).same_passes.differing == ()
    assert only(compare([measured, unread])).same_passes.differing == ("c0",)


def test_a_reused_prompt_does_not_make_passes_differ():
    commands = serial_passes(Phase.SERIAL, 3)
    runs = [
        make_run(commands),
        make_run(commands, repeat=1, prompt=False),
        make_run(commands, source="simulated"),
    ]
    assert str(only(compare(runs)).same_passes) == "1 of 1"


@pytest.mark.parametrize(
    ("runs", "problem"),
    [
        ([timed_run(5.0), timed_run(6.0)], "two measured runs 0"),
        ([timed_run(5.0, source="guessed")], "guessed"),
        ([timed_run(0.0)], "took no time"),
        ([replace(timed_run(5.0), emits=())], "one emission"),
        ([replace(timed_run(5.0), passes=())], "one pass"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(runs, problem):
    with pytest.raises(InputError, match=problem):
        compare(runs)


@settings(deadline=None)
@given(st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=8))
def test_the_geometric_mean_of_ratios_is_the_ratio_of_means(values):
    doubled = geometric_mean(2 * value for value in values)
    assert doubled / geometric_mean(values) == pytest.approx(2)
    assert min(values) * (1 - 1e-9) <= geometric_mean(values) <= max(values) * (1 + 1e-9)


def test_json_has_the_numbers_of_the_comparison():
    comparison = compare(study(2, predicted_factor=lambda _: 1.1))
    data = json.loads(json.dumps(to_json(comparison)))
    item = only(comparison)
    shown = data["schedules"][0]["tool_start_ms"]
    assert shown["measured"] == item.tool_start_ms.measured
    assert shown["bias_percent"] == item.tool_start_ms.bias_percent
    assert shown["errors"]["p90_percent"] == item.tool_start_ms.errors.p90_percent
    assert data["schedules"][0]["same_passes"] == {"same": 2, "of": 2, "differing": []}
    assert data["calls"][0]["error_percent"] == comparison.calls[0].error_percent
    assert (data["call_ids"], data["baseline"], data["repeats"]) == (["c0", "c1"], "constrained", [3, 3])


def test_tables_show_the_comparison():
    comparison = compare(study(2, predicted_factor=lambda _: 1.1))
    row = dict(zip(latency_table(comparison).headers, latency_table(comparison).rows[2], strict=True))
    assert (row["latency to"], row["schedule"]) == ("tool start", "schemaweaver")
    assert row["measured ms"] == ms_cell(only(comparison, "schemaweaver").tool_start_ms.measured)
    assert (row["bias %"], row["error median %"], row["machine spread %"]) == ("+10.0", "10.0", "0.0")
    work = work_table(comparison)
    assert work.headers[-4:-2] == ("same call as constrained", "same passes in both")
    assert work.rows[0][-4:] == ("2 of 2", "2 of 2", MISSING, MISSING)
    assert part_table(comparison).rows[1][:2] == ("constrained", "serial")


def test_tables_of_one_source_have_gaps_in_place_of_numbers():
    table = latency_table(compare([run for run in study(2) if run.source == "measured"]))
    row = dict(zip(table.headers, table.rows[0], strict=True))
    assert row["predicted ms"] == row["bias %"] == row["error P90 %"] == row["speed-up predicted"] == MISSING
    assert row["speed-up measured"] == "1.00x"


def test_a_table_refuses_rows_that_do_not_fit():
    with pytest.raises(InputError, match="another length"):
        Table(("a", "b"), (("1",),))


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, MISSING),
        (0.1234, "0.12"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (99.96, "100"),
        (12345.6, "12,346"),
    ],
)
def test_ms_cells(value, cell):
    assert ms_cell(value) == cell


@pytest.mark.parametrize(("value", "cell"), [(-0.04, "+0.0"), (0.06, "+0.1"), (-12.34, "-12.3"), (None, MISSING)])
def test_signed_cells(value, cell):
    assert number_cell(value, 1, sign="+") == cell
