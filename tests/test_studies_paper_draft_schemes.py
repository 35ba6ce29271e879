"""Prices of speculative decoding with a head, and with blocks."""

import pytest
from tiny_paper import COST, PROMPT_TOKENS, Run, serial, table, tiny_setting

from cost_models.models import model_names, read_model
from engine.commands import Phase
from sim.pass_data import read_pass_data
from studies.paper import draft_schemes
from studies.paper.draft_schemes import (
    ACCEPTANCE,
    DEPTH,
    HEAD_PASSES,
    dflash_2_ms,
    dflash_2_passes,
    eagle_3_full_ms,
    eagle_3_ms,
    eagle_3_weights,
    head_checks,
    head_cost,
    prompt_token_ms,
)
from studies.paper.setting import BASE_MODEL, ONEPLUS

DRAFT, CHECK = (Phase.DRAFT, 1, 1), (Phase.VERIFY, 9, 9)
SETTING = tiny_setting({"constrained": [Run(serial(11))]})


@pytest.fixture
def head(monkeypatch):
    run = Run([DRAFT, DRAFT, CHECK, DRAFT, CHECK, (Phase.SERIAL, 1, 1)])
    monkeypatch.setattr(draft_schemes, "head_passes", lambda: table("speculative", [run]))


def test_heads_have_the_sizes_that_the_paper_prints():
    """Section 7: 59 to 247 million parameters, for all models but SmolLM2 and the second quantisation."""
    sizes = [eagle_3_weights(read_model(name)) for name in model_names() if "SmolLM2" not in name]
    assert min(sizes) == pytest.approx(59e6, rel=0.06)
    assert max(sizes) == pytest.approx(247e6, rel=0.02)


def test_the_passes_are_of_the_head_that_is_assumed():
    assert f"acceptance={ACCEPTANCE},depth={DEPTH}," in read_pass_data(HEAD_PASSES).command


def test_a_prompt_token_gets_dearer_in_the_printed_ratio():
    # 512 rows take 521 ms without the host's time.
    assert prompt_token_ms(COST) == pytest.approx(521 / 512 * (50.8 / 11.4 - 1))


@pytest.mark.usefixtures("head")
def test_a_call_pays_drafts_checks_and_the_prompt():
    draft_ms = head_cost(SETTING, ONEPLUS, BASE_MODEL).base_ms
    # Two checks of 9 rows take 20 ms each, a serial pass 12 ms.
    decoded_ms = 3 * draft_ms + 2 * 20 + 12
    assert eagle_3_ms(SETTING, ONEPLUS, BASE_MODEL, 0.0).tolist() == pytest.approx([decoded_ms])
    with_prompt = decoded_ms + PROMPT_TOKENS * prompt_token_ms(COST)
    assert eagle_3_ms(SETTING, ONEPLUS, BASE_MODEL).tolist() == pytest.approx([with_prompt])


@pytest.mark.usefixtures("head")
def test_all_drafts_can_be_checked_each_time():
    draft_ms = head_cost(SETTING, ONEPLUS, BASE_MODEL).base_ms
    # The serial pass is one of the three then, too.
    assert eagle_3_full_ms(SETTING, ONEPLUS, BASE_MODEL, 0.0).tolist() == pytest.approx([3 * (20 + 8 * draft_ms)])


@pytest.mark.usefixtures("head")
def test_checks_are_the_models_own_passes():
    assert head_checks(SETTING, BASE_MODEL).tolist() == [3]


def test_a_block_brings_four_and_a_half_tokens_and_its_own():
    tokens = table("constrained", [Run(serial(count)) for count in (1, 5, 6, 11, 12)])
    assert dflash_2_passes(tokens).tolist() == [1, 1, 2, 2, 3]


def test_a_block_costs_a_pass_of_seventeen_rows_and_a_gigabyte():
    read_ms = 1e9 / (SETTING.device(ONEPLUS).chip.bandwidth_gb_s * 1e6)
    assert dflash_2_ms(SETTING, ONEPLUS, BASE_MODEL).tolist() == pytest.approx([2 * (11 + 17 + read_ms)])
