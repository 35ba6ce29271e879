"""Table 3: what counts as the cost of fixed text."""

import pytest
from tiny_paper import Run, ours, tiny_setting

from engine.commands import Phase
from studies.paper.table_3 import table_3

SCHEMAWEAVER = [
    Run([(Phase.NAME, 6, 1), (Phase.SKELETON, 20, 2), (Phase.VALUES, 4, 2)]),
    Run([(Phase.SKELETON, 10, 1)]),
]
JUMP_FORWARD = [
    Run([(Phase.JUMP, 9, 1), (Phase.JUMP, 1, 1), (Phase.JUMP, 5, 1), (Phase.WRITE_BACK, 7, 0)]),
    Run([(Phase.JUMP, 1, 1), (Phase.JUMP, 29, 1)]),
]
BOTH = tiny_setting({"schemaweaver": SCHEMAWEAVER, "jump_forward": JUMP_FORWARD}, draws=[(0, 1)])


@pytest.mark.parametrize(
    ("column", "ms"),
    [
        ("skeleton", (31 + 21) / 2),
        # A serial pass of 12 ms for each of 20 and 10 rows.
        ("constrained", (240 + 120) / 2),
        # Passes of 9 and 5 rows, and one of 29; single rows and what is behind the call are none of it.
        ("jump_forward", (20 + 16 + 40) / 2),
    ],
)
def test_the_cost_of_a_calls_fixed_text(column, ms):
    assert ours(table_3(BOTH), column, "Qwen3-0.6B") == pytest.approx(ms)
