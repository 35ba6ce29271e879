"""Chips fitted from timed passes: what a fit finds again, and how far the paper's phones are from their rooflines.

The paper's numbers are arXiv:2610.17436v1's. A phone's roofline is fitted to Tables 2 and 10's protocol row; what is
said of other conditions was not given to it.
"""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.chip import ChipFit, Timing, fit_chip
from calibration.chips_from_paper import chip_phone, phone_timings
from calibration.paper_numbers import read_paper_numbers
from calibration.power import SchemeEnergy, fit_power
from calibration.power_from_paper import CALL_J, CONSTRAINED_S, MEMORY_SAVING, paper_power, paper_scheme
from cost_models import CostModelError
from cost_models.chip import Chip
from cost_models.conditions import AS_MEASURED, Conditions
from cost_models.energy import pass_energy
from cost_models.interval import Interval, call_interval, pass_intervals
from cost_models.models import read_model
from cost_models.passes import Passes
from cost_models.peak_memory import peak_memory
from cost_models.roofline import Roofline
from engine.errors import InputError

QWEN = read_model("Qwen3-1.7B-Q8_0")
LIKE = Chip(name="a phone", bandwidth_gb_s=30.0, gemv_gmac_s=60.0, gemm_gmac_s=100.0, tile_rows=4, overlap=0.5)
SIZES = [(n, n, 256) for n in (1, 2, 3, 4, 5, 6, 8)] + [(16, 1, 256), (40, 1, 256), (256, 1, 256)]
PHONES = ("oneplus-12r", "pixel-7")
Sizes = list[tuple[int, int, int]]


def call_of(fit: ChipFit, sizes: Sizes, conditions: Conditions = AS_MEASURED, confidence: float = 0.9) -> Interval:
    return call_interval(fit.uncertain(conditions, confidence), Passes(*np.array(sizes).T))


def timed(roofline: Roofline, noise: float = 0.0, seed: int = 0) -> list[Timing]:
    errors = np.exp(noise * np.random.default_rng(seed).standard_normal(len(SIZES)))
    return [Timing(*size, roofline.pass_ms(*size) * float(error)) for size, error in zip(SIZES, errors, strict=True)]


@pytest.fixture(scope="module")
def fits() -> dict[str, ChipFit]:
    return {key: chip_phone(key) for key in PHONES}


@given(st.floats(10.0, 60.0), st.floats(25.0, 150.0), st.floats(0.4, 0.95), st.floats(0.1, 0.95))
@settings(max_examples=25)
def test_a_fit_predicts_what_exact_timings_were_made_of(
    bandwidth: float, gemv: float, share: float, overlap: float
) -> None:
    """Its figures may differ where they make no difference, as a rate does that hides behind traffic."""
    chip = dataclasses.replace(
        LIKE, bandwidth_gb_s=bandwidth, gemv_gmac_s=gemv, gemm_gmac_s=share * 4 * gemv, overlap=overlap
    )
    truth = Roofline(shape=QWEN, chip=chip)
    fit = fit_chip(timed(truth), QWEN, LIKE)
    for size in [(1, 1, 100), (7, 2, 300), (20, 1, 256), (33, 4, 400)]:
        assert fit.roofline.pass_ms(*size) == pytest.approx(truth.pass_ms(*size), rel=0.03)


def test_timings_at_two_bus_levels_tell_reading_from_multiplying() -> None:
    truth = Roofline(shape=QWEN, chip=dataclasses.replace(LIKE, bus_mhz=3000.0))
    slow = truth.at(Conditions(bus_mhz=800.0)).model
    at_levels = [
        Timing(n, n, 256, each.pass_ms(n, n, 256), mhz)
        for n in (1, 4)
        for each, mhz in ((truth, 3000.0), (slow, 800.0))
    ]
    like = dataclasses.replace(truth.chip, bandwidth_gb_s=60.0, gemv_gmac_s=90.0, gemm_gmac_s=200.0)
    fit = fit_chip([*at_levels, Timing(2, 2, 256, truth.pass_ms(2, 2, 256))], QWEN, like)
    found = fit.roofline.chip
    assert found.bandwidth_gb_s == pytest.approx(30.0, rel=0.01)
    assert found.gemv_gmac_s == pytest.approx(60.0, rel=0.01)
    assert found.overlap == pytest.approx(0.5, abs=0.01)


def test_a_fit_covers_what_was_timed() -> None:
    roofline = fit_chip(timed(Roofline(shape=QWEN, chip=LIKE)), QWEN, LIKE).roofline
    assert roofline.covers(256, 8, 256)
    assert not roofline.covers(257, 8, 256)
    assert not roofline.covers(8, 8, 300)


@pytest.mark.parametrize(
    ("timings", "message"),
    [
        ([Timing(1, 1, 100, 50.0)] * 3, "3 timings; expected 4 or more"),
        ([Timing(1, 1, 100, 50.0)] * 4 + [Timing(2, 1, 100, 0.0)], "ms must be a finite number above 0"),
        ([Timing(1, 1, 100, 50.0, 800.0)] * 4, "a phone does not say at which bus_mhz its own figures hold"),
    ],
)
def test_timings_that_say_too_little_are_refused(timings: list[Timing], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_chip(timings, QWEN, LIKE)


def test_an_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    truth = Roofline(shape=QWEN, chip=LIKE)
    held = []
    for seed in range(40):
        interval = pass_intervals(
            fit_chip(timed(truth, 0.04, seed), QWEN, LIKE).uncertain(), np.array([1, 4, 20]), 1, 300
        )
        expected = truth.pass_ms(np.array([1, 4, 20]), 1, 300)
        held += ((interval.low <= expected) & (expected <= interval.high)).tolist()
    assert np.mean(held) >= 0.85


def test_more_confidence_is_a_wider_interval_around_the_same_time(fits: dict[str, ChipFit]) -> None:
    rows = np.array([1, 4, 19])
    narrow, wide = (
        pass_intervals(fits["pixel-7"].uncertain(confidence=confidence), rows, 1, 300) for confidence in (0.5, 0.95)
    )
    assert (wide.low < narrow.low).all()
    assert (narrow.low < narrow.value).all()
    assert (narrow.high < wide.high).all()
    assert (wide.low > 0).all()
    assert narrow.value.tolist() == fits["pixel-7"].roofline.pass_ms(rows, 1, 300).tolist()


def test_a_call_is_less_uncertain_than_its_passes_where_they_differ(fits: dict[str, ChipFit]) -> None:
    """Passes of one size are off together; those of other sizes even out in part."""
    fit = fits["oneplus-12r"]
    serial = call_of(fit, [(1, 1, 300)] * 35)
    one = pass_intervals(fit.uncertain(), np.array([1]), 1, 300)
    assert serial.value == pytest.approx(35 * (float(one.value[0]) + fit.roofline.host_ms))
    share = float(one.value[0]) / (float(one.value[0]) + fit.roofline.host_ms)
    assert serial.high / serial.value == pytest.approx(float(one.high[0] / one.value[0]) ** share)
    mixed = call_of(fit, [(6, 1, 280), (19, 2, 300), (4, 4, 302), (1, 1, 303)])
    widest = pass_intervals(fit.uncertain(), np.array([6, 19, 4, 1]), np.array([1, 2, 4, 1]), 300)
    assert mixed.high / mixed.value < np.max(widest.high / widest.value)


@pytest.mark.parametrize(("size", "printed_ms"), [((1, 1), 291), ((4, 4), 332), ((26, 2), 674)])
def test_section_7_3_s_slow_bus_lies_in_the_interval(
    size: tuple[int, int], printed_ms: float, fits: dict[str, ChipFit]
) -> None:
    fit = fits["pixel-7"]
    interval = call_of(fit, [(*size, 512)], Conditions(bus_mhz=676))
    assert interval.low < printed_ms < interval.high
    assert interval.high / interval.low < 1.3


@pytest.mark.parametrize("phases", [3, 5])
def test_table_8_s_calls_lie_in_the_interval(phases: int, fits: dict[str, ChipFit]) -> None:
    """At 95 %; at 90 % the final call, which takes 3 % longer than predicted, lies just outside."""
    fit = fits["oneplus-12r"]
    passes = [(rows, picks, 280) for sizes, _ in list(TABLE_8.values())[:phases] for rows, picks in sizes]
    interval = call_of(fit, passes, confidence=0.95)
    assert interval.low < {3: 505, 5: 981}[phases] < interval.high
    assert interval.high / interval.low < 1.15


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0])
def test_a_confidence_that_is_none_is_refused(confidence: float, fits: dict[str, ChipFit]) -> None:
    with pytest.raises(InputError, match="confidence: found"):
        call_of(fits["pixel-7"], [(1, 1, 300)], confidence=confidence)


def test_a_fit_without_a_timing_to_spare_has_no_interval() -> None:
    fit = fit_chip(timed(Roofline(shape=QWEN, chip=LIKE))[:4], QWEN, LIKE)
    with pytest.raises(InputError, match="as many unknowns as timings"):
        call_of(fit, [(1, 1, 300)])


def test_an_unknown_phone_lists_the_names() -> None:
    with pytest.raises(InputError, match="unknown phone 'nokia'; choose one of: oneplus-12r, pixel-7"):
        chip_phone("nokia")


@pytest.mark.parametrize("key", PHONES)
def test_tables_2_and_10_are_met_within_a_few_percent_by_four_figures(key: str, fits: dict[str, ChipFit]) -> None:
    numbers = read_paper_numbers()
    phone = next(phone for phone in numbers.phones if phone.key == key)
    timings = phone_timings(numbers, phone)
    predicted = [fits[key].roofline.pass_ms(each.rows, each.picks, each.context_tokens) for each in timings]
    errors = np.array(predicted) / np.array([each.ms for each in timings]) - 1
    assert np.mean(np.abs(errors)) < 0.04


TABLE_8 = {
    "tool selector": (((6, 1),), 109.0),
    "skeleton": (((19, 2),), 268.0),
    "values": (((4, 4), (1, 1)), 128.0),
    "write-back": (((18, 1),), 238.0),
    "optional": (((1, 1), (1, 1), (1, 1), (4, 1)), 238.0),
}
"""Rows and picks of each phase's passes, and its milliseconds; see `tests/test_paper_phones.py`."""


@pytest.mark.parametrize("phase", TABLE_8)
def test_table_8_is_predicted_phase_by_phase(phase: str, fits: dict[str, ChipFit]) -> None:
    roofline = fits["oneplus-12r"].roofline
    passes, printed_ms = TABLE_8[phase]
    predicted_ms = sum(roofline.host_ms + roofline.pass_ms(rows, picks, 280) for rows, picks in passes)
    assert predicted_ms == pytest.approx(printed_ms, rel=0.06)


TABLE_10_TWO_CORES = {"serial": ((1, 1), 65.0), "four sequences": ((4, 4), 112.3)}


@pytest.mark.parametrize("step", TABLE_10_TWO_CORES)
def test_table_10_s_two_cores_are_predicted_from_four(step: str, fits: dict[str, ChipFit]) -> None:
    """The OnePlus's A715 cores are alike; with two of them four sequences are bound by compute."""
    (rows, picks), printed_ms = TABLE_10_TWO_CORES[step]
    two_cores = fits["oneplus-12r"].roofline.at(Conditions(cores=2)).model
    assert two_cores.pass_ms(rows, picks, 512) == pytest.approx(printed_ms, rel=0.15)


def test_table_10_s_prefill_on_two_cores_is_predicted_from_four(fits: dict[str, ChipFit]) -> None:
    two_cores = fits["oneplus-12r"].roofline.at(Conditions(cores=2)).model
    assert two_cores.pass_ms(512, 1, 512) / 512 == pytest.approx(20.1, rel=0.10)


def test_the_pixels_unlike_cores_are_not_scaled(fits: dict[str, ChipFit]) -> None:
    """Its two X1 alone take 77.4 ms, less than with two A78 besides (Table 10)."""
    with pytest.raises(
        CostModelError, match=r"cores: Google Pixel 7: .* cannot be scaled to 2: its own cores is unknown"
    ):
        fits["pixel-7"].roofline.at(Conditions(cores=2))


SERIAL_MS = {
    "Qwen3-1.7B-Q8_0": {"oneplus-12r": 2586 / 44.3, "pixel-7": 3561 / 44.3},
    "Qwen3-0.6B": {"oneplus-12r": 1183 / 42.4, "pixel-7": 1569 / 42.4},
    "Qwen3-4B": {"oneplus-12r": 5574 / 44.7},
    "Llama-3.2-1B": {"oneplus-12r": 1636 / 42.9, "pixel-7": 2415 / 42.9},
    "Llama-3.2-3B": {"oneplus-12r": 4009 / 40.0, "pixel-7": 5852 / 40.0},
    "SmolLM2-1.7B": {"oneplus-12r": 3541 / 57.8, "pixel-7": 5619 / 57.8},
}
"""Table 5: constrained decoding's latency over its passes. The Pixel swaps with the 4B model (section 7.2)."""
FURTHER_OFF = {("Llama-3.2-1B", "oneplus-12r"), ("SmolLM2-1.7B", "pixel-7")}
"""By 11 and 17 %; the others by 10 % at most."""


@pytest.mark.parametrize(
    ("model", "key"), [(model, key) for model, phones in SERIAL_MS.items() for key in phones if model != QWEN.name]
)
def test_other_models_serial_passes_are_predicted_from_their_shapes(
    model: str, key: str, fits: dict[str, ChipFit]
) -> None:
    """Against the fitted model's, since Table 5's 80 ms of it on the Pixel contradict section 7.3's 90."""
    own = fits[key].roofline
    other = own.at(Conditions(model=read_model(model))).model
    ratio = (other.pass_ms(1, 1, 400) + other.host_ms) / (own.pass_ms(1, 1, 400) + own.host_ms)
    limit = 0.18 if (model, key) in FURTHER_OFF else 0.105
    assert ratio == pytest.approx(SERIAL_MS[model][key] / SERIAL_MS[QWEN.name][key], rel=limit)


def test_four_bits_are_predicted_too_fast_since_unpacking_is_left_out(fits: dict[str, ChipFit]) -> None:
    """Section 7.2: a serial step of half the weights is only 13 % faster. This is why `at` says what it assumes."""
    eight = fits["oneplus-12r"].roofline
    four = eight.at(Conditions(quantisation="Q4_0"))
    assert four.model.pass_ms(1, 1, 400) < 0.87 * eight.pass_ms(1, 1, 400)
    assert "unpacking them may take longer" in four.assumed[0]


def test_the_tables_alone_leave_the_pixels_bandwidth_open_and_the_interval_says_so(fits: dict[str, ChipFit]) -> None:
    """At 676 MHz they are 22 % too fast: all of the serial pass could be reading, or hardly more than half of it."""
    tables = chip_phone("pixel-7", bus_levels=False)
    slow = tables.roofline.at(Conditions(bus_mhz=676)).model
    assert abs(slow.pass_ms(1, 1, 512) + slow.host_ms - 291) > 0.15 * 291
    assert np.sqrt(tables.covariance[0, 0]) > 1 > 10 * np.sqrt(fits["pixel-7"].covariance[0, 0])


@pytest.mark.parametrize(
    ("mhz", "size", "printed_ms"),
    [
        (3172, (1, 1), 90),
        (676, (1, 1), 291),
        (3172, (4, 4), 107),
        (676, (4, 4), 332),
        (3172, (26, 2), 417),
        (676, (26, 2), 674),
    ],
)
def test_section_7_3_given_to_the_fit_is_met_by_the_same_four_figures(
    mhz: float, size: tuple[int, int], printed_ms: float, fits: dict[str, ChipFit]
) -> None:
    phone = fits["pixel-7"].roofline.at(Conditions(bus_mhz=mhz)).model
    assert phone.pass_ms(*size, 512) + phone.host_ms == pytest.approx(printed_ms, rel=0.06)


def test_section_7_3_s_prompt_token_is_predicted(fits: dict[str, ChipFit]) -> None:
    """Not given to the fit: 1.12 times slower; 1.04 by reading weights and context once for all of a prompt."""
    fast, slow = (fits["pixel-7"].roofline.at(Conditions(bus_mhz=mhz)).model for mhz in (3172, 676))
    assert slow.pass_ms(512, 1, 512) / fast.pass_ms(512, 1, 512) == pytest.approx(1.12, rel=0.08)


def test_section_7_7_s_energies_give_plausible_rails() -> None:
    """Four big cores at 1.7 GHz, and LPDDR5 with its controller: a few watts, and 3 to 12 pJ a bit."""
    power = paper_power()
    assert 1.5 < power.cpu_watts < 4.0
    assert 0.003 < power.memory_nj_per_byte / 8 < 0.012


def test_the_given_energy_of_a_constrained_call_comes_back(fits: dict[str, ChipFit]) -> None:
    power, scheme = paper_power(), paper_scheme()
    roofline = fits["pixel-7"].roofline
    energy = pass_energy(roofline, power, 1, 1, 512)
    passes = CALL_J["constrained"] / float(energy.total_j)
    assert float(energy.memory_j) * 44.3 + power.cpu_watts * scheme.call_s == pytest.approx(CALL_J["constrained"])
    assert passes == pytest.approx(44.3, rel=0.12)


def test_schemaweavers_energy_leaves_a_time_between_its_tool_start_and_a_constrained_call() -> None:
    """Not given: its 6.1 J less its share of the memory's, at the cores' power. Its tool starts after 1.6 s."""
    power, scheme = paper_power(), paper_scheme()
    memory_j = power.memory_nj_per_byte * 1e-9 * scheme.call_bytes / MEMORY_SAVING["schemaweaver"]
    busy_s = (CALL_J["schemaweaver"] - memory_j) / power.cpu_watts
    assert 1.6 < busy_s < CONSTRAINED_S


SCHEME = SchemeEnergy(call_j=10.0, call_s=2.0, call_bytes=1e11, energy_ratio=2.0, memory_ratio=4.0, time_ratio=1.5)


def test_energies_split_so_that_both_schemes_are_met() -> None:
    power = fit_power(SCHEME)
    cpu_j, memory_j = power.cpu_watts * 2.0, power.memory_nj_per_byte * 1e-9 * 1e11
    assert cpu_j + memory_j == pytest.approx(10.0)
    assert cpu_j / 1.5 + memory_j / 4.0 == pytest.approx(10.0 / 2.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"energy_ratio": 1.4}, "no split between cores and memory meets these ratios: energy 1.4, memory 4, time 1.5"),
        ({"energy_ratio": 4.1}, "energy's must lie between the other two"),
        ({"memory_ratio": 1.5}, "no split between cores and memory"),
        ({"call_s": 0.0}, "call_s: found 0.0, expected a number > 0"),
    ],
)
def test_energies_that_contradict_each_other_are_refused(change: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_power(dataclasses.replace(SCHEME, **change))


def test_table_9_holds_the_weights_twice_and_leaves_room_for_the_cache_and_buffers() -> None:
    """4.725 GB. The context is not printed: what is left are at most 9,320 tokens."""
    once, twice = (peak_memory(QWEN, 4096, repacked=repacked).total_bytes for repacked in (False, True))
    assert once < 2.4e9
    assert twice == pytest.approx(4.13e9, rel=0.01)
    assert peak_memory(QWEN, 9320).total_bytes == pytest.approx(4.725e9, rel=0.001)
