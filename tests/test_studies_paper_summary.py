"""How far predictions are from printed numbers, and which cells count."""

import pytest
from paper_cells import cell, exhibit

from studies.paper.summary import AIMS, aim_table, aimed_cells, given_errors, predicted_errors, summary_table

LOW, HIGH = cell(100, 90), cell(200, 210, column="Llama")
GIVEN = cell(50, 51, row="step", role="given")
OPEN = cell(10, 30, role="open", why="memory swaps")
UNKNOWN, PICTURE = cell(100, None, why="no draft model"), cell(None, 12)


def test_only_predicted_cells_with_both_numbers_are_in_the_errors():
    errors = predicted_errors(exhibit(LOW, HIGH, GIVEN, OPEN, UNKNOWN, PICTURE))
    assert errors is not None
    assert (errors.count, errors.worst) == (2, LOW)
    assert errors.mean_error == pytest.approx(0.075)
    assert errors.bias == pytest.approx(-0.025)


def test_given_cells_have_errors_of_their_own():
    errors = given_errors(exhibit(LOW, GIVEN))
    assert errors is not None
    assert (errors.count, errors.mean_error) == (1, pytest.approx(0.02))
    assert given_errors(exhibit(LOW)) is None


def test_an_exhibit_without_predictions_says_so():
    (row,) = summary_table([exhibit(GIVEN)]).rows
    assert row == ("Table 5", "0", "-", "-", "-", "1", "2.0", "-")


def test_the_worst_cell_is_named():
    (row,) = summary_table([exhibit(LOW, HIGH)]).rows
    assert row == ("Table 5", "2", "7.5", "-2.5", "-10.0", "0", "-", "constrained, Qwen3")


AIM = {aim.key: aim for aim in AIMS}


@pytest.mark.parametrize(
    ("key", "changed", "belongs"),
    [
        ("table-5", {"row": "constrained, OnePlus 12R"}, True),
        ("table-5", {"row": "schemaweaver"}, True),
        ("table-5", {"row": "jump_forward"}, False),
        ("table-5", {"row": "constrained", "unit": "passes"}, False),
        ("table-7", {"unit": "x"}, True),
        ("table-7", {"unit": "ms"}, False),
        ("table-8", {"column": "the paper's passes"}, True),
        ("table-8", {"column": "our schedule's passes"}, False),
        ("figure-13", {"unit": "x"}, True),
        ("figure-13", {"unit": "ms"}, False),
    ],
)
def test_aims_are_about_the_cells_that_they_name(key, changed, belongs):
    there = cell(100, 104, **changed)
    assert (there in aimed_cells(AIM[key], [exhibit(there, key=key)])) == belongs
    assert aimed_cells(AIM[key], [exhibit(there, key="table-6")]) == ()


def test_aims_are_summed_up_over_all_their_cells():
    table = aim_table([exhibit(LOW, OPEN), exhibit(cell(100, 102, unit="x"), key="table-7")])
    rows = {name: cells for name, *cells in table.rows}
    assert rows["Table 5, constrained and schemaweaver"] == ["1", "10.0", "-10.0"]
    assert rows["Table 7, ratios"] == ["1", "2.0", "+2.0"]
    assert rows["Table 8, phases of its passes"] == ["0", "-", "-"]
    assert rows["all of these"] == ["2", "6.0", "-10.0"]
