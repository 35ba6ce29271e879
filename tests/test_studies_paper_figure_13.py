"""Figures 4 and 13: the memory bus at lower clocks."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_paper import Run, TinySetting, cell, ours, serial, tiny_setting

from cost_models import AffineCost
from cost_models.conditions import Conditions
from engine.commands import Phase
from studies.paper.figure_4 import figure_4, throughput_drop
from studies.paper.figure_13 import figure_13, slowdown, speedup
from studies.paper.setting import PIXEL

HIGHEST, LOWEST = 3172.0, 676.0
RATIO = HIGHEST / LOWEST


@dataclass(frozen=True, eq=False)
class BusSetting(TinySetting):
    """A pass of n rows takes 9 ms that wait for the bus, n ms that do not, and 2 ms of the host's."""

    def cost(self, device, model="", bus_mhz=None):
        return AffineCost(base_ms=9.0 * HIGHEST / (bus_mhz or HIGHEST), row_ms=1.0, host_ms=2.0)


@dataclass(frozen=True, eq=False)
class PhoneSetting(TinySetting):
    """Made-up runs at the real phone's costs."""

    def cost(self, device, model="", bus_mhz=None):
        return self.device(device).cost(Conditions(bus_mhz=bus_mhz)).model


def setting(kind, runs):
    return kind(tiny_setting(runs).devices, runs=runs)


RUNS = {
    "constrained": [Run(serial(10))],
    "jump_forward": [Run([(Phase.JUMP, 20, 1)] * 2)],
    "schemaweaver": [Run([(Phase.SKELETON, 31, 1)])],
}
SETTING = setting(BusSetting, RUNS)
SERIAL_SLOWDOWN = (9 * RATIO + 3) / 12
SKELETON_SLOWDOWN = (9 * RATIO + 33) / 42


def test_slowdowns_are_those_of_the_parts_that_wait():
    assert slowdown(SETTING, "constrained", (HIGHEST, LOWEST)).value == pytest.approx(SERIAL_SLOWDOWN)
    assert slowdown(SETTING, "schemaweaver", (HIGHEST, LOWEST)).value == pytest.approx(SKELETON_SLOWDOWN)


def test_speedups_are_over_constrained_decoding_at_the_same_level():
    assert speedup(SETTING, "schemaweaver", HIGHEST).value == pytest.approx(120 / 42)
    assert speedup(SETTING, "schemaweaver", LOWEST).value == pytest.approx(
        120 / 42 * SERIAL_SLOWDOWN / SKELETON_SLOWDOWN
    )


def test_the_figure_compares_slowdowns_and_speedups_and_knows_no_other_prints():
    exhibit = figure_13(SETTING)
    assert cell(exhibit, "constrained slowdown", "3172 to 676 MHz").role == "given"
    assert ours(exhibit, "jump_forward speedup", "3172 MHz") == pytest.approx(120 / 62)
    assert cell(exhibit, "jump_forward speedup", "676 MHz").printed == 2.14
    assert all(each.printed is None for each in exhibit.cells if each.unit == "ms")


@given(
    passes=st.lists(st.tuples(st.integers(1, 64), st.booleans()), min_size=1, max_size=12),
    mhz=st.floats(LOWEST, HIGHEST),
)
def test_law_a_call_slows_down_but_never_more_than_the_bus(passes, mhz):
    runs = {"schemaweaver": [Run([(Phase.VALUES, rows, rows if all_read else 1) for rows, all_read in passes])]}
    found = slowdown(setting(PhoneSetting, runs), "schemaweaver", (HIGHEST, mhz)).value
    assert 1 - 1e-9 <= found <= HIGHEST / mhz + 1e-9


def test_throughput_drops_as_passes_without_the_hosts_time_slow_down():
    assert throughput_drop(SETTING, 1, 1) == pytest.approx(1 - 10 / (9 * RATIO + 1))
    assert throughput_drop(SETTING, 512, 1) == pytest.approx(1 - 521 / (9 * RATIO + 512))


def test_relative_costs_at_the_highest_level_are_table_2s():
    exhibit = figure_4(setting(PhoneSetting, RUNS))
    found = [each for each in exhibit.cells if each.column == "3172 MHz"]
    assert [each.printed for each in found] == [1.75, 2.34, 1.11, 1.88, 2.47, 2.06]
    for each in found:
        assert each.error == pytest.approx(0, abs=0.005)


def test_the_printed_drop_of_prefill_is_left_open_since_section_7_3_has_another():
    found = cell(figure_4(setting(PhoneSetting, RUNS)), "prefill throughput drop", "3172 to 676 MHz")
    assert found.role == "open"
    assert found.ours is not None
    assert found.ours.value == pytest.approx(1 - 1 / 1.12, abs=0.005)


def test_the_pixel_is_the_phone_of_the_sweep():
    assert PIXEL in SETTING.devices
