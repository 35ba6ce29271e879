"""What the paper leaves open, as experiments."""

from dataclasses import replace

import pytest
from tiny_paper import Run, serial, table, tiny_setting

from cost_models.devices import device_names, read_device
from engine.commands import Phase
from engine.errors import InputError
from studies.paper import open_droidcall, open_schemes
from studies.paper.changed_device import table_of, with_table
from studies.paper.open_models import RATE, swapped_model, with_unpacking
from studies.paper.open_point import Measure, OpenPoint, Outcome, point_section, point_table
from studies.paper.open_schemes import added_pass_ms, implied_prompt_tokens, jump_forward_latency
from studies.paper.open_steps import prefill_drop, processors, with_host, with_output_share, write_back_cost
from studies.paper.reading_errors import bus_error, table_5_bias, table_5_error, table_7_error, table_8_error
from studies.paper.setting import ONEPLUS, PHONES, Setting
from studies.paper.table_8 import CALL

NAMES = (
    *("unconstrained", "constrained", "jump_forward", "jump_forward_provisional", "skeleton", "parallel"),
    *("schemaweaver", "arguments_given"),
)
RUNS = {name: [Run(serial(5))] for name in NAMES} | {
    "constrained": [Run(serial(10))],
    "schemaweaver": [Run([(Phase.SKELETON, 31, 1)])],
}
TINY = tiny_setting(RUNS)
PHONES_ONLY = Setting({name: read_device(name) for name in device_names()})
POINT = OpenPoint(
    key="latency",
    title="a latency",
    question="The paper prints 2 and 3.",
    answer="Neither.",
    measures=(Measure("error", is_share=True, is_signed=True), Measure("share", 0, is_share=True), Measure("ms", 2)),
    outcomes=(Outcome("2", (0.104, 0.5, 1.005)), Outcome("3", (-0.25, None, None))),
)


def test_shares_are_in_percent_and_only_signed_ones_have_a_plus():
    shown = point_table(POINT)
    assert shown.headers == ("reading", "error (%)", "share (%)", "ms")
    assert shown.rows == (("2", "+10.4", "50", "1.00"), ("3", "-25.0", "-", "-"))


def test_a_section_asks_shows_and_answers():
    section = point_section(POINT)
    assert (section.note, section.remarks) == (POINT.question, (POINT.answer,))
    assert section.tables == (point_table(POINT),)


def test_numbers_are_found_by_reading_and_measure():
    assert POINT.number("3", "error") == -0.25
    assert POINT.number("3", "ms") is None
    with pytest.raises(InputError, match=r"latency: no 'error' of '4'; there are \['error', .*\['2', '3'\]"):
        POINT.number("4", "error")


def test_an_outcome_has_a_number_for_each_measure():
    with pytest.raises(InputError, match="'4' has 1 numbers, expected 3"):
        replace(POINT, outcomes=(*POINT.outcomes, Outcome("4", (1.0,))))


def test_table_8_is_priced_by_its_rows():
    # 17, 30, 15 and 12, 29, three times 12 and 15 ms, and their sums.
    with_its_call = replace(
        TINY, runs=RUNS | {name: [Run(serial(5), CALL)] for name in ("constrained", "schemaweaver")}
    )
    phases = ((109, 17), (268, 30), (128, 27), (238, 29), (238, 51), (505, 74), (981, 154))
    errors = [abs(ours / printed - 1) for printed, ours in phases]
    assert table_8_error(with_its_call) == pytest.approx(sum(errors) / 7)


def test_table_7s_errors_are_those_of_speedups():
    printed = {
        name: 2586 / ms for name, ms in (("jump_forward", 1421), ("jump_forward_provisional", 1349), ("skeleton", 1369))
    } | {"parallel": 2586 / 1247, "arguments_given": 2586 / 1036}
    errors = [2 / ratio - 1 for ratio in printed.values()] + [120 / 42 / (2586 / 1211) - 1]
    assert table_7_error(TINY) == pytest.approx(sum(map(abs, errors)) / 6)


def test_table_5s_errors_leave_out_the_model_that_is_swapped():
    # All far too low here, so that the bias is the error; two phones, seven models, one of them on one phone only.
    assert table_5_error(TINY) == pytest.approx(-table_5_bias(TINY))
    assert 0.9 < table_5_error(TINY) < 1


def test_the_bus_errors_are_of_ratios_that_no_fit_saw():
    # Costs here do not know the bus: SchemaWeaver does not slow, speedups are 2 and 120 / 42 throughout.
    errors = [1 / 2.49 - 1, 2 / 1.85 - 1, 2 / 2.14 - 1, 120 / 42 / 2.23 - 1, 120 / 42 / 2.89 - 1]
    assert bus_error(TINY) == pytest.approx(sum(map(abs, errors)) / 5)


def test_the_jump_forward_readings_are_the_papers_ratios():
    point = jump_forward_latency(TINY)
    assert point.number("Table 5", "speedup, OnePlus 12R") == pytest.approx(2586 / 1921)
    assert point.number("Table 5", "speedup, Pixel 7") == pytest.approx(3561 / 2723)
    assert point.number("Table 7 (section 7.1 says 1.82)", "speedup, OnePlus 12R") == pytest.approx(1.82, abs=0.005)
    by_table_3 = point.number(point.outcomes[1].reading, "speedup, OnePlus 12R")
    assert by_table_3 == pytest.approx(2586 / (2586 - 1201 + 577))
    assert point.number("ours", "speedup, OnePlus 12R") == pytest.approx(2)


def test_eagle_3s_loss_implies_a_short_prompt():
    assert implied_prompt_tokens() == pytest.approx(0.75 * (9610 - 2586) / (50.8 - 11.4))


def test_what_a_gpu_pass_would_take_besides_is_found():
    # 120 ms over 0.39 are 307.7; one pass of 31 rows takes 42 of them.
    assert added_pass_ms(TINY, 0.39) == pytest.approx(120 / 0.39 - 42, abs=0.1)
    point = open_schemes.gpu_speedup(TINY)
    assert point.number("every row costs a step", "over constrained on the GPU") == pytest.approx(120 / 310)


def test_unpacking_leaves_8_bit_weights_alone_and_slows_4_bit_ones():
    slow = with_unpacking(PHONES_ONLY, 50.0)
    for phone in PHONES:
        assert slow.device(phone).value(RATE) == 50.0
        assert slow.cost(phone).pass_ms(4, 4, 512) == PHONES_ONLY.cost(phone).pass_ms(4, 4, 512)
        quick, slower = (each.cost(phone, "Qwen3-1.7B-Q4_0").pass_ms(4, 4, 512) for each in (PHONES_ONLY, slow))
        assert slower > quick


def test_a_swapped_models_missing_time_is_spread_over_the_printed_passes():
    point = swapped_model(TINY)
    missing_ms = (23871 - 120) / 44.7
    assert point.number("constrained", "missing per printed pass (ms)") == pytest.approx(missing_ms)
    assert point.number("constrained", "GB/s if 1.5 GB come back in each") == pytest.approx(1500 / missing_ms)


def test_section_4_3s_write_back_is_out_of_table_8s_and_table_10s_reach():
    point = write_back_cost(PHONES_ONLY)
    short = "ms for 18 tokens", "error of Table 8"
    assert point.number("section 4.3's 15.1 ms for each of its tokens", short[0]) == pytest.approx(18 * 522 / 34.5)
    by_table_10 = point.number("Table 8, and from there Table 10's 9.8 ms a token", "error of section 4.3")
    assert by_table_10 == pytest.approx((238 + 16.5 * 9.8) / 522 - 1)
    ours = point.number("ours", "error of section 4.3")
    assert ours is not None
    assert ours < -0.2


def test_longer_prompts_lose_less_on_a_slow_bus_and_both_prints_lie_between():
    point = prefill_drop(PHONES_ONLY)
    drops = [outcome.numbers[0] for outcome in point.outcomes[2:]]
    assert drops == sorted(drops, reverse=True)
    printed = point.number("printed in Figure 4(a)", "throughput lost")
    assert printed == 0.17
    assert drops[-1] < printed < drops[0]


def test_table_1s_processors_are_compared_by_steps_and_prompt_tokens():
    point = processors(TINY)
    assert point.number("GPU, Table 1", "prompt tokens in a step") == pytest.approx(93.1 / 11.3)
    assert point.number("NPU, section 9", "serial step (ms)") == pytest.approx(3 * 54.2)


def test_free_picks_make_short_prefills_dearer():
    """Table 2's passes have a pick for each row, so that what picks do not cost the rows do."""
    by_weights, free = (with_output_share(PHONES_ONLY, share).cost(ONEPLUS) for share in (0.17, 0.0))
    assert free.pass_ms(6, 1, 280) > by_weights.pass_ms(6, 1, 280)
    assert free.pass_ms(8, 8, 512) == pytest.approx(by_weights.pass_ms(8, 8, 512), abs=0.02)


def test_the_share_of_the_profiles_makes_the_profiles():
    """But for the profiles' rounding to hundredths."""
    as_before = with_output_share(PHONES_ONLY, 0.17)
    for phone in PHONES:
        ours, theirs = (each.device(phone).table for each in (as_before, PHONES_ONLY))
        assert ours is not None
        assert theirs is not None
        assert ours.row_ms == pytest.approx(theirs.row_ms, abs=0.01)
        for name in ("pick_ms", "pick_tile_ms", "remainder_ms"):
            assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=0.01)


def test_a_devices_own_costs_stay_behind_another_share_for_picks():
    """Passes whose rows are all read cost what they did, on any device in a phone's place."""
    slower = replace(table_of(PHONES_ONLY, ONEPLUS), row_context_ms=0.01, host_ms=9.0)
    slower = replace(slower, row_ms=tuple(1.5 * ms for ms in slower.row_ms))
    setting = with_table(PHONES_ONLY, ONEPLUS, slower)
    changed = with_output_share(setting, 0.3).cost(ONEPLUS)
    assert changed.host_ms == 9.0
    for count in (1, 2, 4, 8):
        assert changed.pass_ms(count, count, 700) == pytest.approx(setting.cost(ONEPLUS).pass_ms(count, count, 700))
    assert changed.pass_ms(4, 1, 700) < setting.cost(ONEPLUS).pass_ms(4, 1, 700)


def test_the_hosts_time_can_be_another():
    other = with_host(PHONES_ONLY, ONEPLUS, 7.0)
    assert other.cost(ONEPLUS).host_ms == 7.0
    assert other.cost(ONEPLUS).pass_ms(1, 1, 512) == PHONES_ONLY.cost(ONEPLUS).pass_ms(1, 1, 512)


def test_droidcalls_tools_start_with_the_required_values_where_nothing_else_is_waited_for(monkeypatch):
    passes = [(Phase.NAME, 5, 1), (Phase.SKELETON, 13, 1), (Phase.WRITE_BACK, 9, 1), (Phase.OPTIONAL, 1, 1)]
    monkeypatch.setattr(open_droidcall, "droidcall_passes", lambda _, __, scheme: table(scheme, [Run(passes)]))
    point = open_droidcall.droidcall_start(TINY)
    # 16 + 24 + 20 + 12 ms, of which the first two are the required values'.
    numbers = [outcome.numbers[0] for outcome in point.outcomes]
    assert numbers == pytest.approx([72 / 677 - 1, 40 / 677 - 1])
