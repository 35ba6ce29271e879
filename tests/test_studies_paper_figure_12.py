"""Figure 12: latencies by the arguments of the dataset's answers."""

import pytest
from tiny_paper import ONE_REQUIRED, THREE_REQUIRED, Run, cell, ours, serial, tiny_setting

from engine.commands import Status
from studies.paper.figure_12 import GROUPS, figure_12
from studies.paper.reading import Reading

FOUR = "simple_python_46"


def runs(*counts, statuses=(Status.FINAL,) * 6):
    """Two calls of one argument, two of two, one of three and one of four; 12 ms for each pass."""
    call_ids = (ONE_REQUIRED, "simple_python_8", "simple_python_0", "simple_python_2", THREE_REQUIRED, FOUR)
    return [Run(serial(n), i, status=s) for n, i, s in zip(counts, call_ids, statuses, strict=True)]


CORRECTED = (Status.FINAL, Status.CORRECTED, Status.CORRECTED, Status.CONFIRMED, Status.CORRECTED, Status.FINAL)
SETTING = tiny_setting(
    {
        "constrained": runs(4, 9, 5, 5, 6, 10),
        "jump_forward": runs(2, 2, 3, 3, 4, 6),
        "schemaweaver": runs(2, 2, 2, 8, 3, 4, statuses=CORRECTED),
    },
    draws=[range(6)],
)
EXHIBIT = figure_12(SETTING)


@pytest.mark.parametrize(("group", "ms"), [("one", 12 * 6), ("two", 12 * 5), ("three", 72), ("four or more", 120)])
def test_a_latency_is_the_geometric_mean_of_a_group(group, ms):
    assert ours(EXHIBIT, "constrained", group) == pytest.approx(ms)


@pytest.mark.parametrize(("group", "ratio"), [("one", 3), ("two", 5 / 4), ("three", 2), ("four or more", 2.5)])
def test_a_speedup_is_that_of_a_groups_means(group, ratio):
    assert ours(EXHIBIT, "speed-up", group) == pytest.approx(ratio)


def test_arguments_were_added_where_the_call_was_corrected():
    assert ours(EXHIBIT, "optional argument added", "three") == 100
    assert ours(EXHIBIT, "optional argument added", "the others") == pytest.approx(40)


def test_a_share_that_the_reading_was_given_is_no_prediction():
    assert cell(EXHIBIT, "optional argument added", "three").role == "given"
    shortest = tiny_setting(SETTING.runs, draws=[range(6)], reading=Reading(optional_share=None))
    assert cell(figure_12(shortest), "optional argument added", "three").role == "predicted"


def test_every_number_of_arguments_is_in_one_group():
    numbers = [number for group in GROUPS.values() for number in group]
    assert numbers == list(range(1, max(numbers) + 1))
