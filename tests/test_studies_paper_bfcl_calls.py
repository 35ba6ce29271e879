"""The file of what BFCL's calls have: the dataset says the same, and the paper."""

import polars as pl
import pytest
from tiny_paper import ONE_REQUIRED, THREE_REQUIRED, TWO_REQUIRED, Run, serial, table, tiny_setting

from engine.errors import InputError
from studies.paper.bfcl_calls import COUNTED, WORKLOAD, answered_arguments, counted, required_arguments
from studies.paper.section_7 import section_7
from studies.workloads import load_workload

CALLS = [Run(serial(1), call_id=call_id) for call_id in (THREE_REQUIRED, ONE_REQUIRED, TWO_REQUIRED, ONE_REQUIRED)]


def test_the_file_is_what_the_dataset_has():
    assert pl.read_parquet(COUNTED).equals(counted(load_workload(WORKLOAD, 0)))


def test_numbers_come_in_the_order_of_runs():
    runs = table("constrained", CALLS)
    assert required_arguments(runs).tolist() == [3, 1, 2, 1]
    assert answered_arguments(runs).tolist() == [3, 1, 2, 1]


def test_the_answer_may_have_more_than_the_tool_requires():
    assert answered_arguments(table("constrained", [Run(serial(1), call_id="live_simple_0-0-0")])) == [2]
    assert required_arguments(table("constrained", [Run(serial(1), call_id="live_simple_0-0-0")])) == [1]


def test_a_call_of_another_workload_is_refused():
    with pytest.raises(InputError, match="no call 'droid_7'"):
        required_arguments(table("constrained", [Run(serial(1), call_id="droid_7")]))


def test_section_7_counts_what_the_paper_counts():
    assert [cell.ours.value for cell in section_7(tiny_setting({})).cells] == [
        2501,
        991,
        9,
        pytest.approx(2.36, abs=0.01),
    ]
