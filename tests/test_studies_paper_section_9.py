"""Section 9: GPU and NPU."""

from dataclasses import dataclass

import pytest
from tiny_paper import Run, TinySetting, cell, serial, tiny_setting

from cost_models import AffineCost
from engine.commands import Phase
from studies.paper.section_9 import PROCESSORS, section_9, shared_speedup, speedup
from studies.paper.setting import ONEPLUS, PHONES

RUNS = {
    "constrained": [Run(serial(10))],
    "schemaweaver": [Run([(Phase.NAME, 5, 1), (Phase.SKELETON, 13, 1), (Phase.WRITE_BACK, 9, 1)], tool_start=2)],
}


@dataclass(frozen=True, eq=False)
class ProcessorSetting(TinySetting):
    """Passes take ten times as long on other processors than the phones' cores."""

    def cost(self, device, model="", bus_mhz=None):
        slower = 1.0 if device in PHONES else 10.0
        return AffineCost(base_ms=9.0 * slower, row_ms=1.0 * slower, host_ms=2.0 * slower)


SETTING = ProcessorSetting(tiny_setting(RUNS).devices, runs=RUNS)
GPU = PROCESSORS["gpu"]


def test_speedups_are_over_the_named_processors_constrained_decoding():
    # 16 and 24 ms on the cores until the tool starts.
    assert speedup(SETTING, ONEPLUS, ONEPLUS).value == pytest.approx(120 / 40)
    assert speedup(SETTING, GPU, ONEPLUS).value == pytest.approx(120 / 400)
    assert speedup(SETTING, GPU, GPU).value == pytest.approx(1200 / 400)


def test_prefills_alone_can_run_elsewhere():
    assert shared_speedup(SETTING, GPU).value == pytest.approx(120 / (16 + 240))


def test_the_gpus_speedup_is_a_prediction_and_its_costs_are_not():
    exhibit = section_9(tiny_setting(RUNS))
    predicted = [each for each in exhibit.cells if each.counts]
    assert [(each.column, each.printed) for each in predicted] == [("gpu", 0.39)]
    assert cell(exhibit, "four sequence over serial", "npu").role == "given"
    assert cell(exhibit, "decode step over prefill token", "gpu").role == "open"
