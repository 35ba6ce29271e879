"""Costs of which a part goes with the memory bus: their laws, their fit, and section 7.3 of the paper.

The paper's numbers (arXiv:2610.17436v1) are the Pixel 7's, from 3,172 down to 676 MHz. Given to the fit are those of
a serial step, a four-sequence pass, a skeleton and a prompt token at both ends; they come back as far as they agree
with Tables 2 and 10, which the phone's profile meets. Predicted is Figure 4(a), in the text of section 2.3.
"""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.bus import BusTiming, fit_bus_lines, fit_bus_part
from calibration.bus_from_paper import bus_timings
from cost_models import AffineCost, CostModelError
from cost_models.bus_scaled import BusScaled
from cost_models.devices import read_device
from engine.errors import InputError

LEVELS = (3172.0, 676.0)
SIZES = st.tuples(st.integers(1, 512), st.integers(0, 8), st.integers(1, 600)).map(
    lambda drawn: (drawn[0], min(drawn[0], drawn[1]), drawn[2])
)
COSTS = st.builds(
    AffineCost,
    base_ms=st.floats(1.0, 100.0),
    row_ms=st.floats(0.0, 20.0),
    pick_ms=st.floats(0.0, 20.0),
    context_ms=st.floats(0.0, 1.0),
)
MODELS = st.builds(
    BusScaled,
    reference=COSTS,
    bus_part=COSTS,
    reference_mhz=st.just(3000.0),
    bus_mhz=st.floats(300.0, 3000.0),
    measured_mhz=st.just((600.0, 3000.0)),
)
PLAIN = BusScaled(
    reference=AffineCost(base_ms=70.0, row_ms=10.0, host_ms=3.0),
    bus_part=AffineCost(base_ms=50.0, row_ms=1.0),
    reference_mhz=3000.0,
    bus_mhz=3000.0,
    measured_mhz=(600.0, 3000.0),
)


@given(MODELS, SIZES, st.floats(1.0, 30.0))
def test_a_faster_bus_never_makes_a_pass_slower(model: BusScaled, size: tuple[int, int, int], times: float) -> None:
    faster = model.at(bus_mhz=times * model.bus_mhz).model
    assert 0 < faster.pass_ms(*size) <= model.pass_ms(*size)


@given(MODELS, SIZES, st.tuples(st.integers(0, 50), st.integers(0, 4), st.integers(0, 900)))
def test_more_rows_picks_or_context_are_never_cheaper(
    model: BusScaled, size: tuple[int, int, int], more: tuple[int, int, int]
) -> None:
    rows, picks, context = size[0] + more[0], size[1] + more[1], size[2] + more[2]
    assert model.pass_ms(max(rows, picks), picks, context) >= model.pass_ms(*size) * (1 - 1e-9)


@given(MODELS, SIZES)
def test_at_the_reference_clock_it_costs_what_the_reference_does(model: BusScaled, size: tuple[int, int, int]) -> None:
    same = model.at(bus_mhz=3000.0).model
    assert same.pass_ms(*size) == pytest.approx(model.reference.pass_ms(*size))
    assert same.host_ms == model.reference.host_ms


@given(MODELS, st.lists(SIZES, min_size=1, max_size=8))
def test_arrays_cost_what_their_elements_cost(model: BusScaled, sizes: list[tuple[int, int, int]]) -> None:
    rows, picks, context = np.array(sizes).T
    assert model.pass_ms(rows, picks, context).tolist() == [model.pass_ms(*size) for size in sizes]
    assert model.covers(rows, picks, context).tolist() == [model.covers(*size) for size in sizes]


@pytest.mark.parametrize(("bus_mhz", "expected"), [(3000.0, 80.0), (1500.0, 131.0), (600.0, 284.0), (6000.0, 54.5)])
def test_the_waiting_part_goes_with_one_over_the_clock(bus_mhz: float, expected: float) -> None:
    """29 ms that do not wait, 51 that do."""
    assert PLAIN.at(bus_mhz=bus_mhz).model.pass_ms(1, 1, 1) == pytest.approx(expected)


def test_a_pass_of_which_more_waits_than_there_is_waits_as_a_whole() -> None:
    model = dataclasses.replace(PLAIN, bus_part=AffineCost(base_ms=500.0, row_ms=1.0), bus_mhz=1500.0)
    assert model.pass_ms(1, 1, 1) == pytest.approx(160.0)


@pytest.mark.parametrize(
    ("bus_mhz", "covered", "sentences"), [(600.0, True, 1), (3000.0, True, 1), (599.0, False, 2), (3001.0, False, 2)]
)
def test_beyond_the_measured_levels_nothing_is_covered_and_it_is_said(
    bus_mhz: float, covered: bool, sentences: int
) -> None:
    scaled = PLAIN.at(bus_mhz=bus_mhz)
    assert scaled.model.covers(1, 1, 1) is covered
    assert scaled.model.covers(np.array([1, 2]), 1, 1).tolist() == [covered, covered]
    assert len(scaled.assumed) == sentences
    assert ("lies outside the measured levels, 600 to 3000 MHz" in scaled.assumed[-1]) is not covered


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bus_mhz": 0.0}, "bus_mhz: found 0.0, expected a finite number > 0"),
        ({"reference_mhz": float("nan")}, "reference_mhz: found nan, expected a finite number > 0"),
        ({"measured_mhz": (3000.0, 600.0)}, r"measured_mhz: found \[3000.0, 600.0\], expected 0 < lowest <= highest"),
    ],
)
def test_a_model_that_is_none_says_which_field(change: dict[str, Any], message: str) -> None:
    with pytest.raises(CostModelError, match=f"^{message}"):
        dataclasses.replace(PLAIN, **change)


@given(st.floats(0.0, 200.0), st.floats(1.0, 200.0), st.sets(st.integers(200, 5000), min_size=2, max_size=6))
def test_a_fit_finds_the_parts_that_exact_timings_were_made_of(fixed: float, bus: float, levels: set[int]) -> None:
    top = max(levels)
    line = fit_bus_lines([BusTiming(1, 1, 100, mhz, fixed + bus * top / mhz) for mhz in levels])[0]
    together = fixed + bus
    assert line.fixed_ms == pytest.approx(fixed, abs=0.01 * together)
    assert line.bus_ms == pytest.approx(bus, abs=0.01 * together)
    assert max(np.abs(line.residuals)) < 1e-3


@pytest.mark.parametrize(
    ("timings", "message"),
    [
        ([], "no bus timings"),
        ([BusTiming(1, 1, 100, 3000.0, 90.0)], "1 rows, 1 picks, 100 tokens: one bus level; expected two or more"),
        ([BusTiming(1, 1, 100, 3000.0, 0.0)], "bus_mhz and ms must be above 0"),
    ],
)
def test_timings_that_tell_nothing_of_the_bus_are_refused(timings: list[BusTiming], message: str) -> None:
    with pytest.raises(InputError, match=message):
        fit_bus_lines(timings)


def test_more_rows_never_wait_less_than_fewer() -> None:
    """Eight rows were timed to wait 20 ms, less than the 40 of four."""
    waits = {1: 30.0, 4: 40.0, 8: 20.0}
    timings = [BusTiming(n, 1, 100, mhz, 50 + ms * 3000 / mhz) for n, ms in waits.items() for mhz in (3000.0, 1000.0)]
    part = fit_bus_part(timings)
    assert [part.pass_ms(n, 1, 100) for n in waits] == pytest.approx([30.0, 40.0, 40.0])


@pytest.mark.parametrize("rows", [(1,), (4, 8)])
def test_a_bus_fit_needs_one_row_and_another_count(rows: tuple[int, ...]) -> None:
    timings = [BusTiming(n, 1, 100, mhz, 90.0) for n in rows for mhz in LEVELS]
    with pytest.raises(InputError, match="need one row and one more row count"):
        fit_bus_part(timings)


@pytest.mark.parametrize("timing", bus_timings(), ids=lambda timing: f"{timing.rows} rows at {timing.bus_mhz:g} MHz")
def test_section_7_3_comes_back_as_far_as_it_agrees_with_table_10(timing: BusTiming) -> None:
    """A four-sequence pass takes 107 ms there, 99 by Tables 2 and 10; the skeleton's rows are not printed."""
    phone = _phone(timing.bus_mhz)
    host_ms = phone.host_ms if timing.rows < 512 else 0.0
    predicted = host_ms + phone.pass_ms(timing.rows, timing.picks, timing.context_tokens)
    assert predicted == pytest.approx(timing.ms, rel=0.08)


def test_figure_4a_s_decode_is_predicted_and_its_prefill_contradicts_section_7_3() -> None:
    """Section 2.3: decode throughput falls by 70 %, prefill by 17 %. Section 7.3's prompt token, 1.12, is 11 %."""
    fast, slow = (_phone(mhz) for mhz in LEVELS)
    decode = 1 - fast.pass_ms(1, 1, 512) / slow.pass_ms(1, 1, 512)
    prefill = 1 - fast.pass_ms(512, 1, 512) / slow.pass_ms(512, 1, 512)
    assert decode == pytest.approx(0.70, abs=0.03)
    assert prefill == pytest.approx(1 - 1 / 1.12, abs=0.005)


def _phone(bus_mhz: float) -> BusScaled:
    bus = read_device("pixel-7").bus
    assert bus is not None
    return bus.at(bus_mhz=bus_mhz).model
