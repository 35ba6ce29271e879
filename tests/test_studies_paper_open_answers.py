"""What the open points' answers say holds for the passes and devices that come with the project."""

import pytest

from studies.paper.devices import study_devices
from studies.paper.open_calls import which_answers, which_calls, which_read_only
from studies.paper.open_droidcall import droidcall_start
from studies.paper.open_layout import which_layout
from studies.paper.open_models import four_bit_unpacking, swapped_model
from studies.paper.open_point import OpenPoint
from studies.paper.open_prefills import short_prefills
from studies.paper.open_schemes import eagle_3_prompt, gpu_speedup, introduction_against_section, jump_forward_latency
from studies.paper.setting import ONEPLUS, PIXEL, Setting

SETTING = Setting(study_devices(()))


def column(point: OpenPoint, measure: str) -> list[float]:
    numbers = [point.number(outcome.reading, measure) for outcome in point.outcomes]
    return [number for number in numbers if number is not None]


def nearest(values: list[float], wanted: float) -> int:
    return min(range(len(values)), key=lambda place: abs(values[place] - wanted))


def test_five_or_more_arguments_in_one_group_bring_passes_nearest_the_printed_ones():
    assert nearest(column(which_calls(SETTING), "passes, constrained"), 44.3) == 0


@pytest.mark.parametrize(
    "measure", ["mean error of Table 5", "mean error of Table 7's ratios", "mean error of section 7.3's ratios"]
)
def test_optional_arguments_as_section_7_4_has_them_bring_predictions_nearer(measure):
    as_printed, left_out = column(which_answers(SETTING), measure)
    assert as_printed < left_out


def test_table_8s_layout_brings_speedups_nearer_but_for_many_arguments():
    point = which_layout(SETTING)
    named = [measure.name for measure in point.measures if measure.name.startswith(("Table 7", "Figure 12"))]
    nearer = {name: abs(column(point, name)[-1]) < abs(column(point, name)[0]) for name in named}
    assert [name for name, is_nearer in nearer.items() if not is_nearer] == ["Figure 12, four or more"]


@pytest.mark.parametrize("name", ["Table 5, OnePlus 12R", "Table 7's ratios", "section 7.3's ratios"])
def test_dearer_short_prefills_bring_no_prediction_nearer(name):
    errors = column(short_prefills(SETTING), f"mean error of {name}")
    assert min(errors[1:]) >= errors[0] - 0.001


def test_readings_of_read_only_tools_differ_by_less_than_draws_do():
    every, by_words = (outcome.numbers for outcome in which_read_only(SETTING).outcomes)
    assert every[1] < by_words[0] < every[2]


def test_jump_forward_decoding_is_faster_than_table_7_and_the_text():
    point = jump_forward_latency(SETTING)
    for measure in ("speedup, OnePlus 12R", "speedup, Pixel 7"):
        values = column(point, measure)
        assert values[-1] == max(values)


def test_the_introduction_is_nearer_a_given_set_of_arguments_and_section_7_3_nearer_schemaweaver():
    point = introduction_against_section(SETTING)
    for measure in ("speedup at 3,172 MHz", "speedup at 676 MHz"):
        introduction, section, *_, schemaweaver, given = column(point, measure)
        assert nearest([schemaweaver, given], introduction) == 1
        assert nearest([schemaweaver, given], section) == 0


def test_llama_starts_droidcalls_tools_with_the_required_values_and_the_others_lie_between():
    point = droidcall_start(SETTING)
    for device in (ONEPLUS, PIXEL):
        final, required = column(point, f"error, Llama-3.2-1B, {device}")
        assert final > 3 * required > 0
        for model in ("Qwen3-1.7B-Q8_0", "SmolLM2-1.7B"):
            final, required = column(point, f"error, {model}, {device}")
            assert final > 0 > required


def test_unpacking_costs_time_on_one_phone_and_lighter_weights_are_a_faster_bus_on_the_other():
    point = four_bit_unpacking(SETTING)
    assert nearest(column(point, f"error of Table 5's schemaweaver, {ONEPLUS}"), 0) == 1
    printed, free, unpacked, as_a_bus = column(point, f"step over the 8-bit one, {PIXEL}")
    assert printed < free < unpacked
    assert as_a_bus == pytest.approx(printed, abs=0.02)
    assert nearest(column(point, f"error of Table 5's constrained, {PIXEL}"), 0) == 2


def test_a_swapped_models_passes_lack_more_where_they_have_more_rows():
    constrained, jump_forward, schemaweaver = column(swapped_model(SETTING), "missing per printed pass (ms)")
    assert constrained < min(jump_forward, schemaweaver)


def test_eagle_3_is_nearest_with_the_implied_prompt_and_all_drafts_checked():
    assert nearest(column(eagle_3_prompt(SETTING), "error"), 0) == 2


def test_the_gpu_is_above_the_printed_speedup_even_where_every_row_costs_a_step():
    printed, as_printed, row_by_row, _ = column(gpu_speedup(SETTING), "speedup over constrained on the CPU")
    assert printed < row_by_row < 1 < as_printed
