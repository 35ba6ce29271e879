"""Figure 11: the mean time of a phase over calls with two or more required values."""

import pytest
from tiny_paper import ONE_REQUIRED, THREE_REQUIRED, Run, cell, ours, serial, tiny_setting

from engine.commands import Phase
from studies.paper.figure_11 import MODELS, figure_11
from studies.paper.setting import BASE_MODEL

WRITTEN = Phase.WRITE_BACK
RUNS = {
    "constrained": [Run(serial(5)), Run(serial(9), THREE_REQUIRED), Run(serial(1), ONE_REQUIRED)],
    "jump_forward": [Run([(Phase.JUMP, 4, 1)])] * 3,
    "schemaweaver": [
        Run(
            [(Phase.SKELETON, 9, 2), (WRITTEN, 5, 1), (Phase.OPTIONAL, 1, 1), (WRITTEN, 2, 0)],
            final=3,
        ),
        Run([(Phase.SKELETON, 19, 2), (WRITTEN, 9, 0)], THREE_REQUIRED, final=1),
        Run([(Phase.SKELETON, 99, 2), (WRITTEN, 99, 0)], ONE_REQUIRED, final=1),
    ],
}
EXHIBIT = figure_11(tiny_setting(RUNS, draws=[(0, 1, 2)]))


@pytest.mark.parametrize(
    ("row", "ms"),
    [
        ("constrained, serial", 12 * (5 + 9) / 2),
        ("jump_forward, jump", 15),
        ("schemaweaver, name", 0),
        ("schemaweaver, skeleton", (20 + 30) / 2),
        ("schemaweaver, write back", (16 + 20) / 2),
        ("schemaweaver, optional", 12 / 2),
    ],
)
def test_a_phase_is_the_mean_over_calls_of_tools_that_require_two_values(row, ms):
    """The call with one is left out, and the end that is written back behind the final call."""
    assert ours(EXHIBIT, row, BASE_MODEL) == pytest.approx(ms)


def test_only_one_models_phases_are_printed():
    printed = {each.column for each in EXHIBIT.cells if each.printed is not None}
    assert printed == {BASE_MODEL}
    assert {each.column for each in EXHIBIT.cells} == set(MODELS)
    assert cell(EXHIBIT, "schemaweaver, values", BASE_MODEL).printed == 572


def test_the_chart_stacks_ours_and_the_printed_phases():
    (figure,) = EXHIBIT.figures
    rows = next(iter(figure.chart.to_dict()["datasets"].values()))
    printed = [row["ms"] for row in rows if row["source"] == "printed"]
    assert printed == [170, 351, 572, 522, 247]
