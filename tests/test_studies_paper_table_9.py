"""Table 9: what schemes hold in memory."""

import pytest
from tiny_paper import Run, cell, ours, tiny_setting

from engine.commands import Phase
from studies.paper.table_9 import CONTEXT_TOKENS, DIFFERENCE, held_mb, table_9

HELD = [
    Run([(Phase.SKELETON, 20, 2), (Phase.VALUES, 4, 2), (Phase.VALUES, 1, 1), (Phase.WRITE_BACK, 50, 0)]),
    Run([(Phase.NAME, 90, 1), (Phase.SKELETON, 10, 1)]),
]
UNPADDED = [
    Run([(Phase.SKELETON, 20, 2), (Phase.VALUES, 2, 2), (Phase.VALUES, 1, 1), (Phase.WRITE_BACK, 50, 0)]),
    HELD[1],
]
RUNS = {"schemaweaver": HELD, "parallel": UNPADDED}
CACHE_BYTES = 28 * 2 * 8 * 128 * 2
"""Of a token: Qwen3-1.7B's layers, keys and values, heads, numbers of a head, bytes."""


def test_sequences_side_by_side_hold_the_rows_of_skeleton_and_values_at_most_over_a_draw():
    exhibit = table_9(tiny_setting(RUNS, draws=[(0, 1)]))
    assert ours(exhibit, "schemaweaver", DIFFERENCE) == pytest.approx(23 * CACHE_BYTES / 1e6)
    assert ours(exhibit, "jump_forward", DIFFERENCE) == 0


@pytest.mark.parametrize(
    ("asked", "tokens"), [({}, 23), ({"keeps_padding": True}, 25), ({"has_skeleton": False}, 3)], ids=str
)
def test_padding_and_skeleton_may_be_held_or_not(asked, tokens):
    assert held_mb(tiny_setting(RUNS), **asked)[0] == pytest.approx(tokens * CACHE_BYTES / 1e6)


def test_the_weights_are_there_twice_beside_the_cache():
    exhibit = table_9(tiny_setting(RUNS))
    weight_bytes = 1.0625 * (151936 * 2048 + 28 * (2 * 2048 * 2048 + 2 * 2048 * 1024 + 3 * 2048 * 6144))
    peak = ours(exhibit, "constrained", "peak")
    assert peak == pytest.approx((2 * weight_bytes + CONTEXT_TOKENS * CACHE_BYTES) / 1e9)


def test_what_is_not_printed_is_not_predicted():
    exhibit = table_9(tiny_setting(RUNS))
    assert cell(exhibit, "eagle_3", "peak").ours is None
    assert cell(exhibit, "constrained", "peak").role == "open"
