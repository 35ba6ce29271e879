"""What a roofline of a shape and a chip promises of its costs, whatever their figures."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cost_models import CostModelError, MeasuredTable
from cost_models.chip import Chip
from cost_models.chip_scaling import scaled_chip
from cost_models.conditions import AS_MEASURED, Conditions
from cost_models.energy import Power, pass_energy
from cost_models.measured_range import MeasuredRange
from cost_models.models import read_model
from cost_models.peak_memory import peak_memory
from cost_models.quantisation import QUANTISATIONS
from cost_models.rescaled import Rescaled
from cost_models.roofline import Roofline
from tests.test_cost_models_model_shape import shapes

QWEN = read_model("Qwen3-1.7B-Q8_0")
CHIP = Chip(
    name="a phone",
    bandwidth_gb_s=36.0,
    gemv_gmac_s=52.0,
    gemm_gmac_s=125.0,
    tile_rows=4,
    overlap=0.8,
    attention_gmac_s=40.0,
    host_ms=4.0,
    bus_mhz=3200.0,
    clock_mhz=1800.0,
    cores=4,
)
RANGE = MeasuredRange(rows=64, picks=8, context_tokens=(32, 1024))
ROOFLINE = Roofline(shape=QWEN, chip=CHIP, measured=RANGE)
TERMS = ("traffic_ms", "tiles_ms", "remainder_ms", "hidden_ms", "output_ms", "attention_ms", "host_ms")
ROUNDING = 1e-9
"""Of sums in another order."""

PASSES = st.tuples(st.integers(1, 600), st.integers(0, 600), st.integers(1, 4000)).map(
    lambda drawn: (drawn[0], min(drawn[0], drawn[1]), drawn[2])
)


@st.composite
def chips(draw: st.DrawFn) -> Chip:
    tile, gemv = draw(st.sampled_from((1, 2, 4, 8, 16))), draw(st.floats(0.5, 500.0))
    return Chip(
        name="drawn",
        bandwidth_gb_s=draw(st.floats(1.0, 500.0)),
        gemv_gmac_s=gemv,
        gemm_gmac_s=gemv * tile * draw(st.floats(0.01, 1.0)),
        tile_rows=tile,
        overlap=draw(st.floats(0.0, 1.0)),
        attention_gmac_s=draw(st.just(float("inf")) | st.floats(0.5, 500.0)),
        host_ms=draw(st.floats(0.0, 20.0)),
        bus_mhz=draw(st.floats(400.0, 5000.0)),
        clock_mhz=draw(st.floats(400.0, 5000.0)),
        cores=draw(st.integers(1, 16)),
    )


ROOFLINES = st.builds(Roofline, shape=shapes(), chip=chips(), measured=st.none() | st.just(RANGE))


def not_below(roofline: Roofline, more: tuple[int, int, int], less: tuple[int, int, int]) -> bool:
    return roofline.pass_ms(*more) >= roofline.pass_ms(*less) * (1 - ROUNDING)


@given(ROOFLINES, PASSES)
def test_no_term_is_below_zero_and_every_pass_takes_time(roofline: Roofline, size: tuple[int, int, int]) -> None:
    terms = roofline.breakdown(*size)
    assert all(0 <= float(getattr(terms, name)) < float("inf") for name in TERMS)
    assert 0 < roofline.pass_ms(*size) < float("inf")


@given(ROOFLINES, PASSES)
def test_the_terms_add_up_to_the_pass(roofline: Roofline, size: tuple[int, int, int]) -> None:
    terms = {name: float(getattr(roofline.breakdown(*size), name)) for name in TERMS}
    total = sum(terms.values()) - 2 * terms["hidden_ms"] - terms["host_ms"]
    assert roofline.pass_ms(*size) == pytest.approx(total)
    assert terms["hidden_ms"] <= min(terms["traffic_ms"], terms["tiles_ms"] + terms["remainder_ms"]) * (1 + ROUNDING)


@given(ROOFLINES, st.lists(PASSES, min_size=1, max_size=8))
def test_arrays_cost_what_their_elements_cost(roofline: Roofline, sizes: list[tuple[int, int, int]]) -> None:
    rows, picks, context = np.array(sizes).T
    assert roofline.pass_ms(rows, picks, context).tolist() == [roofline.pass_ms(*size) for size in sizes]
    assert roofline.covers(rows, picks, context).tolist() == [roofline.covers(*size) for size in sizes]
    moved = [float(roofline.bytes_moved(*size)) for size in sizes]
    assert roofline.bytes_moved(rows, picks, context).tolist() == moved


@given(ROOFLINES, PASSES, st.integers(1, 40))
def test_more_rows_are_never_cheaper_within_a_tile_and_over_whole_tiles(
    roofline: Roofline, size: tuple[int, int, int], more: int
) -> None:
    """Everywhere but at the row that completes a tile."""
    rows, picks, context = size
    tile = roofline.chip.tile_rows
    last_of_tile = rows - rows % tile + tile - 1
    assert not_below(roofline, (min(rows + more, last_of_tile), picks, context), size)
    whole = tile * (1 + rows // tile)
    assert not_below(roofline, (whole + more * tile, 1, context), (whole, 1, context))
    assert not_below(roofline, (whole, 1, context), (1, 1, context))


@given(ROOFLINES, PASSES, st.integers(1, 40))
def test_more_picks_are_never_cheaper_within_a_tile_and_over_whole_tiles(
    roofline: Roofline, size: tuple[int, int, int], more: int
) -> None:
    _, picks, context = size
    tile, rows = roofline.chip.tile_rows, 20_000
    last_of_tile = picks - picks % tile + tile - 1
    assert not_below(roofline, (rows, min(picks + more, last_of_tile), context), (rows, picks, context))
    whole = tile * (1 + picks // tile)
    assert not_below(roofline, (rows, whole + more * tile, context), (rows, whole, context))
    assert not_below(roofline, (rows, whole, context), (rows, 1, context))
    assert not_below(roofline, (rows, 1, context), (rows, 0, context))


@given(ROOFLINES, PASSES, st.integers(1, 2000))
def test_more_context_is_never_cheaper(roofline: Roofline, size: tuple[int, int, int], more: int) -> None:
    assert not_below(roofline, (size[0], size[1], size[2] + more), size)


@given(ROOFLINES, PASSES, st.sampled_from(("bus_mhz", "bandwidth_gb_s", "clock_mhz")), st.floats(1.0, 20.0))
def test_a_faster_bus_more_bandwidth_or_a_higher_clock_never_makes_a_pass_slower(
    roofline: Roofline, size: tuple[int, int, int], condition: str, times: float
) -> None:
    faster = roofline.at(Conditions(**{condition: times * getattr(roofline.chip, condition)})).model
    assert faster.pass_ms(*size) <= roofline.pass_ms(*size) * (1 + ROUNDING)
    assert faster.host_ms <= roofline.host_ms * (1 + ROUNDING)


@given(ROOFLINES, PASSES, st.integers(1, 16))
def test_more_cores_never_make_a_pass_slower(roofline: Roofline, size: tuple[int, int, int], more: int) -> None:
    assert roofline.chip.cores is not None
    wider = roofline.at(Conditions(cores=roofline.chip.cores + more)).model
    assert wider.pass_ms(*size) <= roofline.pass_ms(*size) * (1 + ROUNDING)


@given(ROOFLINES, PASSES, st.sampled_from(sorted(QUANTISATIONS)), st.sampled_from(sorted(QUANTISATIONS)))
def test_fewer_bytes_per_weight_are_never_slower(
    roofline: Roofline, size: tuple[int, int, int], one: str, other: str
) -> None:
    first, second = QUANTISATIONS[one], QUANTISATIONS[other]
    assume(first.body_bytes_per_weight <= second.body_bytes_per_weight)
    assume(first.output_bytes_per_weight <= second.output_bytes_per_weight)
    small, large = (roofline.at(Conditions(quantisation=name)).model for name in (one, other))
    assert small.pass_ms(*size) <= large.pass_ms(*size) * (1 + ROUNDING)
    assert small.bytes_moved(*size) <= large.bytes_moved(*size)


@given(ROOFLINES, st.floats(0.0, 20.0), st.floats(0.0, 5.0), PASSES)
def test_energy_is_never_below_zero_and_splits_into_time_and_bytes(
    roofline: Roofline, watts: float, nj_per_byte: float, size: tuple[int, int, int]
) -> None:
    energy = pass_energy(roofline, Power(cpu_watts=watts, memory_nj_per_byte=nj_per_byte), *size)
    assert energy.cpu_j >= 0
    assert energy.memory_j >= 0
    assert energy.cpu_j == pytest.approx(watts * (roofline.pass_ms(*size) + roofline.host_ms) / 1000)
    assert energy.memory_j == pytest.approx(nj_per_byte * float(roofline.bytes_moved(*size)) / 1e9)
    assert energy.total_j == energy.cpu_j + energy.memory_j


@given(shapes(), st.integers(0, 100_000), st.integers(1, 1000), st.booleans())
def test_memory_is_never_below_zero_and_grows_with_the_context_alone(
    shape: Any, context: int, more: int, repacked: bool
) -> None:
    peak = peak_memory(shape, context, repacked=repacked)
    assert all(part >= 0 for part in dataclasses.astuple(peak))
    grown = peak_memory(shape, context + more, repacked=repacked).total_bytes - peak.total_bytes
    assert grown == pytest.approx(more * shape.cache_bytes_per_token)
    assert peak.total_bytes >= peak_memory(shape, context, repacked=False).total_bytes


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((1, 0, 1), (1, 0, 1)),  # what is read of the layers is there without a pick
        ((3, 0, 1), (1, 0, 3)),
        ((4, 0, 1), (1, 1, 0)),
        ((9, 0, 1), (1, 2, 1)),
    ],
)
def test_a_pass_reads_the_layers_once_and_multiplies_whole_tiles_and_single_rows(
    size: tuple[int, int, int], expected: tuple[int, int, int]
) -> None:
    reads, tiles, over = expected
    terms = ROOFLINE.breakdown(*size)
    weights = QWEN.body_weights
    assert terms.traffic_ms == pytest.approx(reads * weights * 1.0625 / 36e6)
    assert terms.tiles_ms == pytest.approx(tiles * 4 * weights / 125e6)
    assert terms.remainder_ms == pytest.approx(over * weights / 52e6)
    assert terms.output_ms == 0


@pytest.mark.parametrize(("picks", "tiles", "over"), [(1, 0, 1), (3, 0, 3), (4, 1, 0), (6, 1, 2), (8, 2, 0)])
def test_each_product_with_the_output_layer_reads_it_again(picks: int, tiles: int, over: int) -> None:
    weights = QWEN.output_weights
    read, tile, row = weights * 1.0625 / 36e6, 4 * weights / 125e6, weights / 52e6
    expected = tiles * (read + tile - 0.8 * min(read, tile)) + over * (read + row - 0.8 * min(read, row))
    assert ROOFLINE.breakdown(8, picks, 100).output_ms == pytest.approx(expected)


@pytest.mark.parametrize(("size", "products"), [((1, 0, 9), 0), ((1, 1, 9), 1), ((8, 3, 9), 3), ((8, 6, 9), 3)])
def test_what_moves_are_weights_the_context_and_what_the_rows_add_to_it(
    size: tuple[int, int, int], products: int
) -> None:
    weights = QWEN.body_weights + products * QWEN.output_weights
    assert ROOFLINE.bytes_moved(*size) == pytest.approx(1.0625 * weights + 114_688 * (size[2] + size[0]))


@pytest.mark.parametrize(
    ("overlap", "expected"),
    [(1.0, max), (0.0, lambda traffic, compute: traffic + compute)],
)
def test_full_overlap_is_the_longer_of_traffic_and_compute_and_none_their_sum(overlap: float, expected: Any) -> None:
    roofline = dataclasses.replace(ROOFLINE, chip=dataclasses.replace(CHIP, overlap=overlap))
    for rows in (1, 4):
        terms = roofline.breakdown(rows, 0, 1)
        compute = float(terms.tiles_ms + terms.remainder_ms)
        layers = roofline.pass_ms(rows, 0, 1) - float(terms.attention_ms)
        assert layers == pytest.approx(expected(float(terms.traffic_ms), compute))


@pytest.mark.parametrize(
    ("rows", "context", "attended"),
    [(1, 1, 1), (1, 100, 100), (100, 100, 5050), (4, 100, 100 + 99 + 98 + 97), (8, 2, 12)],
)
def test_rows_of_one_sequence_attend_to_what_stands_before_them(rows: int, context: int, attended: int) -> None:
    """Each token, of 114,688 bytes, is read once. The last: rows of sequences of two tokens see one and a half."""
    expected = context * 114_688 / 36e6 + attended * 114_688 / 40e6
    assert ROOFLINE.breakdown(rows, 0, context).attention_ms == pytest.approx(expected)


@pytest.mark.parametrize(
    ("size", "covered"),
    [((64, 8, 1024), True), ((65, 8, 1024), False), ((64, 9, 1024), False), ((1, 1, 31), False), ((1, 1, 1025), False)],
)
def test_what_was_not_measured_is_not_covered(size: tuple[int, int, int], covered: bool) -> None:
    assert ROOFLINE.covers(*size) is covered
    assert dataclasses.replace(ROOFLINE, measured=None).covers(*size) is False


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({"bus_mhz": 1600.0}, "Bandwidth goes with the memory bus, from 3200 to 1600 MHz"),
        ({"bandwidth_gb_s": 20.0}, "The cores draw 20 GB/s in place of 36 GB/s"),
        ({"clock_mhz": 900.0}, "goes with their clock, from 1800 to 900 MHz"),
        ({"tile_rows": 8}, "Kernels multiply 8 rows at once in place of 4, at 125 "),
        ({"cores": 2}, "2 cores like the 4 known ones share the work evenly"),
        ({"quantisation": "Q4_0"}, "Weights in Q4_0 are multiplied as fast as before"),
        ({"model": read_model("Qwen3-4B")}, "Qwen3-4B runs at the rates of Qwen3-1.7B-Q8_0"),
    ],
)
def test_each_condition_says_what_is_assumed_and_is_covered_nowhere(conditions: dict[str, Any], said: str) -> None:
    scaled = ROOFLINE.at(Conditions(**conditions))
    assert len(scaled.assumed) == 1
    assert said in scaled.assumed[0]
    assert scaled.model != ROOFLINE
    assert not scaled.model.covers(4, 4, 512)


def test_no_condition_changes_nothing() -> None:
    scaled = ROOFLINE.at(AS_MEASURED)
    assert scaled.model == ROOFLINE
    assert scaled.assumed == ()


def test_conditions_add_up() -> None:
    scaled = ROOFLINE.at(
        Conditions(bus_mhz=1600, clock_mhz=900, cores=2, model=read_model("Qwen3-4B"), quantisation="Q4_0")
    )
    assert len(scaled.assumed) == 5
    chip = scaled.model.chip
    assert (chip.bandwidth_gb_s, chip.gemv_gmac_s, chip.host_ms) == (18.0, 13.0, 8.0)
    assert (scaled.model.shape.name, scaled.model.shape.body_bytes_per_weight) == ("Qwen3-4B", 18 / 32)


def test_half_the_pace_of_everything_takes_twice_the_time() -> None:
    slow = ROOFLINE.at(Conditions(bus_mhz=1600, clock_mhz=900)).model
    assert slow.pass_ms(7, 3, 300) == pytest.approx(2 * ROOFLINE.pass_ms(7, 3, 300))


@pytest.mark.parametrize(
    ("unknown", "conditions", "message"),
    [
        ("bus_mhz", {"bus_mhz": 800.0}, "bus_mhz: a phone cannot be scaled to 800: its own bus_mhz is unknown"),
        ("clock_mhz", {"clock_mhz": 800.0}, "clock_mhz: a phone cannot be scaled to 800"),
        ("cores", {"cores": 2}, "cores: a phone cannot be scaled to 2"),
        ("cores", {"bus_mhz": 0.0}, "bus_mhz: found 0, expected a finite number > 0"),
        ("cores", {"clock_mhz": -1.0}, "clock_mhz: found -1, expected a finite number > 0"),
        ("bus_mhz", {"cores": 0}, "cores: found 0, expected a finite number > 0"),
        ("cores", {"bandwidth_gb_s": 0.0}, "bandwidth_gb_s: found 0, expected a finite number > 0"),
        ("cores", {"tile_rows": 0}, "tile_rows: found 0, expected a finite number > 0"),
        ("cores", {"quantisation": "Q9"}, "unknown quantisation 'Q9'; choose one of: F32"),
        (
            "cores",
            {"bus_mhz": 800.0, "bandwidth_gb_s": 9.0},
            r"give bus_mhz \(800\) or bandwidth_gb_s \(9\), not both",
        ),
    ],
)
def test_a_condition_that_cannot_be_scaled_to_says_why(unknown: str, conditions: Any, message: str) -> None:
    with pytest.raises(CostModelError, match=f"^{message}"):
        scaled_chip(dataclasses.replace(CHIP, **{unknown: None}), Conditions(**conditions))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("bandwidth_gb_s", 0.0, "bandwidth_gb_s: found 0.0, expected a finite number > 0"),
        ("gemv_gmac_s", float("nan"), "gemv_gmac_s: found nan, expected a finite number > 0"),
        ("gemm_gmac_s", 209.0, "gemm_gmac_s: found 209, expected at most tile_rows times gemv_gmac_s, 208"),
        ("tile_rows", 0, "tile_rows: found 0, expected a whole number >= 1"),
        ("overlap", 1.1, "overlap: found 1.1, expected a number from 0 to 1"),
        ("overlap", float("nan"), "overlap: found nan, expected a number from 0 to 1"),
        ("attention_gmac_s", 0.0, "attention_gmac_s: found 0.0, expected a number > 0"),
        ("host_ms", -1.0, "host_ms: found -1.0, expected a finite number >= 0"),
        ("cores", 0, "cores: found 0, expected a finite number > 0"),
    ],
)
def test_a_chip_that_is_none_says_which_field(field: str, value: float, message: str) -> None:
    with pytest.raises(CostModelError, match=f"^{message}"):
        dataclasses.replace(CHIP, **{field: value})


@pytest.mark.parametrize("size", [(0, 0, 5), (2, 3, 5), (2, -1, 5), (1, 1, 0)])
def test_a_size_that_no_pass_has_is_refused(size: tuple[int, int, int]) -> None:
    for ask in (ROOFLINE.pass_ms, ROOFLINE.covers, ROOFLINE.breakdown, ROOFLINE.bytes_moved):
        with pytest.raises(CostModelError, match="no pass has rows"):
            ask(*size)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("cpu_watts", -1.0, "cpu_watts: found -1.0, expected a finite number >= 0"),
        ("memory_nj_per_byte", float("nan"), "memory_nj_per_byte: found nan, expected a finite number >= 0"),
    ],
)
def test_a_power_that_is_none_says_which_field(field: str, value: float, message: str) -> None:
    with pytest.raises(CostModelError, match=f"^{message}"):
        Power(**{"cpu_watts": 2.0, "memory_nj_per_byte": 0.1, field: value})


@pytest.mark.parametrize("change", [{"context_tokens": -1}, {"buffer_bytes": -1.0}])
def test_a_negative_size_has_no_peak(change: dict[str, Any]) -> None:
    with pytest.raises(CostModelError, match=f"^{next(iter(change))}: found -1"):
        peak_memory(**{"shape": QWEN, "context_tokens": 10, **change})


TABLE = MeasuredTable(
    row_counts=(1, 2, 3, 4, 8, 512),
    row_ms=(54.2, 78.0, 98.0, 64.0, 109.0, 5000.0),
    reference_tokens=512,
    context_range_tokens=(1, 512),
    max_picks=8,
    tile_rows=4,
    remainder_ms=24.0,
    host_ms=4.0,
)
RESCALED = Rescaled(measured=TABLE, origin=ROOFLINE, target=ROOFLINE)


@given(PASSES)
def test_measured_costs_stay_while_nothing_is_scaled(size: tuple[int, int, int]) -> None:
    assert RESCALED.pass_ms(*size) == TABLE.pass_ms(*size)
    assert RESCALED.host_ms == TABLE.host_ms
    assert RESCALED.covers(*size) == TABLE.covers(*size)
    assert RESCALED.at(AS_MEASURED).model == RESCALED


@given(PASSES, st.sampled_from(("bus_mhz", "bandwidth_gb_s", "clock_mhz")), st.floats(1.0, 20.0))
def test_measured_costs_go_as_the_rooflines(size: tuple[int, int, int], condition: str, times: float) -> None:
    scaled = RESCALED.at(Conditions(**{condition: times * getattr(CHIP, condition)}))
    ratio = scaled.model.target.pass_ms(*size) / ROOFLINE.pass_ms(*size)
    assert scaled.model.pass_ms(*size) == pytest.approx(ratio * TABLE.pass_ms(*size))
    assert scaled.model.pass_ms(*size) <= TABLE.pass_ms(*size) * (1 + ROUNDING)
    rows, picks, context = (np.array([value, value]) for value in size)
    assert scaled.model.pass_ms(rows, picks, context).tolist() == [scaled.model.pass_ms(*size)] * 2
    assert times == 1 or scaled.assumed[0] == "Measured costs change in the ratio in which a roofline's do."


def test_rescaled_costs_are_covered_nowhere_and_the_hosts_time_goes_with_the_clock() -> None:
    scaled = RESCALED.at(Conditions(clock_mhz=900)).model
    assert not scaled.covers(1, 1, 100)
    assert scaled.covers(np.array([1, 4]), 1, 100).tolist() == [False, False]
    assert scaled.host_ms == 8.0
