"""Tables 1, 2 and 10: costs as the paper's benchmark measures them."""

import pytest
from tiny_paper import COST, cell, ours, tiny_setting

from cost_models.devices import device_names, read_device
from studies.paper.setting import Setting
from studies.paper.table_1 import table_1
from studies.paper.table_2 import table_2
from studies.paper.table_10 import benchmark_ms, table_10

SHIPPED = Setting({name: read_device(name) for name in device_names()})


def test_a_step_has_a_row_for_each_sequence_and_no_host():
    assert benchmark_ms(COST, "serial_ms") == 10
    assert benchmark_ms(COST, "four_sequence_ms") == 13
    assert benchmark_ms(COST, "prefill_ms_per_token") == pytest.approx((9 + 512) / 512)


def test_table_2_is_over_a_pass_of_one_sequence():
    exhibit = table_2(tiny_setting({}))
    assert [ours(exhibit, "pixel-7", str(n)) for n in (1, 2, 8)] == [1.0, 1.1, 1.7]
    assert {each.role for each in exhibit.cells} == {"given"}


def test_what_was_given_is_met():
    """The protocol's sets have tables; a roofline of three numbers gives way by 7 % at most."""
    for each in (*table_2(SHIPPED).cells, *table_10(SHIPPED).cells):
        assert each.role == "given"
        assert abs(each.error) < (0.02 if each.row in ("oneplus-12r", "pixel-7") else 0.07)


def test_throughput_is_one_over_cost():
    exhibit = table_1(tiny_setting({}))
    assert ours(exhibit, "gpu, oneplus-12r-gpu", "decode") == pytest.approx(100)
    assert ours(exhibit, "gpu, oneplus-12r-gpu", "prefill") == pytest.approx(1000 * 512 / 521)


@pytest.mark.parametrize(("column", "nearest"), [("decode", "4-a715-x3"), ("prefill", "all-8")])
def test_table_1s_cpu_row_is_of_no_single_core_set(column, nearest):
    exhibit = table_1(SHIPPED)
    sets = [each for each in exhibit.cells if each.role == "open" and each.column == column]
    assert min(sets, key=lambda each: abs(each.error)).row == f"cpu, oneplus-12r-{nearest}"
    assert cell(exhibit, f"cpu, oneplus-12r-{nearest}", column).error == pytest.approx(0, abs=0.05)
