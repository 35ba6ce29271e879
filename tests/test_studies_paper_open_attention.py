"""What a row's attention reads, and other reasons for SmolLM2's errors."""

import pytest
from paper_points import SETTING, column

from cost_models.models import read_model
from studies.paper.open_attention import (
    MODEL,
    attention_of_rows,
    reading_rows,
    wide_output,
    with_rooflines,
    with_shape,
    without_attention,
)
from studies.paper.setting import BASE_MODEL, ONEPLUS, PHONES, Setting
from studies.paper.table_3 import fixed_text_cell, table_3_models

POINT = attention_of_rows(SETTING)
ROOFLINE = SETTING.device(ONEPLUS).roofline


def skeleton_error(setting: Setting, model: str) -> float:
    error = fixed_text_cell(setting, model, "skeleton").error
    assert error is not None
    return error


def test_each_row_reads_the_keys_and_values_that_it_attends_to_once():
    """One row more takes the time of its context's bytes more than where attention takes none."""
    reading, free = (changed(ROOFLINE) for changed in (reading_rows, without_attention))
    read_ms = 600 * ROOFLINE.shape.cache_bytes_per_token / (ROOFLINE.chip.bandwidth_gb_s * 1e6)
    one_ms = float(reading.pass_ms(1, 1, 600)) - float(free.pass_ms(1, 1, 600))
    assert one_ms == pytest.approx(read_ms)


@pytest.mark.parametrize("phone", PHONES)
@pytest.mark.parametrize("size", [(1, 1, 512), (4, 4, 700), (23, 2, 600)])
def test_unchanged_rooflines_change_no_cost(phone, size):
    same = with_rooflines(SETTING, lambda roofline: roofline)
    for model in (MODEL, "Qwen3-4B"):
        assert same.cost(phone, model).pass_ms(*size) == pytest.approx(SETTING.cost(phone, model).pass_ms(*size))


def test_the_measured_model_keeps_its_costs_and_the_bus_its_levels():
    changed = with_rooflines(SETTING, reading_rows)
    for bus_mhz in (None, 676.0):
        before, after = (each.cost("pixel-7", BASE_MODEL, bus_mhz).pass_ms(23, 2, 600) for each in (SETTING, changed))
        assert before == after


def test_a_wide_output_is_as_large_as_the_measured_models_and_costs_more():
    wide = wide_output(read_model(MODEL))
    assert wide.output_weights == pytest.approx(read_model(BASE_MODEL).output_weights, rel=1e-3)
    before, after = (each.cost(ONEPLUS, MODEL).pass_ms(1, 1, 512) for each in (SETTING, with_shape(SETTING, wide)))
    assert after > before


def test_rows_that_read_for_themselves_explain_most_of_smollm2s_errors():
    for name, most in {ONEPLUS: 0.031, "pixel-7": 0.081}.items():
        given, reading, *others = column(POINT, f"Table 5, schemaweaver, {name}")
        assert -most < reading < 0
        assert given < min(others) < max(others) < reading
    _, reading, *_ = column(POINT, "Table 3, skeleton")
    assert skeleton_error(SETTING, BASE_MODEL) < reading < 0


def test_the_other_models_hardly_come_nearer_by_it_and_get_farther_in_table_3():
    given, reading, *_ = column(POINT, "mean error of Table 5, other models")
    assert given - 0.01 < reading < given
    given, reading, *_ = column(POINT, "mean error of Table 3, other models")
    assert reading > given + 0.01
    reading_rows_themselves = with_rooflines(SETTING, reading_rows)
    errors = {model: skeleton_error(reading_rows_themselves, model) for model in table_3_models()}
    assert min(errors, key=errors.__getitem__) == "Qwen3-0.6B"


def test_dearer_picks_and_longer_text_miss_the_serial_column_and_prefills_stay_low():
    *_, picks, longer = column(POINT, "Table 3, constrained")
    assert min(picks, longer) > 0.09
    assert max(column(POINT, "Table 3, jump_forward")) < -0.15
