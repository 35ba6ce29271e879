"""Tables 4 and 7: latencies and speed-ups of the design's variants."""

import pytest
from tiny_paper import Run, cell, ours, serial, tiny_setting

from engine.commands import Phase
from studies.paper.printed import printed
from studies.paper.table_4 import table_4
from studies.paper.table_7 import table_7

LATENCY, SPEEDUP = "latency", "speed-up over constrained"
PROVISIONAL = [(Phase.SKELETON, 13, 1), (Phase.OPTIONAL, 1, 1)]
"""24 ms to the tool's start after the first pass, 36 ms in all."""

NAMES = {*printed("table_4").members(), *printed("table_7").members()}
RUNS = {name: [Run(serial(2)), Run(serial(8))] for name in NAMES} | {
    "schemaweaver": [Run(PROVISIONAL, tool_start=1), Run(PROVISIONAL)],
}
SETTING = tiny_setting(RUNS, draws=[(0, 1), (0, 0), (1, 1)])


@pytest.mark.parametrize("table", [table_4, table_7])
def test_a_latency_is_the_geometric_mean_until_the_tool_starts(table):
    # 24 and 96 ms by constrained decoding: their geometric mean is 48; the draws' medians.
    assert ours(table(SETTING), "constrained", LATENCY) == pytest.approx(48)
    assert ours(table(SETTING), "schemaweaver", LATENCY) == pytest.approx((24 * 36) ** 0.5)


@pytest.mark.parametrize("table", [table_4, table_7])
def test_a_speedup_is_taken_draw_by_draw(table):
    found = cell(table(SETTING), "schemaweaver", SPEEDUP)
    # 48 over 29.4, 24 over 24 and 96 over 36.
    assert found.ours.value == pytest.approx(48 / (24 * 36) ** 0.5)
    assert found.ours.low == pytest.approx(1, abs=0.05)
    assert found.ours.high == pytest.approx(96 / 36, abs=0.06)


def test_printed_speedups_are_those_of_the_tables_rows():
    assert cell(table_7(SETTING), "schemaweaver", SPEEDUP).printed == pytest.approx(2586 / 1211)
    assert cell(table_4(SETTING), "optional_all", SPEEDUP).printed == pytest.approx(2586 / 1103)
