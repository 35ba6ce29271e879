"""Prices of a sweep's points: those of `sim.pass_prices`, with laws of hardware, error bars and marks."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from sweep_cases import CALLS, DEVICES, FILE, ground, kept, table_of

from cost_models import AffineCost, CostModelError
from cost_models.conditions import Conditions
from cost_models.devices import read_device
from cost_models.energy import ASSUMED
from cost_models.models import read_model
from cost_models.passes import Passes
from engine.commands import Phase
from engine.errors import InputError
from sim.pass_prices import price
from sim.pass_table import PHASES, pass_table
from studies.sweep.contest import contest
from studies.sweep.kept_passes import DEFAULT_PASSES, find_passes, kept_passes
from studies.sweep.mean_time import FINAL, LATENCIES, LEAST_MS, RESULT, mean_time, run_times
from studies.sweep.misfits import misfits
from studies.sweep.point import Point, grid
from studies.sweep.priced import Priced
from studies.sweep.prices import outcomes
from tests.records_builder import SCHEDULES, make_run, schedule_passes

GROUND = ground()
STEP = 1e-6
bandwidths = st.floats(1.0, 200.0)
schedules = st.sampled_from(SCHEDULES)
devices = st.sampled_from(DEVICES)


def outcome(**where):
    return next(iter(outcomes([Point(**where)], GROUND)))


def geometric_mean(values):
    return float(np.exp(np.mean(np.log(values))))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_sweep_of_one_point_gives_the_prices_of_its_passes(device, schedule):
    found = outcome(device=device, schedule=schedule)
    model = read_device(device).cost().model
    own, baseline = (price(table_of(name), model) for name in (schedule, "constrained"))
    assert found.runs == CALLS
    assert found.tool_start_ms.value == pytest.approx(geometric_mean(own.tool_start_ms))
    assert found.final_ms.value == pytest.approx(geometric_mean(own.final_ms))
    ratio = geometric_mean(baseline.final_ms / own.final_ms)
    assert found.final_speedup.value == pytest.approx(ratio)
    qwen3 = "Passes are of the tokens of ggml-vocab-qwen3.gguf, in place of Qwen2.5-Coder-0.5B-Q4_K_M's own."
    assert found.assumed == ((qwen3,) if device == "epyc-2-cores" else ())


@examples(40)
@given(devices, schedules, bandwidths, bandwidths)
def test_more_bandwidth_is_never_slower(device, schedule, one, other):
    slow, fast = (outcome(device=device, schedule=schedule, bandwidth_gb_s=each) for each in sorted((one, other)))
    for latency in ("tool_start_ms", "final_ms", "result_ms"):
        assert getattr(fast, latency).value <= getattr(slow, latency).value * (1 + 1e-9)


@examples(40)
@given(schedules, st.floats(200.0, 6000.0), st.floats(200.0, 6000.0))
def test_a_faster_bus_is_never_slower(schedule, one, other):
    slow, fast = (outcome(device="pixel-7", schedule=schedule, bus_mhz=each) for each in sorted((one, other)))
    assert fast.final_ms.value <= slow.final_ms.value * (1 + 1e-9)


@examples(30)
@given(schedules, bandwidths)
def test_bounds_lie_around_their_value_and_a_schedule_is_as_fast_as_itself_for_sure(schedule, bandwidth):
    found = outcome(schedule=schedule, bandwidth_gb_s=bandwidth)
    for name in ("tool_start_ms", "final_ms", "result_ms", "tool_start_speedup", "final_speedup"):
        bounds = getattr(found, name)
        assert 0 < bounds.low <= bounds.value <= bounds.high
    itself = outcome(schedule="constrained", bandwidth_gb_s=bandwidth).final_speedup
    assert (itself.low, itself.value, itself.high) == pytest.approx((1.0, 1.0, 1.0))


def test_a_device_whose_errors_nobody_knows_has_no_bounds():
    found = outcome(device="oneplus-12r-gpu")
    assert (found.final_ms.low, found.final_ms.high) == (None, None)
    assert not found.final_speedup.has_errors


CONDITIONS = (Conditions(), Conditions(bandwidth_gb_s=9.0), Conditions(tile_rows=8))


@pytest.mark.parametrize("name", ["oneplus-12r", "epyc-2-cores"])
@pytest.mark.parametrize("conditions", CONDITIONS)
def test_bounds_of_times_and_ratios_are_those_that_the_device_gives(name, conditions):
    device = read_device(name)
    runs = contest({schedule: table_of(schedule) for schedule in SCHEDULES})
    priced = Priced(runs, device, conditions, device.cost(conditions).model, 0.1)
    passes = {schedule: passes_of(table_of(schedule)) for schedule in SCHEDULES}
    means = {schedule: priced.mean(schedule, FINAL) for schedule in SCHEDULES}
    own, ratio = priced.time(means["schemaweaver"]), priced.ratio(means["constrained"], means["schemaweaver"])
    check_bounds(own, device.interval(passes["schemaweaver"], conditions))
    check_bounds(ratio, device.ratio_interval(passes["schemaweaver"], passes["constrained"], conditions))


def check_bounds(bounds, interval):
    expected = (interval.low, interval.value, interval.high)
    assert (bounds.low, bounds.value, bounds.high) == pytest.approx(tuple(map(float, expected)))


def passes_of(table):
    """The passes behind each run's prompt."""
    after = np.arange(len(table.runs)) - table.first_passes[table.runs] >= table.prompt_passes[table.runs]
    return Passes(table.rows[after], table.picks[after], table.context_tokens[after], table.runs[after])


def test_errors_of_one_size_do_not_average_out_over_contexts():
    """A serial pass that is off at 500 tokens of context is off at 501."""
    short, long = (outcome_of_serial(passes) for passes in (2, 40))
    assert short.high / short.value == pytest.approx(long.high / long.value, rel=1e-3)


def outcome_of_serial(passes):
    table = pass_table([make_run(schedule_passes("constrained", passes))])
    device = read_device("oneplus-12r")
    priced = Priced(contest({"constrained": table}), device, Conditions(), device.cost().model, 0.1)
    return priced.time(priced.mean("constrained", FINAL))


@given(st.floats(0.0, 5000.0))
def test_a_result_is_there_when_the_call_is_final_and_the_tool_has_ended(tool_ms):
    table = table_of("schemaweaver")
    latencies = price(table, AffineCost(base_ms=10.0, row_ms=1.0, host_ms=1.0))
    times = run_times(table, latencies, tool_ms)
    assert times[FINAL].ms.tolist() == latencies.final_ms.tolist()
    assert times[RESULT].ms.tolist() == np.maximum(latencies.final_ms, latencies.tool_start_ms + tool_ms).tolist()


@dataclass(frozen=True)
class Slowed:
    """A cost of which passes at one size take a little longer."""

    size: tuple[float, float, float]
    host_ms: float = 2.0

    def pass_ms(self, rows, picks, context_tokens):
        is_it = (rows == self.size[0]) & (picks == self.size[1]) & (context_tokens == self.size[2])
        return (10.0 + rows + 0.1 * context_tokens) * np.where(is_it, 1 + STEP, 1.0)

    def covers(self, rows, picks, context_tokens):
        return np.ones(np.shape(rows), dtype=bool)


@pytest.mark.parametrize("latency", LATENCIES)
def test_shares_of_a_mean_are_how_it_grows_with_each_kinds_time(latency):
    runs = contest({"schemaweaver": table_of("schemaweaver")})
    kinds = runs.table.distinct

    def mean(cost):
        return Priced(runs, read_device("oneplus-12r"), Conditions(), cost, 0.1).mean("schemaweaver", latency, 30.0)

    plain = mean(Slowed((0, 0, 0)))
    assert plain.shares.any()
    for kind, share in enumerate(plain.shares):
        slowed = mean(Slowed((kinds.rows[kind], kinds.picks[kind], kinds.context_tokens[kind])))
        assert (slowed.log_ms - plain.log_ms) / STEP == pytest.approx(share, abs=1e-4)


def test_a_latency_of_nothing_counts_as_the_least():
    table = table_of("schemaweaver")
    times = replace(run_times(table, price(table, AffineCost(base_ms=1.0, row_ms=0.0)), 0.0)[FINAL])
    nothing = replace(times, ms=np.zeros(table.run_count), passes=table.prompt_passes)
    found = mean_time(table, np.ones(table.run_count, dtype=bool), nothing, np.ones(len(table.runs)))
    assert found.log_ms == pytest.approx(np.log(LEAST_MS))
    assert not found.shares.any()


@pytest.mark.parametrize(
    ("where", "is_extrapolated"),
    [
        ({"device": "pixel-7"}, False),
        ({"device": "pixel-7", "bus_mhz": 3172.0}, False),
        ({"device": "pixel-7", "bus_mhz": 676.0}, False),
        ({"device": "pixel-7", "bus_mhz": 675.0}, True),
        ({"device": "pixel-7", "bus_mhz": 4000.0}, True),
        ({"device": "oneplus-12r", "bandwidth_gb_s": 20.0}, True),
        ({"device": "oneplus-12r", "quantisation": "Q4_0"}, True),
        ({"device": "oneplus-12r", "tile_rows": 8}, True),
        ({"device": "oneplus-12r", "tile_rows": 4}, False),
    ],
)
def test_points_under_conditions_that_nobody_measured_are_marked_and_say_what_is_assumed(where, is_extrapolated):
    found = outcome(**where)
    assert found.is_extrapolated is is_extrapolated
    assert not is_extrapolated or (found.outside_percent == pytest.approx(100.0) and found.assumed)


def test_the_share_outside_is_that_of_passes_wider_than_measured():
    """Of a skeleton's 20 rows and 8-row values nothing is outside; a context past 512 tokens is."""
    far = replace(FILE.table, context_tokens=FILE.table.context_tokens + 100_000)
    near = outcome(schedule="schemaweaver")
    passes = kept_passes(replace(FILE, table=far), SCHEDULES, CALLS, 0)
    beyond = next(iter(outcomes([Point(schedule="schemaweaver")], replace(GROUND, passes=passes, contests={}))))
    assert near.outside_percent == 0.0
    assert beyond.outside_percent == pytest.approx(100.0)


@pytest.mark.parametrize("conditions", [{}, {"bus_mhz": 676.0}, {"quantisation": "Q4_0"}])
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_energy_of_a_call_is_that_of_the_passes_it_waits_for(schedule, conditions):
    found = outcome(device="pixel-7", schedule=schedule, **conditions)
    table, device = table_of(schedule), read_device("pixel-7")
    energy = device.energy(table.rows, table.picks, table.context_tokens, Conditions(**conditions))
    place = np.arange(len(table.runs)) - table.first_passes[table.runs]
    for name, last in (("tool_start_energy", table.tool_start_passes), ("final_energy", table.final_passes)):
        waited = (place >= table.prompt_passes[table.runs]) & (place < last[table.runs])
        assert getattr(found, name).cpu_j == pytest.approx(energy.cpu_j[waited].sum() / CALLS)
        assert getattr(found, name).memory_j == pytest.approx(energy.memory_j[waited].sum() / CALLS)


@examples(30)
@given(schedules, st.floats(200.0, 6000.0), st.floats(200.0, 6000.0))
def test_energy_is_never_negative_grows_over_a_call_and_no_slower_bus_saves_any(schedule, one, other):
    slow, fast = (outcome(device="pixel-7", schedule=schedule, bus_mhz=each) for each in sorted((one, other)))
    for each in (slow, fast):
        assert 0 <= each.tool_start_energy.cpu_j <= each.final_energy.cpu_j
        assert 0 <= each.tool_start_energy.memory_j <= each.final_energy.memory_j
    assert fast.final_energy.cpu_j <= slow.final_energy.cpu_j * (1 + 1e-9)
    assert fast.final_energy.memory_j == slow.final_energy.memory_j


def test_a_head_draws_its_share():
    own = table_of("schemaweaver")
    drafts = replace(own, phases=np.full_like(own.phases, PHASES.index(Phase.DRAFT)))
    pixel = read_device("pixel-7")
    energy, of_head = (
        Priced(contest({"schemaweaver": table}), pixel, Conditions(), pixel.cost().model, 0.25).energy(
            "schemaweaver", FINAL
        )
        for table in (own, drafts)
    )
    assert (of_head.cpu_j, of_head.memory_j) == pytest.approx((0.25 * energy.cpu_j, 0.25 * energy.memory_j))


@pytest.mark.parametrize(("device", "fits"), [("oneplus-12r", True), ("pixel-7", False), ("epyc-2-cores", None)])
def test_whether_a_model_fits_is_what_the_device_says_at_the_longest_context(device, fits):
    model = read_model("Qwen3-4B")
    found = next(iter(outcomes([Point(device=device, model="4B")], replace(GROUND, models={"4B": model}))))
    context_tokens = max(table_of(name).context_tokens.max() for name in ("constrained", "schemaweaver"))
    peak = read_device(device).peak_memory(int(context_tokens), Conditions(model=model))
    assert found.fits is fits
    assert found.peak_memory_bytes == peak.total_bytes
    assert len(misfits([found, found])) == (fits is False)


def test_a_device_of_unknown_power_has_no_energy():
    found = outcome(device="oneplus-12r", quantisation="Q4_0")
    assert found.final_energy is None
    assert ASSUMED not in found.assumed


@pytest.mark.parametrize(("bus_mhz", "is_other"), [(676.0, True), (3172.0, False), (None, False)])
def test_energy_under_other_conditions_says_what_it_assumes(bus_mhz, is_other):
    assert (ASSUMED in outcome(device="pixel-7", bus_mhz=bus_mhz).assumed) is is_other


def test_outcomes_come_in_the_order_of_their_points_whatever_is_priced_together():
    points = grid({"schedule": SCHEDULES, "bus": (676.0, 3172.0), "tool-ms": (0.0, 900.0)}, Point(device="pixel-7"))
    found = list(outcomes(points, GROUND))
    assert [each.point for each in found] == list(points)
    backwards = list(outcomes(points[::-1], GROUND))
    assert backwards[::-1] == found


def test_a_condition_that_a_device_does_not_know_is_named():
    with pytest.raises(CostModelError, match=r"bus_mhz: .* cannot be scaled to 600"):
        outcome(device="oneplus-12r", bus_mhz=600.0)


def test_kept_passes_are_the_same_calls_by_every_schedule_and_follow_the_seed():
    some = kept(calls=2)
    tables = [some.table(Point(schedule=name), None) for name in SCHEDULES]
    assert len({tuple(table.call_ids.tolist()) for table in tables}) == 1
    assert tables[0].run_count == 2
    drawn = {tuple(kept(calls=2, seed=seed).table(Point(schedule="constrained"), None).call_ids) for seed in range(20)}
    assert len(drawn) > 1


def test_calls_that_a_schedule_left_incomplete_are_left_out_of_all():
    statuses = FILE.table.statuses.astype("<U10")
    statuses[(FILE.table.call_ids == "c1") & (FILE.table.schedules == "schemaweaver")] = "incomplete"
    cut = replace(FILE, table=replace(FILE.table, statuses=statuses))
    table = kept_passes(cut, SCHEDULES, 3, 0).table(Point(schedule="constrained"), None)
    assert table.call_ids.tolist() == ["c0", "c2", "c3"]
    with pytest.raises(InputError, match="4 calls were asked for; those with arguments are 3"):
        kept_passes(cut, SCHEDULES, 4, 0)


def test_the_passes_that_are_swept_without_a_name_come_with_the_project():
    assert {"constrained", "jump_forward", "schemaweaver"} <= set(find_passes(DEFAULT_PASSES).key.schedules)


def test_passes_by_no_name_and_no_schedule_list_what_there_is(tmp_path):
    with pytest.raises(InputError, match=r"nothing.parquet: no such file, nor passes by name; by name: "):
        find_passes(str(tmp_path / "nothing.parquet"))
    with pytest.raises(InputError, match="no run by schedule 'verified'; there are: constrained, jump_forward"):
        kept(schedules=("verified",))
