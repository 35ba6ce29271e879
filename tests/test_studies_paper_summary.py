"""How far predictions are from printed numbers, and which cells count."""

import pytest
from paper_cells import cell, exhibit

from studies.paper.summary import given_errors, predicted_errors, summary_table

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
    assert row == ("Table 5", "0", "-", "-", "-", "1", "2.0", "0", "-", "-")


def test_the_worst_cell_is_named():
    (row,) = summary_table([exhibit(LOW, HIGH, OPEN)]).rows
    assert row == ("Table 5", "2", "7.5", "-2.5", "-10.0", "0", "-", "1", "200.0", "constrained, Qwen3")
