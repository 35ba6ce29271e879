"""Sections 4.2 and 4.3: value passes, what padding does to them, and write-backs."""

from dataclasses import replace

import pytest
from tiny_paper import COST, ONE_REQUIRED, Run, cell, ours, tiny_setting

from engine.commands import Phase
from studies.paper.section_4_2 import section_4_2
from studies.paper.section_4_3 import section_4_3
from studies.paper.setting import BASE_MODEL

VALUES, WRITTEN = Phase.VALUES, Phase.WRITE_BACK


def runs(*passes):
    """A call of a tool that requires two values with those value passes, and one that requires one, with two passes."""
    first = [(Phase.SKELETON, 9, 2), *passes, (WRITTEN, 8, 1), (Phase.OPTIONAL, 1, 1), (WRITTEN, 2, 0)]
    second = [(Phase.SKELETON, 5, 1), (VALUES, 1, 1), (VALUES, 1, 1), (WRITTEN, 4, 0)]
    return [Run(first), Run(second, ONE_REQUIRED)]


SETTING = tiny_setting(
    {
        # Three passes for the first value, one for the second; side by side the second rides in the first pass.
        "skeleton": runs(*[(VALUES, 1, 1)] * 4),
        "parallel": runs((VALUES, 2, 2), (VALUES, 1, 1), (VALUES, 1, 1)),
        "schemaweaver": runs((VALUES, 4, 2), (VALUES, 1, 1), (VALUES, 1, 1)),
    },
    draws=[(0, 1)],
)
VALUE_PASSES, WRITE_BACK = section_4_2(SETTING), section_4_3(SETTING)


@pytest.mark.parametrize(
    ("row", "number"),
    [
        # Lengths 4 and 2, and 3: each value's first token comes out of the skeleton pass.
        ("passes of the values, serial", (6 + 3) / 2),
        ("passes of the values, parallel", (4 + 3) / 2),
        ("time saved, all", 100 * (1 - (39 + 24) / (48 + 24))),
        ("time saved, two or more required", 100 * (1 - 39 / 48)),
        ("time saved, two or more required, first tokens counted", 100 * (1 - (39 + 12) / (48 + 24))),
        # Of five value passes and the two skeleton passes that first tokens come out of.
        ("value passes that are padded", 100 / 7),
        ("speed-up by padding", 100 * ((37 + 24) / (39 + 24) - 1)),
        ("speed-up by padding, in points", 100 * (72 / 63 - 72 / 61)),
    ],
)
def test_value_passes_and_their_time(row, number):
    assert ours(VALUE_PASSES, row, BASE_MODEL) == pytest.approx(number)


def test_padding_that_is_read_costs_its_picks():
    """A pass of n rows and p picks takes 11 + n + p ms here; the padded one has two rows that are read besides."""
    picks_cost = replace(SETTING, price=replace(COST, pick_ms=1.0))
    row = "speed-up by padding, which is read too"
    unpadded_ms, read_ms = 15 + 13 + 13, 19 + 13 + 13
    gain = (unpadded_ms + 26) / (read_ms + 26) - 1
    assert ours(section_4_2(picks_cost), row, BASE_MODEL) == pytest.approx(100 * gain)


def test_a_write_back_is_the_first_pass_of_its_phase():
    two, both = "write-back, two or more required values", "write-back, all calls"
    assert ours(WRITE_BACK, two, BASE_MODEL, "tokens") == 8
    assert ours(WRITE_BACK, two, BASE_MODEL, "ms") == 19
    assert ours(WRITE_BACK, both, BASE_MODEL, "tokens") == 6
    assert cell(WRITE_BACK, both, BASE_MODEL, "ms").role == "open"
