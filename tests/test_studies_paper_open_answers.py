"""What the open points' answers say holds for the passes and devices that come with the project."""

import pytest
from paper_points import SETTING, column, nearest

from studies.paper.open_calls import which_answers, which_calls, which_read_only
from studies.paper.open_droidcall import droidcall_start
from studies.paper.open_layout import which_layout
from studies.paper.open_memory import held_cells
from studies.paper.open_models import four_bit_unpacking, swapped_model
from studies.paper.open_prefills import short_prefills
from studies.paper.open_schemes import eagle_3_prompt, gpu_speedup, introduction_against_section, jump_forward_latency
from studies.paper.open_steps import (
    LONG_CONTEXT,
    output_share,
    pixel_host_time,
    prefill_drop,
    processors,
    write_back_cost,
)
from studies.paper.section_4_3 import section_4_3
from studies.paper.setting import BASE_MODEL, ONEPLUS, PIXEL


def test_five_or_more_arguments_in_one_group_bring_passes_nearest_the_printed_ones():
    point = which_calls(SETTING)
    assert nearest(column(point, "passes, constrained"), 44.3) == 0
    ratios = column(point, "mean error of Table 7's ratios")
    assert max(ratios) - min(ratios) < 0.01


def test_more_arguments_bring_section_7_3_nearer_and_table_5_far_off():
    point = which_calls(SETTING)
    bus, table_5 = (column(point, f"mean error of {name}") for name in ("section 7.3's ratios", "Table 5"))
    assert max(bus[2:4]) < 0.5 * min(bus[0], bus[1], bus[4])
    assert min(table_5[2:4]) > 1.5 * table_5[0]


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


@pytest.mark.parametrize("name", ["Table 5's passes by schemaweaver", "Table 6's schemaweaver"])
def test_table_8s_layout_takes_passes_and_droidcall_farther_most_by_its_two_passes(name):
    errors = column(which_layout(SETTING), f"mean error of {name}")
    assert errors == sorted(errors)
    assert errors[-1] - errors[-2] > errors[-2] - errors[0]


@pytest.mark.parametrize("name", ["Table 5, OnePlus 12R", "Table 7's ratios"])
def test_dearer_short_prefills_take_latencies_farther(name):
    errors = column(short_prefills(SETTING), f"mean error of {name}")
    assert errors == sorted(errors)


def test_short_prefills_at_12_ms_a_row_bring_table_8_nearer_and_dearer_ones_take_all_farther():
    point = short_prefills(SETTING)
    given, twelve, *dearer = column(point, "mean error of Table 8's phases")
    assert twelve < given < min(dearer)
    given, _, *dearer = column(point, "mean error of section 7.3's ratios")
    assert min(dearer) > given


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
    latencies = (column(point, f"error of Table 5's {name}, {PIXEL}") for name in ("constrained", "schemaweaver"))
    assert min(errors[-1] for errors in latencies) > 0


def test_a_swapped_models_passes_lack_most_by_jump_forward_with_half_of_schemaweavers_rows():
    point = swapped_model(SETTING)
    constrained, jump_forward, schemaweaver = column(point, "missing per printed pass (ms)")
    assert constrained < schemaweaver < jump_forward
    _, fewer, more = column(point, "rows in a pass of ours")
    assert fewer == pytest.approx(more / 2, rel=0.1)


def test_the_pixels_host_time_brings_section_7_3_nearer_and_table_5_farther():
    point = pixel_host_time(SETTING)
    for name in ("Table 5, Pixel", "Table 5, both phones"):
        with_it, *less = column(point, f"mean error of {name}")
        assert with_it > max(less)
    with_it, *less = column(point, "bias of Table 5, Pixel")
    assert with_it > 0 > max(less)
    assert nearest(column(point, "mean error of section 7.3's ratios"), 0) == 0


def test_no_cost_that_falls_per_token_meets_section_4_3():
    ours, in_context, by_table_10, *_ = column(write_back_cost(SETTING), "error of section 4.3")
    assert max(ours, in_context, by_table_10) < -0.1
    own = [each for each in section_4_3(SETTING).cells if each.unit == "ms" and each.role == "predicted"]
    assert [each.error is not None and each.error < -0.1 for each in own] == [True]


def test_a_fifth_of_the_prompts_are_longer_than_the_long_context():
    prompts = SETTING.passes(BASE_MODEL, "constrained").prompt_tokens
    assert (prompts > LONG_CONTEXT).mean() == pytest.approx(0.2, abs=0.03)


@pytest.mark.parametrize("name", ["Table 5", "Table 7's ratios", "Table 8's phases"])
def test_free_picks_take_predictions_farther_and_two_shares_by_weights_are_alike(name):
    by_shape, by_profile, free = column(output_share(SETTING), f"mean error of {name}")
    assert free > max(by_shape, by_profile) + 0.01
    assert by_shape == pytest.approx(by_profile, abs=0.005)


def test_table_1s_cpu_decodes_as_one_core_set_and_prefills_as_another():
    point = processors(SETTING)
    step, prompt_token = (column(point, name) for name in ("serial step (ms)", "prompt token (ms)"))
    core_sets = [outcome.reading for outcome in point.outcomes[3:6]]
    assert core_sets[nearest(step[3:6], step[2])].endswith("4-a715-x3")
    assert core_sets[nearest(prompt_token[3:6], prompt_token[2])].endswith("all-8")


def test_table_1s_gpu_and_npu_are_not_section_9s_above_all_the_npus_step():
    point = processors(SETTING)
    npu, gpu, *_, gpu_9, npu_9 = column(point, "serial step (ms)")
    assert npu_9 > 2 * npu
    assert 1.03 * gpu < gpu_9 < 1.1 * gpu


def test_eagle_3_is_nearest_with_the_implied_prompt_and_all_drafts_checked():
    errors = column(eagle_3_prompt(SETTING), "error")
    assert nearest(errors, 0) == 2
    assert -1 / 3 < errors[1] < -0.25
    assert errors[2] == pytest.approx(errors[1] / 2, rel=0.15)


def test_prefill_loses_what_figure_4_and_section_7_3_print_for_prompts_of_different_lengths():
    figure_4, section_7_3, *by_length = column(prefill_drop(SETTING), "throughput lost")
    assert by_length[-1] == pytest.approx(section_7_3, abs=0.005)
    assert by_length[-2] < figure_4 < by_length[-3]


def test_the_gpu_is_above_the_printed_speedup_even_where_every_row_costs_a_step():
    printed, as_printed, row_by_row, _ = column(gpu_speedup(SETTING), "speedup over constrained on the CPU")
    assert printed < row_by_row < 1 < as_printed


def test_table_9_is_a_tenth_below_the_longest_call_of_a_draw_and_among_those_of_draws():
    point = held_cells(SETTING)
    longest, padded, _, values, *shorter = column(point, "error")
    assert longest == pytest.approx(0.1, abs=0.03)
    assert padded == pytest.approx(0.5, abs=0.05)
    assert max(values, *shorter) < -0.1
    (low, *_), (high, *_) = (column(point, name) for name in ("its lowest in 95 % of draws", "its highest"))
    assert low < 8.9 < high
