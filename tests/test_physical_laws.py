"""What holds of every device under any conditions, whatever its figures."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cost_models.conditions import AS_MEASURED, Conditions
from cost_models.device import Device
from cost_models.devices import device_names, read_device
from cost_models.models import model_names, read_model
from cost_models.quantisation import QUANTISATIONS

DEVICES = {name: read_device(name) for name in device_names()}
ROUNDING = 1e-9
SPEEDS = ("bandwidth_gb_s", "bus_mhz", "clock_mhz", "cores")
"""Conditions of which more is faster."""

names = st.sampled_from(sorted(DEVICES))
sizes = st.tuples(st.integers(1, 600), st.integers(0, 40), st.integers(1, 4000)).map(
    lambda drawn: (drawn[0], min(drawn[0], drawn[1]), drawn[2])
)
others = st.fixed_dictionaries(
    {},
    optional={
        "model": st.sampled_from(model_names()).map(read_model),
        "quantisation": st.sampled_from(sorted(QUANTISATIONS)),
        "tile_rows": st.sampled_from((1, 2, 4, 8, 16)),
    },
)
"""Conditions of which none is faster or slower by itself."""


def knows(device: Device, speed: str) -> bool:
    return getattr(device.chip, speed) is not None


def times(device: Device, speed: str, factor: float) -> float:
    value = factor * getattr(device.chip, speed)
    return max(1, round(value)) if speed == "cores" else value


@given(names, sizes, st.sampled_from(SPEEDS), st.floats(0.05, 20.0), st.floats(1.0, 20.0), others)
def test_more_bandwidth_bus_clock_or_cores_is_never_slower(
    name: str, size: tuple[int, int, int], speed: str, factor: float, more: float, other: dict[str, Any]
) -> None:
    device = DEVICES[name]
    assume(knows(device, speed))
    slow, fast = (
        device.cost(Conditions(**other, **{speed: times(device, speed, each)})).model
        for each in (factor, factor * more)
    )
    assert fast.pass_ms(*size) <= slow.pass_ms(*size) * (1 + ROUNDING)
    assert fast.host_ms <= slow.host_ms * (1 + ROUNDING)


@given(names, sizes, others, st.floats(0.05, 20.0))
def test_every_pass_takes_time_under_any_conditions(
    name: str, size: tuple[int, int, int], other: dict[str, Any], factor: float
) -> None:
    device = DEVICES[name]
    conditions = Conditions(**other, bandwidth_gb_s=times(device, "bandwidth_gb_s", factor))
    cost = device.cost(conditions).model
    assert 0 < cost.pass_ms(*size) < float("inf")
    assert cost.host_ms >= 0


@given(names, st.integers(1, 600), st.integers(1, 40), st.integers(1, 4000))
def test_more_rows_are_never_cheaper_among_equal_tiles(name: str, rows: int, more: int, context: int) -> None:
    """As measured; but for a row that completes a tile."""
    device = DEVICES[name]
    cost, tile = device.cost().model, (device.table or device.chip).tile_rows
    last = rows - rows % tile + tile - 1
    fewer, wider = (cost.pass_ms(each, 1, max(context, 512)) for each in (rows, min(rows + more, last)))
    assert wider >= fewer * (1 - ROUNDING)


@given(names, st.integers(1, 600), st.integers(1, 40), others)
def test_more_whole_tiles_are_never_cheaper_by_a_roofline(
    name: str, tiles: int, more: int, other: dict[str, Any]
) -> None:
    roofline = DEVICES[name].roofline.at(Conditions(**other)).model
    tile = roofline.chip.tile_rows
    fewer, wider = (roofline.pass_ms(tile * each, 1, 30_000) for each in (tiles, tiles + more))
    assert wider >= fewer * (1 - ROUNDING)


@given(names, sizes, st.integers(1, 2000))
def test_more_context_is_never_cheaper(name: str, size: tuple[int, int, int], more: int) -> None:
    cost = DEVICES[name].cost().model
    assert cost.pass_ms(size[0], size[1], size[2] + more) >= cost.pass_ms(*size) * (1 - ROUNDING)


@given(names, st.lists(sizes, min_size=1, max_size=20))
def test_without_conditions_costs_are_the_tables(name: str, drawn: list[tuple[int, int, int]]) -> None:
    device = DEVICES[name]
    expected = device.roofline if device.table is None else device.table
    rows, picks, context = np.array(drawn).T
    assert device.cost(AS_MEASURED).model.pass_ms(rows, picks, context).tolist() == [
        expected.pass_ms(*size) for size in drawn
    ]


@given(names, others, st.integers(0, 100_000))
def test_memory_is_never_negative_and_grows_with_context(name: str, other: dict[str, Any], context: int) -> None:
    device, conditions = DEVICES[name], Conditions(**other)
    less, more = (device.peak_memory(each, conditions) for each in (context, context + 1))
    assert 0 <= less.buffer_bytes <= less.total_bytes < more.total_bytes


@given(sizes, others, st.floats(0.05, 20.0))
def test_energy_is_never_negative(size: tuple[int, int, int], other: dict[str, Any], factor: float) -> None:
    device = DEVICES["pixel-7"]
    energy = device.energy(*size, Conditions(**other, bus_mhz=times(device, "bus_mhz", factor)))
    assert energy.cpu_j > 0
    assert energy.memory_j > 0
    assert energy.total_j == pytest.approx(energy.cpu_j + energy.memory_j)


def test_every_speed_is_known_of_some_device() -> None:
    """Else the first law would say nothing of it."""
    assert all(any(knows(device, speed) for device in DEVICES.values()) for speed in SPEEDS)
