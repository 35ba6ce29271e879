"""Where something starts to pay: what lies just before and behind an answer differs in sign."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from sweep_cases import ground

from cost_models.conditions import Conditions
from cost_models.devices import read_device
from studies.asking import Asking, open_preparer
from studies.models import embedded_model
from studies.sweep.arguments_answer import arguments_answer
from studies.sweep.bounds import Bounds
from studies.sweep.break_even_point import BreakEven, break_even, in_brackets
from studies.sweep.bus_answer import bus_answer
from studies.sweep.crossing import last_crossing
from studies.sweep.mean_time import FINAL, TOOL_START
from studies.sweep.padding import FEWEST, best_batches, padded_batch, stops_paying
from studies.sweep.padding_answer import padding_answer
from studies.sweep.point import Point
from studies.sweep.prices import BASELINE, Ground
from studies.sweep.run_passes import RunPasses, made_calls_of, with_shape
from studies.sweep.side_by_side import ArgumentGains, argument_gains
from studies.sweep.slow_bus import FASTEST, SLOWEST, BusRange, bus_range, slow_bus

PHONES = ("oneplus-12r", "pixel-7")
GROUND = ground()


@given(st.floats(0.5, 900.0), st.floats(0.1, 5.0))
def test_a_crossing_is_where_a_falling_curve_comes_down_to_zero(place, power):
    found = last_crossing(lambda x: (place / x) ** power - 1, 0.25, 1000.0)
    assert found == pytest.approx(place, rel=1e-4)


@pytest.mark.parametrize("curve", [lambda x: 1.0, lambda x: -1.0, lambda x: x - 5.0])
def test_a_curve_that_does_not_come_down_has_no_crossing(curve):
    assert last_crossing(curve, 1.0, 10.0) is None


def test_of_several_crossings_the_last_one_counts():
    assert last_crossing(lambda x: np.sin(x), 1.0, 11.0) == pytest.approx(3 * np.pi, rel=1e-4)


gains = st.lists(st.tuples(*[st.floats(0.5, 2.0)] * 3).map(sorted), min_size=1, max_size=9)


@given(gains, st.integers(1, 3))
def test_from_its_value_on_all_pay_and_the_one_before_does_not(drawn, first):
    found = break_even([Bounds(value, low, high) for low, value, high in drawn], first)
    for end, at in ((found.low, 2), (found.value, 1), (found.high, 0)):
        pays = [each[at] > 1 for each in drawn]
        if end is None:
            assert not pays[-1]
            continue
        assert all(pays[end - first :])
        assert end == first or not pays[end - first - 1]
    assert found.high is None or found.low <= found.value <= found.high


@pytest.mark.parametrize(
    ("point", "text"),
    [
        (BreakEven(3, 3, 3), ""),
        (BreakEven(3, None, None), ""),
        (BreakEven(3, 2, 5), " (from 2 possibly, for sure from 5)"),
        (BreakEven(3, 2, None), " (from 2 possibly, nowhere for sure)"),
    ],
)
def test_what_errors_leave_open_is_said(point, text):
    assert in_brackets(point) == text


@pytest.mark.parametrize("name", [*PHONES, "oneplus-12r-gpu"])
@pytest.mark.parametrize("rows", [2, 3, 4, 8, 16])
def test_padding_pays_where_the_padded_pass_is_the_cheaper_one(name, rows):
    device = read_device(name)
    cost = device.cost().model
    batch = padded_batch(device, Conditions(), rows, 6, 300)
    counts = range(FEWEST, min(rows - 1, 6) + 1)
    assert len(batch.gains) == len(counts)
    cheaper = [count for count in counts if cost.pass_ms(rows, count, 300) < cost.pass_ms(count, count, 300)]
    assert list(batch.paying) == cheaper


def test_on_the_papers_phones_padding_to_four_pays_from_two_sequences():
    """Table 2 and section 4.2: passes of two or three sequences are filled up to four."""
    for name in PHONES:
        batch = padded_batch(read_device(name), Conditions(), 4, 8, 400)
        assert batch.break_even == BreakEven(2, 2, 2)
        assert batch.paying == (2, 3)


@pytest.mark.parametrize(
    ("conditions", "context_tokens", "is_extrapolated"),
    [(Conditions(), 400, False), (Conditions(), 4000, True), (Conditions(tile_rows=8), 400, True)],
)
def test_batches_outside_of_what_was_measured_are_marked(conditions, context_tokens, is_extrapolated):
    batch = padded_batch(read_device("oneplus-12r"), conditions, 4, 8, context_tokens)
    assert batch.is_extrapolated is is_extrapolated
    (row,) = padding_answer([batch], 8).table.rows
    assert row[0] == ("4*" if is_extrapolated else "4")


def test_padding_stops_paying_behind_the_last_width_that_pays():
    device = read_device("oneplus-12r")
    batches = [padded_batch(device, Conditions(), rows, 8, 400) for rows in (4, 8, 12, 16)]
    stops = stops_paying(batches)
    pays = {batch.batch_rows: bool(batch.paying) for batch in batches}
    assert not any(does for rows, does in pays.items() if rows >= stops)
    assert pays[stops - 4]
    assert stops_paying(batches[:2]) is None
    best = best_batches(batches)
    assert best[2] == 4
    for count, rows in best.items():
        gains = {
            batch.batch_rows: batch.gains[count - FEWEST].value
            for batch in batches
            if len(batch.gains) > count - FEWEST
        }
        assert rows is None or gains[rows] == max(gains.values()) > 1
        assert rows is not None or max(gains.values(), default=0.0) <= 1


def test_an_answer_on_padding_says_for_each_width_when_it_pays():
    device = read_device("oneplus-12r")
    batches = [padded_batch(device, Conditions(), rows, 8, 400) for rows in (2, 4, 12)]
    answer = padding_answer(batches, 8)
    assert answer.sentences[0] == "With at most 8 unfinished sequences padding stops paying at all from 12 rows on."
    assert "2 to 4, 3 to 4, 4 to none" in answer.sentences[1]
    assert answer.sentences[2] == "Filled up to 2 rows: nothing to fill up, since a sequence alone is not."
    assert answer.sentences[3] == "Filled up to 4 rows: padding pays with 2, 3 unfinished sequences."
    assert answer.sentences[4].startswith("Filled up to 12 rows: padding never pays; at best a pass is 0.9")
    assert answer.data["stops_paying_at_rows"] == 12
    assert [row[1] for row in answer.table.rows] == ["-", "2, 3", "none"]


def speedup(device, axis, place, latency):
    priced, _ = GROUND.priced(Point(device=device).with_values({axis: place}), ("schemaweaver",))
    return priced.ratio(priced.mean(BASELINE, latency), priced.mean("schemaweaver", latency))


@examples(15)
@given(st.sampled_from(PHONES), st.sampled_from((TOOL_START, FINAL)), st.floats(1.2, 4.0))
def test_just_below_the_break_even_bus_the_speedup_is_reached_and_just_above_it_is_not(device, latency, wanted):
    within = bus_range(read_device(device))
    found = slow_bus(Point(device=device), GROUND, within, latency, wanted)
    if found.value is None:
        reached = {found.at_low.value >= wanted, found.at_high.value >= wanted}
        assert len(reached) == 1
        return
    below, above = (speedup(device, within.axis, found.value * times, latency) for times in (0.999, 1.001))
    assert below.value > wanted > above.value
    for end, bound in ((found.low, "low"), (found.high, "high")):
        if end is not None:
            assert getattr(speedup(device, within.axis, end, latency), bound) == pytest.approx(wanted, rel=1e-3)
    assert found.low is None or found.low <= found.value
    assert found.high is None or found.high >= found.value


@pytest.mark.parametrize(("name", "axis"), [("pixel-7", "bus"), ("oneplus-12r", "bandwidth")])
def test_the_range_is_around_the_devices_own_bus_or_its_bandwidth(name, axis):
    device = read_device(name)
    within = bus_range(device)
    own = device.chip.bus_mhz or device.chip.bandwidth_gb_s
    assert (within.axis, within.low, within.high) == (axis, SLOWEST * own, FASTEST * own)
    assert own * within.gb_s_per_unit == pytest.approx(device.chip.bandwidth_gb_s)


@pytest.mark.parametrize(("wanted", "where"), [(50.0, "never"), (1.01, "everywhere")])
def test_a_speedup_that_no_bus_tells_apart_comes_with_its_limit(wanted, where):
    within = bus_range(read_device("pixel-7"))
    found = slow_bus(Point(device="pixel-7"), GROUND, within, FINAL, wanted)
    (sentence,) = bus_answer([found], within).sentences
    limit = found.at_low if where == "never" else found.at_high
    assert f"{where} within range: at" in sentence
    assert f"it is {limit.value:.2f} (" in sentence


def test_an_answer_on_the_bus_says_clock_bandwidth_bounds_and_what_was_never_measured():
    within = BusRange(axis="bus", low=100.0, high=9000.0, gb_s_per_unit=0.01)
    found = slow_bus(Point(device="pixel-7"), GROUND, within, TOOL_START, 2.0)
    (sentence,) = bus_answer([found], within).sentences
    assert sentence.startswith("schemaweaver's tool start is 2 times sooner than constrained up to a bus of ")
    assert "MHz, or " in sentence
    assert "GB/s" in sentence
    assert ("was never measured" in sentence) is bool(found.outside_percent)


@pytest.fixture(scope="module")
def made_ground():
    preparer = open_preparer(Asking(embedded_model(), None, None, 8192))
    yield Ground({"oneplus-12r": read_device("oneplus-12r")}, {}, RunPasses(preparer, made_calls_of(preparer)))
    preparer.model.close()


def test_side_by_side_gains_with_arguments_and_one_alone_has_none_to_be_beside(made_ground):
    found = argument_gains(with_shape(Point(value_tokens=4)), made_ground, 4)
    assert [(each.schedule, each.latency) for each in found] == [
        (schedule, latency) for schedule in ("schemaweaver", "verified") for latency in (TOOL_START, FINAL)
    ]
    for each in found:
        values = [gain.value for gain in each.gains]
        assert values == sorted(values)
        assert each.break_even.value in (1, 2)
    answer = arguments_answer(found)
    assert answer.sentences[0].startswith("schemaweaver's tool start is sooner than jump_forward's from ")
    assert [row[0] for row in answer.table.rows] == ["1", "2", "3", "4"]


BELOW_ONE = (Bounds(0.8, 0.7, 0.9), Bounds(0.9, 0.8, 0.99))


def test_a_schedule_that_is_never_sooner_comes_with_its_last_gain():
    never = ArgumentGains(schedule="verified", latency=FINAL, gains=BELOW_ONE, outside_percent=(0.0, 20.0))
    answer = arguments_answer([never])
    assert [row[-1] for row in answer.table.rows] == ["0", "20"]
    (sentence,) = answer.sentences
    assert sentence == (
        "verified's final call is never sooner than jump_forward's within range: "
        "with 2 arguments 0.90 (0.80-0.99) times."
    )
