"""Schedules beside each other: ratios, the best of the exact ones, and the aims."""

from dataclasses import replace

import pytest

from engine.commands import Phase, Status
from engine.errors import InputError
from engine.schedules import EXACT, SCHEDULES
from studies.aims import HERE, MOST_HOST_MS, aims_of
from studies.comparison import LATENCIES
from studies.estimates import Estimate
from studies.speed import speed_of
from studies.speed_tables import aim_table, ratio_table, speed_table
from tests import strategies
from tests.records_builder import make_run, serial_passes, study, tool_call

SECONDS = {"constrained": 40, "jump_forward": 20, "jump_drafted": 16, "schemaweaver": 4, "auto": 18}
"""Passes by schedule, of a fixed length each; `schemaweaver` is the fastest, and not exact."""


def runs(passes=SECONDS, calls=3, repeats=2, host_ms=0.5, **chosen):
    return [
        make_run(
            serial_passes(Phase.SERIAL, count * (1 + call)),
            call_id=f"c{call}",
            schedule=schedule,
            repeat=repeat,
            pass_ms=lambda _: 10.0 - host_ms,
            host_ms=host_ms,
            **chosen,
        )
        for call in range(calls)
        for repeat in range(repeats)
        for schedule, count in passes.items()
    ]


def test_exact_schedules_are_those_that_the_law_tries():
    assert set(EXACT) == {"constrained", *strategies.EXACT}
    assert set(EXACT) <= set(SCHEDULES)


def test_ratios_are_of_the_others_latency_over_the_schedules_own():
    speed = speed_of(runs())
    assert [each.schedule for each in speed.schedules][:2] == ["constrained", "jump_forward"]
    for each in speed.schedules:
        for latency in LATENCIES:
            for other, found in each.times_faster[latency].items():
                assert found.value == pytest.approx(SECONDS[other] / SECONDS[each.schedule])
                assert (found.low, found.high) == pytest.approx((found.value, found.value))
        assert each.passes_per_call == SECONDS[each.schedule] * 2
        assert each.host_ms_per_pass == pytest.approx(0.5)


def test_tool_start_and_final_call_are_told_apart():
    speed = speed_of([run for run in study(3) if run.source == "measured"])
    early = speed.named("schemaweaver")
    assert early.latency_ms["tool start"] < early.latency_ms["final call"]
    assert early.times_faster["tool start"]["constrained"].value > early.times_faster["final call"]["constrained"].value
    assert speed.repeats == (3, 3)


def test_simulated_runs_have_no_repeats_and_the_same_ratios():
    measured = speed_of(runs(repeats=1))
    simulated = speed_of(runs(repeats=1, source="simulated"))
    assert (measured.repeats, simulated.repeats) == ((1, 1), None)
    assert [each.times_faster for each in simulated.schedules] == [each.times_faster for each in measured.schedules]
    assert [each.passes_per_call for each in simulated.schedules] == [
        each.passes_per_call for each in measured.schedules
    ]


def test_auto_is_laid_beside_the_fastest_exact_schedule_and_not_the_fastest_of_all():
    for latency, against in speed_of(runs()).against_best.items():
        assert latency in LATENCIES
        assert against.best == "jump_drafted"
        assert against.slower_percent.value == pytest.approx(12.5)


@pytest.mark.parametrize("left", [["constrained", "jump_forward"], ["auto"], ["auto", "schemaweaver"]])
def test_without_auto_or_another_exact_schedule_there_is_nothing_to_lay_it_beside(left):
    assert not speed_of(runs({name: SECONDS[name] for name in left})).against_best


def test_cut_calls_are_named_and_stay_in_the_means():
    whole = runs(repeats=1)
    cut = [
        make_run(
            [record.command for record in run.call_passes],
            call_id=run.call_id,
            schedule=run.schedule,
            pass_ms=lambda _: 9.5,
            call=tool_call(complete=False),
        )
        if (run.call_id, run.schedule) == ("c1", "auto")
        else run
        for run in whole
    ]
    assert sum(run.emits[-1].status is Status.INCOMPLETE for run in cut) == 1
    speed = speed_of(cut)
    assert {each.schedule: each.incomplete for each in speed.schedules if each.incomplete} == {"auto": ("c1",)}
    assert speed.named("auto").latency_ms == speed_of(whole).named("auto").latency_ms
    assert speed.named("auto").same_calls.differing == ("c1",)


def test_a_call_that_a_schedule_lacks_is_left_out_for_all():
    some = [run for run in runs() if (run.call_id, run.schedule) != ("c2", "auto")]
    speed = speed_of(some)
    assert (speed.call_ids, speed.left_out) == (("c0", "c1"), ("c2",))
    assert speed.named("constrained").passes_per_call == SECONDS["constrained"] * 1.5


def test_runs_that_took_no_time_are_refused():
    run = make_run(serial_passes(Phase.SERIAL, 1), pass_ms=lambda _: 0.0, host_ms=0.0)
    with pytest.raises(InputError, match="took no time"):
        speed_of([run])


@pytest.mark.parametrize("schedules", [dict.fromkeys(SCHEDULES, 4), {"verified": 4}])
def test_tables_have_a_row_per_schedule(schedules):
    speed = speed_of(runs(schedules))
    for table in (speed_table(speed, is_measured=True), speed_table(speed, is_measured=False), ratio_table(speed)):
        assert [row[0] for row in table.rows] == [each.schedule for each in speed.schedules]
    assert len(speed_table(speed, is_measured=True).headers) > len(speed_table(speed, is_measured=False).headers)


def found(here=SECONDS, phone=SECONDS, **chosen):
    phones = dict.fromkeys(("oneplus-12r", "oneplus-12r+read-only"), speed_of(runs(phone)))
    aims = aims_of(speed_of(runs(here, **chosen)), phones)
    return {(aim.place, aim.what.partition(" (")[0]): aim for aim in aims}


def test_aims_are_reached_by_what_is_found():
    here = {"constrained": 100, "jump_forward": 40, "auto": 30}
    aims = found(here, {"constrained": 100, "jump_forward": 31, "auto": 32})
    reached = {key: aim.is_reached for key, aim in aims.items()}
    assert reached == {
        (HERE, "auto's tool start sooner than jump_forward's"): False,
        (HERE, "auto's final call sooner than jump_forward's"): True,
        (HERE, "auto's tool start slower than the best exact schedule's"): True,
        (HERE, "auto's final call slower than the best exact schedule's"): True,
        ("oneplus-12r", "auto's final call sooner than constrained's"): True,
        ("oneplus-12r", "auto's tool start slower than the best exact schedule's"): False,
        ("oneplus-12r", "auto's final call slower than the best exact schedule's"): False,
        ("oneplus-12r+read-only", "auto's tool start sooner than constrained's"): False,
        ("oneplus-12r+read-only", "auto's tool start slower than the best exact schedule's"): False,
        ("oneplus-12r+read-only", "auto's final call slower than the best exact schedule's"): False,
        (HERE, "host time per pass of the schedule that has most"): False,
    }
    rows = [row[-1] for row in aim_table(tuple(aims.values())).rows]
    assert rows == ["yes" if is_reached else "no" for is_reached in reached.values()]


@pytest.mark.parametrize("host_ms", [MOST_HOST_MS / 2, MOST_HOST_MS * 2])
def test_the_hosts_time_is_that_of_the_schedule_that_has_most(host_ms):
    aim = found(host_ms=host_ms)[HERE, "host time per pass of the schedule that has most"]
    assert aim.found.value == pytest.approx(host_ms)
    assert aim.is_reached is (host_ms <= MOST_HOST_MS)


def test_an_aim_holds_at_its_bound():
    (aim, *_) = found().values()
    assert replace(aim, found=Estimate(aim.bound)).is_reached
    assert replace(aim, found=Estimate(aim.bound), is_limit=True).is_reached
    assert not replace(aim, found=Estimate(aim.bound - 0.01)).is_reached
    assert not replace(aim, found=Estimate(aim.bound + 0.01), is_limit=True).is_reached


def test_without_auto_there_are_no_aims_but_the_hosts():
    aims = aims_of(speed_of(runs({"constrained": 3})), {})
    assert [aim.unit for aim in aims] == ["ms"]
