"""Figures 3 and 14: shares of a turn's time, and energy."""

import pytest
from tiny_paper import COST, PROMPT_TOKENS, Run, cell, ours, serial, tiny_setting

from cost_models import CostModelError
from engine.commands import Phase
from studies.paper.figure_3 import decode_share, figure_3, tokens_for_share
from studies.paper.figure_14 import call_energy, figure_14
from studies.paper.setting import ONEPLUS, PIXEL, Setting

RUNS = {
    "unconstrained": [Run(serial(10))],
    "constrained": [Run(serial(10))],
    "jump_forward": [Run(serial(5))],
    "schemaweaver": [Run([(Phase.SKELETON, 13, 1), (Phase.OPTIONAL, 1, 1)], tool_start=1)],
}
SETTING = tiny_setting(RUNS)
PHONE = SETTING.device(PIXEL)


def test_cores_draw_by_the_time_of_all_passes_and_memory_by_their_bytes():
    energy = call_energy(SETTING, "schemaweaver")
    cost = PHONE.cost().model
    assert PHONE.power is not None
    ms = sum(cost.pass_ms(rows, 1, PROMPT_TOKENS + rows) + cost.host_ms for rows in (13, 1))
    assert energy.cpu_j.tolist() == pytest.approx([PHONE.power.cpu_watts * ms / 1e3])
    moved = sum(float(PHONE.roofline.bytes_moved(rows, 1, PROMPT_TOKENS + rows)) for rows in (13, 1))
    assert energy.memory_j.tolist() == pytest.approx([PHONE.power.memory_nj_per_byte * 1e-9 * moved])


def test_savings_are_over_constrained_decoding():
    exhibit = figure_14(SETTING)
    assert ours(exhibit, "jump_forward", "saving") == pytest.approx(2)
    # Two passes read the weights in place of ten.
    assert ours(exhibit, "schemaweaver", "saving on the memory rails") == pytest.approx(5, rel=0.01)
    assert cell(exhibit, "schemaweaver", "saving").printed == 2.10


def test_only_what_the_rates_were_made_of_is_given():
    given = {(each.row, each.column) for each in figure_14(SETTING).cells if each.role == "given"}
    assert given == {
        ("constrained", "energy"),
        ("jump_forward", "saving"),
        ("jump_forward", "saving on the memory rails"),
    }


def test_a_phone_without_power_figures_is_refused():
    without = Setting(devices={**SETTING.devices, PIXEL: SETTING.device(ONEPLUS)})
    with pytest.raises(CostModelError, match="what it draws is unknown"):
        call_energy(without, "constrained")


def test_decodings_share_is_of_prompt_and_passes():
    # A prompt of 100 tokens takes 111 ms, ten serial passes take 120.
    assert decode_share(SETTING, "constrained").value == pytest.approx(120 / 231)
    assert decode_share(SETTING, "constrained", read_tokens=20).value == pytest.approx(120 / 151)


def test_no_more_of_a_prompt_is_read_than_there_is():
    assert decode_share(SETTING, "constrained", read_tokens=400).value == decode_share(SETTING, "constrained").value


def test_the_prompt_that_leaves_decoding_a_share_follows_from_a_tokens_cost():
    assert tokens_for_share(SETTING, 0.5).value == pytest.approx(120 / (COST.pass_ms(512, 1, 512) / 512))


def test_the_papers_share_is_left_open():
    assert {each.role for each in figure_3(SETTING).cells} == {"open"}
