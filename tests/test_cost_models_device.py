"""Devices as files, what they are asked under conditions, and how far off that may be."""

import dataclasses
import json
from math import inf, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cost_models import CostModel, CostModelError, MeasuredTable
from cost_models.bus_scaled import BusScaled
from cost_models.conditions import AS_MEASURED, CHIP_CONDITIONS, Conditions
from cost_models.device import Device, read_device_file, write_device
from cost_models.devices import device_names, read_device
from cost_models.interval import STEP, Uncertain, pass_intervals
from cost_models.models import model_names, read_model
from cost_models.passes import Passes
from cost_models.phones import phone_names, read_phone
from cost_models.quantisation import QUANTISATIONS, quantised
from cost_models.rescaled import Rescaled
from cost_models.roofline import Roofline
from cost_models.scaled import Scaled

ONEPLUS, PIXEL = read_device("oneplus-12r"), read_device("pixel-7")
EPYC = read_device("epyc-2-cores")
FITTED = [name for name in device_names() if read_device(name).errors is not None]
CALL = Passes(np.array([6, 19, 4, 4, 1]), np.array([1, 2, 4, 4, 1]), np.array([280, 300, 302, 303, 304]))
SERIAL = Passes(np.ones(35, dtype=int), np.ones(35, dtype=int), np.arange(270, 305))
SLOWER = Conditions(bandwidth_gb_s=15.0)


@pytest.fixture
def damaged(tmp_path: Path) -> Any:
    def make(change: Any, name: str = "pixel-7") -> Path:
        data = read_device(name).to_json()
        change(data)
        path = tmp_path / "device.json"
        path.write_text(json.dumps(data))
        return path

    return make


def test_the_devices_are_there() -> None:
    assert {"oneplus-12r", "pixel-7", "oneplus-12r-gpu", "oneplus-12r-npu", "epyc-2-cores"} <= set(device_names())
    assert [read_device(name).name for name in device_names()] == list(device_names())


def test_an_unknown_device_lists_the_names() -> None:
    with pytest.raises(CostModelError, match="nokia: no such device, nor a device file; devices: epyc-2-cores, "):
        read_device("nokia")


@pytest.mark.parametrize("name", device_names())
def test_a_device_survives_its_file(name: str, tmp_path: Path) -> None:
    write_device(read_device(name), tmp_path / "device.json")
    assert read_device(tmp_path / "device.json") == read_device(name)


@pytest.mark.parametrize("name", phone_names())
def test_a_phones_costs_are_its_profiles(name: str) -> None:
    assert read_device(name).table == read_phone(name).table
    assert read_device(name).chip.host_ms == read_phone(name).table.host_ms


@pytest.mark.parametrize("name", device_names())
def test_nothing_changed_costs_what_was_measured_and_assumes_nothing(name: str) -> None:
    device = read_device(name)
    chip = device.chip
    own = Conditions(
        bus_mhz=chip.bus_mhz,
        clock_mhz=chip.clock_mhz,
        cores=chip.cores,
        tile_rows=chip.tile_rows,
        model=device.model,
    )
    for conditions in (AS_MEASURED, own, Conditions(bandwidth_gb_s=chip.bandwidth_gb_s)):
        assert device.cost(conditions).model == (device.table or device.roofline)
        assert device.cost(conditions).assumed == ()


@pytest.mark.parametrize(
    ("device", "conditions", "kind", "sentences"),
    [
        (PIXEL, Conditions(bus_mhz=1352), BusScaled, 1),
        (PIXEL, Conditions(bus_mhz=300), BusScaled, 2),
        (PIXEL, Conditions(bus_mhz=1352, quantisation="Q4_0"), Rescaled, 3),
        (ONEPLUS, SLOWER, Rescaled, 2),
        (ONEPLUS, Conditions(cores=2, clock_mhz=900, tile_rows=8), Rescaled, 4),
        (ONEPLUS, Conditions(model=read_model("Qwen3-4B"), quantisation="Q4_0"), Rescaled, 3),
        (read_device("pixel-7-4-a55"), Conditions(bus_mhz=1352), Roofline, 1),
    ],
)
def test_other_conditions_say_what_is_assumed_and_where_nothing_was_measured(
    device: Device, conditions: Conditions, kind: type, sentences: int
) -> None:
    cost = device.cost(conditions)
    assert isinstance(cost.model, kind)
    assert len(cost.assumed) == sentences
    assert cost.model.covers(4, 4, 300) == (conditions.bus_mhz == 1352 and kind is BusScaled)


SOME = np.array([1, 4, 7, 300]), np.array([1, 4, 3, 1]), np.array([280, 300, 700, 300])


def own_conditions(device: Device) -> dict[str, Any]:
    """Those that the device has and that are known by a value."""
    chip = {name: getattr(device.chip, name) for name in CHIP_CONDITIONS}
    shape = {"model": device.model, "quantisation": quantisation_of(device)}
    return {name: value for name, value in {**chip, **shape}.items() if value is not None}


def quantisation_of(device: Device) -> str | None:
    same = (name for name in QUANTISATIONS if quantised(device.model, name) == device.model)
    return next(same, None)


def other_conditions(device: Device) -> dict[str, st.SearchStrategy[Any]]:
    """What the device can be taken to."""
    known = (name for name in CHIP_CONDITIONS if getattr(device.chip, name) is not None)
    shapes = {"model": st.sampled_from([read_model(name) for name in model_names()])}
    numbers = {name: st.integers(1, 4000) for name in known}
    return {**numbers, **shapes, "quantisation": st.sampled_from(tuple(QUANTISATIONS))}


def check_same(one: Scaled[CostModel], other: Scaled[CostModel]) -> None:
    assert one.assumed == other.assumed
    assert one.model.pass_ms(*SOME).tolist() == other.model.pass_ms(*SOME).tolist()
    assert one.model.covers(*SOME).tolist() == other.model.covers(*SOME).tolist()
    assert one.model.host_ms == other.model.host_ms


@given(st.data())
def test_a_condition_equal_to_the_devices_own_changes_nothing_beside_any_other(data: st.DataObject) -> None:
    device = read_device(data.draw(st.sampled_from(device_names())))
    others = other_conditions(device)
    name = data.draw(st.sampled_from(sorted(others)))
    value = data.draw(others[name])
    # A quantisation is the model's: Q8_0 is none of another model's own.
    apart = {"bus_mhz": {"bandwidth_gb_s"}, "bandwidth_gb_s": {"bus_mhz"}, "model": {"quantisation"}}.get(name, set())
    own = {each: its for each, its in own_conditions(device).items() if each != name and each not in apart}
    chosen = data.draw(st.sets(st.sampled_from(sorted(own)))) - ({"bandwidth_gb_s"} if "bus_mhz" in own else set())
    beside = Conditions(**{name: value}, **{each: own[each] for each in chosen})
    alone = Conditions(**{name: value})
    check_same(device.cost(beside), device.cost(alone))
    if device.errors is not None:
        uncertain = (device.uncertain(each) for each in (beside, alone))
        one, other = (each.log_gradient(*SOME).tolist() for each in uncertain)
        assert one == other


@pytest.mark.parametrize("name", [name for name in device_names() if read_device(name).chip.bus_mhz is not None])
@pytest.mark.parametrize(
    "others", [{"quantisation": "Q4_0"}, {"tile_rows": 8}, {"model": read_model("Qwen3-4B")}], ids=str
)
def test_what_differs_besides_the_bus_joins_at_the_devices_own_bus(name: str, others: dict[str, Any]) -> None:
    device = read_device(name)
    own_mhz = device.chip.bus_mhz
    alone = device.cost(Conditions(**others))
    check_same(device.cost(Conditions(bus_mhz=own_mhz, **others)), alone)
    near = device.cost(Conditions(bus_mhz=own_mhz * (1 - 1e-9), **others)).model
    assert near.pass_ms(*SOME) == pytest.approx(alone.model.pass_ms(*SOME), rel=1e-7)


@given(st.floats(600.0, 4000.0), st.floats(1.0, 4.0), st.sampled_from([("quantisation", "Q4_0"), ("tile_rows", 8)]))
def test_a_faster_bus_is_never_slower_beside_another_condition(
    mhz: float, times: float, other: tuple[str, Any]
) -> None:
    slow, fast = (PIXEL.cost(Conditions(bus_mhz=each, **dict([other]))).model for each in (mhz, mhz * times))
    assert (fast.pass_ms(*SOME) <= slow.pass_ms(*SOME) * (1 + 1e-9)).all()


def test_another_quantisation_beside_a_bus_keeps_what_was_measured_of_the_bus() -> None:
    """At 676 MHz a pass of 4 rows waits longer than the roofline says: the measured part is what a ratio goes by."""
    bus, both = Conditions(bus_mhz=676), Conditions(bus_mhz=676, quantisation="Q4_0")
    ratio = PIXEL.roofline.at(both).model.pass_ms(*SOME) / PIXEL.roofline.at(bus).model.pass_ms(*SOME)
    expected = PIXEL.cost(bus).model.pass_ms(*SOME) * ratio
    assert PIXEL.cost(both).model.pass_ms(*SOME) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "conditions", "message"),
    [
        ("oneplus-12r", Conditions(bus_mhz=800), "bus_mhz: OnePlus 12R cannot be scaled to 800: its own bus_mhz is"),
        ("pixel-7", Conditions(clock_mhz=900), "clock_mhz: Google Pixel 7 cannot be scaled to 900"),
        ("pixel-7", Conditions(cores=2), "cores: Google Pixel 7 cannot be scaled to 2"),
    ],
)
def test_a_condition_that_the_device_does_not_know_is_refused(name: str, conditions: Conditions, message: str) -> None:
    with pytest.raises(CostModelError, match=f"^{message}"):
        read_device(name).cost(conditions)


@pytest.mark.parametrize("figure", ["bandwidth_gb_s", "gemm_gmac_s"])
def test_another_number_in_the_file_is_another_cost(figure: str, damaged: Any) -> None:
    def halve(data: dict[str, Any]) -> None:
        data["figures"][figure]["value"] /= 2

    changed = read_device_file(damaged(halve, "oneplus-12r-2-a715"))
    assert changed.cost().model.pass_ms(8, 8, 300) > 1.05 * read_device("oneplus-12r-2-a715").cost().model.pass_ms(
        8, 8, 300
    )


def test_another_number_in_the_files_table_is_another_cost(damaged: Any) -> None:
    def slow(data: dict[str, Any]) -> None:
        data["table"]["row_ms"] = [100.0, *data["table"]["row_ms"][1:]]

    changed = read_device_file(damaged(slow, "epyc-2-cores"))
    assert changed.cost().model.pass_ms(1, 1, EPYC.table.reference_tokens) == 100.0


def drop(*path: str) -> Any:
    def change(data: dict[str, Any]) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


def put(value: object, *path: str) -> Any:
    def change(data: dict[str, Any]) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("schemaweaver-device-2", "format"), r'\$\.format: found .*, expected "schemaweaver-device-1"'),
        (drop("figures", "gemv_gmac_s"), r"\$\.figures\.gemv_gmac_s: is missing"),
        (drop("figures", "gemv_gmac_s", "value"), r"\$\.figures\.gemv_gmac_s: lacks value; valid names: value, source"),
        (put(-3, "figures", "bandwidth_gb_s", "value"), r"\$\.figures\.bandwidth_gb_s: found -3\.0, expected a finite"),
        (put("x", "figures", "overlap", "value"), r'\$\.figures\.overlap\.value: found "x", expected a finite number'),
        (put("", "figures", "overlap", "source"), r"\$\.figures\.overlap: has no source"),
        (
            put({"value": 1, "source": "x"}, "figures", "speed"),
            r"\$\.figures\.speed: .* expected one of the figures ",
        ),
        (
            put({"value": 1, "source": "x"}, "figures", "host_ms"),
            r"\$\.figures\.host_ms: expected none, since the table",
        ),
        (put(4.5, "figures", "tile_rows", "value"), r"\$\.figures\.tile_rows: found 4\.5, expected a whole number"),
        (put(-1, "figures", "memory_bytes", "value"), r"\$\.figures\.memory_bytes: found -1, expected a number >= 0"),
        (put(-1, "figures", "cpu_watts", "value"), r"\$\.figures\.cpu_watts: found -1\.0, expected a finite number"),
        (
            drop("figures", "cpu_watts"),
            r"\$\.figures\.cpu_watts: is missing; expected cpu_watts and memory_nj",
        ),
        (put(-0.1, "errors", "sigma"), r"\$\.errors\.sigma: found -0\.1, expected a finite number >= 0"),
        (put([[1]], "errors", "covariance"), r"\$\.errors\.covariance: found .*, expected 4 rows of 4"),
        (put((-np.eye(4)).tolist(), "errors", "covariance"), r"\$\.errors\.covariance: .* no variance below zero"),
        (put(0, "model", "layers"), r"\$\.model\.layers: found 0, expected a whole number >= 1"),
        (put("tpu", "processor"), r"\$\.processor: found 'tpu', expected one of cpu, gpu, npu"),
        (put("nokia", "phone"), r'\$\.phone: found "nokia", expected one of oneplus-12r, pixel-7, or an'),
        (put({}, "table"), r"\$\.table: found {}, expected null, since the table is that of the phone pixel-7"),
        (put(None, "measured_mhz"), r"\$\.bus_part: expected it with measured_mhz"),
        (put([1, 2, 3], "measured_mhz"), r"\$\.measured_mhz: found \[1, 2, 3\], expected two numbers"),
        (put([3172, 676], "measured_mhz"), r"\$\.measured_mhz: found \[3172\.0, 676\.0\], expected 0 < lowest"),
        (put([512], "measured", "context_tokens"), r"\$\.measured\.context_tokens: found \[512\], expected two whole"),
        (put(0, "measured", "rows"), r"\$\.measured\.rows: found 0, expected a whole number >= 1"),
    ],
)
def test_a_damaged_file_is_refused_with_file_and_path(change: Any, message: str, damaged: Any) -> None:
    path = damaged(change)
    with pytest.raises(CostModelError, match=rf"^{path}: {message}"):
        read_device_file(path)


@pytest.mark.parametrize("name", FITTED)
@pytest.mark.parametrize("conditions", [AS_MEASURED, SLOWER])
def test_an_interval_is_around_the_time_of_the_call(name: str, conditions: Conditions) -> None:
    device = read_device(name)
    cost = device.cost(conditions).model
    expected = float(np.sum(cost.pass_ms(CALL.rows, CALL.picks, CALL.context_tokens) + cost.host_ms))
    interval = device.interval(CALL, conditions)
    assert interval.value == pytest.approx(expected)
    assert 0 < interval.low < interval.value < interval.high
    assert interval.high / interval.value == pytest.approx(interval.value / interval.low)


def test_other_conditions_widen_the_interval_and_so_does_what_was_not_measured() -> None:
    def width(context_tokens: int, conditions: Conditions) -> float:
        interval = pass_intervals(ONEPLUS.uncertain(conditions), np.array([4]), 4, context_tokens)
        return float(np.log(interval.high / interval.low)[0])

    for conditions in (SLOWER, Conditions(clock_mhz=900), Conditions(cores=2), Conditions(tile_rows=8)):
        assert width(300, AS_MEASURED) < width(300, conditions)
    assert width(300, AS_MEASURED) < width(3000, AS_MEASURED)


@pytest.mark.parametrize(
    ("overlap", "inside"), [(0.0, 1e-3), (1.0, 1 - 1e-3), (1.0 - STEP / 4, 1 - 1e-3), (0.5, 0.5 + 1e-3)]
)
def test_at_a_bound_of_the_overlap_a_cost_grows_with_it_as_it_does_inside(overlap: float, inside: float) -> None:
    def slope(at: float) -> float:
        origin = Roofline(shape=EPYC.model, chip=dataclasses.replace(EPYC.chip, overlap=at))
        cost = origin.at(SLOWER).model
        uncertain = Uncertain(cost=cost, origin=origin, errors=EPYC.errors, conditions=SLOWER)
        return float(uncertain.log_gradient(np.array([4]), np.array([4]), np.array([300]))[-1, 0])

    assert slope(overlap) == pytest.approx(slope(inside), rel=0.01)
    assert slope(overlap) < -0.1


def test_at_the_most_that_tiles_can_do_the_time_goes_with_their_rate_as_below() -> None:
    def slope(share: float) -> float:
        chip = dataclasses.replace(ONEPLUS.chip, gemm_gmac_s=share * 4 * ONEPLUS.chip.gemv_gmac_s)
        origin = Roofline(shape=ONEPLUS.model, chip=chip)
        uncertain = Uncertain(cost=origin, origin=origin, errors=ONEPLUS.errors)
        return float(uncertain.log_gradient(np.array([64]), np.array([1]), np.array([300]))[2, 0])

    assert slope(1.0) == pytest.approx(slope(0.999), rel=0.01)


def test_as_measured_a_pass_is_off_by_what_is_known_of_the_table() -> None:
    for device, sigma in ((ONEPLUS, ONEPLUS.errors.sigma), (EPYC, EPYC.errors.table_sigma)):
        interval = pass_intervals(device.uncertain(), np.array([1, 4]), 1, 300)
        assert np.log(interval.high / interval.value).tolist() == pytest.approx([device.errors.quantile * sigma] * 2)


def test_a_tables_own_error_does_not_hold_where_it_is_scaled() -> None:
    """The roofline is further off than the table, and so may be its ratio."""
    scaled = pass_intervals(EPYC.uncertain(Conditions(bandwidth_gb_s=19.0)), np.array([4]), 1, 300)
    assert np.log(scaled.high / scaled.value)[0] >= EPYC.errors.quantile * EPYC.errors.sigma


def test_several_calls_have_the_geometric_mean_of_theirs() -> None:
    both = Passes(*(np.concatenate([getattr(CALL, name), getattr(SERIAL, name)]) for name in SIZES), CALLS)
    one, other = ONEPLUS.interval(CALL), ONEPLUS.interval(SERIAL)
    assert ONEPLUS.interval(both).value == pytest.approx(sqrt(one.value * other.value))


SIZES = ("rows", "picks", "context_tokens")
CALLS = np.repeat([0, 1], [len(CALL.rows), len(SERIAL.rows)])


@pytest.mark.parametrize("conditions", [AS_MEASURED, SLOWER])
def test_a_ratio_is_more_certain_than_what_it_is_of(conditions: Conditions) -> None:
    """What makes both calls slower does not change it."""
    ratio = ONEPLUS.ratio_interval(CALL, SERIAL, conditions)
    one, other = ONEPLUS.interval(CALL, conditions), ONEPLUS.interval(SERIAL, conditions)
    assert ratio.value == pytest.approx(other.value / one.value)
    assert ratio.high / ratio.low < (one.high / one.low) * (other.high / other.low)


def test_passes_of_the_same_rows_and_picks_are_off_together_whatever_their_context() -> None:
    one = pass_intervals(ONEPLUS.uncertain(), np.array([1]), 1, 300)
    serial = ONEPLUS.interval(SERIAL)
    share = 1 - ONEPLUS.chip.host_ms * len(SERIAL.rows) / float(serial.value)
    assert np.log(serial.high / serial.value) == pytest.approx(share * np.log(one.high / one.value)[0])


def test_a_call_is_as_fast_as_itself() -> None:
    ratio = ONEPLUS.ratio_interval(CALL, CALL)
    assert (ratio.low, ratio.value, ratio.high) == pytest.approx((1, 1, 1))


@given(st.permutations(range(5)))
def test_the_order_of_passes_makes_no_difference(order: list[int]) -> None:
    shuffled = Passes(*(getattr(CALL, name)[order] for name in SIZES))
    one, other = PIXEL.interval(CALL, SLOWER), PIXEL.interval(shuffled, SLOWER)
    assert np.array([one.low, one.value, one.high]) == pytest.approx(np.array([other.low, other.value, other.high]))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([1, 2], [1], [9, 9]), r"passes: found arrays of shapes \[\(1,\), \(2,\)\], expected one shape"),
        (([], [], []), "no passes; expected one or more"),
        (([1, 2], [1, 1], [9, 9], [0, 2]), "calls: a call has no pass"),
    ],
)
def test_passes_that_are_none_are_refused(arrays: tuple[list[int], ...], message: str) -> None:
    with pytest.raises(CostModelError, match=message):
        Passes(*(np.array(each, dtype=np.int64) for each in arrays))


def test_a_device_that_was_not_fitted_has_no_interval() -> None:
    with pytest.raises(CostModelError, match="oneplus-12r-gpu: its figures were not fitted"):
        read_device("oneplus-12r-gpu").interval(CALL)


def test_a_figures_bounds_hold_it_and_those_that_nothing_tells_have_none() -> None:
    bounds = ONEPLUS.bounds()
    assert set(bounds) == {"bandwidth_gb_s", "gemv_gmac_s", "gemm_gmac_s", "overlap"}
    for name, (low, high) in bounds.items():
        assert low < getattr(ONEPLUS.chip, name) < high
    known = dataclasses.replace(ONEPLUS.errors, covariance=((0.0,) * 4,) * 4)
    assert known.bounds(ONEPLUS.chip) == {}


def test_unpacking_is_paid_for_by_weights_below_a_byte_in_each_product() -> None:
    unpacks = dataclasses.replace(ONEPLUS.chip, unpack_gweights_s=100.0)
    free = dataclasses.replace(ONEPLUS.chip, unpack_gweights_s=inf)
    plain, packed = Roofline(shape=ONEPLUS.model, chip=free), Roofline(shape=ONEPLUS.model, chip=unpacks)
    assert packed.pass_ms(4, 1, 300) == plain.pass_ms(4, 1, 300)
    four = Conditions(quantisation="Q4_0")
    per_product = ONEPLUS.model.body_weights / 100e6
    more = packed.at(four).model.pass_ms(7, 0, 300) - plain.at(four).model.pass_ms(7, 0, 300)
    assert more == pytest.approx(4 * per_product, rel=0.2)
    assert "100 of them are unpacked in a nanosecond" in packed.at(four).assumed[0]


def test_a_larger_tile_takes_fewer_whole_tiles_and_more_single_rows() -> None:
    tile_8 = ONEPLUS.cost(Conditions(tile_rows=8)).model
    assert tile_8.pass_ms(4, 4, 300) > 2 * ONEPLUS.cost().model.pass_ms(4, 4, 300)
    assert tile_8.pass_ms(8, 8, 300) == pytest.approx(ONEPLUS.cost().model.pass_ms(8, 8, 300), rel=0.2)


@pytest.mark.parametrize("name", model_names())
def test_all_models_fit_both_phones_but_the_largest_the_smaller(name: str) -> None:
    """Section 7.2: Qwen3-4B does not fit in the Pixel's 8 GB; the others ran there without swapping."""
    conditions = Conditions(model=read_model(name))
    assert ONEPLUS.fits(4096, conditions)
    assert PIXEL.fits(4096, conditions) == (name != "Qwen3-4B")


def test_table_9_s_peak_is_given() -> None:
    assert ONEPLUS.peak_memory(4096).total_bytes == pytest.approx(4.725e9, rel=0.001)
    assert EPYC.fits(4096) is None


def test_a_pass_draws_by_its_time_and_its_bytes() -> None:
    energy = PIXEL.energy(1, 1, 400)
    expected_j = PIXEL.power.cpu_watts * (PIXEL.table.pass_ms(1, 1, 400) + PIXEL.table.host_ms) / 1e3
    assert float(energy.cpu_j) == pytest.approx(expected_j)
    with pytest.raises(CostModelError, match="oneplus-12r: what it draws is unknown"):
        ONEPLUS.energy(1, 1, 400)


def test_a_table_without_a_bus_part_takes_the_rooflines_word() -> None:
    plain = dataclasses.replace(PIXEL, bus_part=None, measured_mhz=None)
    assert isinstance(plain.cost(Conditions(bus_mhz=676)).model, Rescaled)
    assert isinstance(plain.table, MeasuredTable)
