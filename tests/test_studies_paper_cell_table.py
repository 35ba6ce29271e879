"""An exhibit as a table: what stands where, and how cells are marked."""

import pytest
from paper_cells import cell, exhibit

from studies.paper.cell_table import cell_table, notes_on_cells, number_text
from studies.paper.estimate import Estimate
from studies.paper.page import exhibit_section


def test_numbers_stand_below_each_other_with_a_column_for_each_column():
    table = cell_table(
        exhibit(cell(2586, Estimate(2482.4, 2395, 2622)), cell(44.3, 45.7, unit="passes", column="Llama"))
    )
    assert table.headers == ("", "", "Qwen3", "Llama")
    assert table.rows == (
        ("constrained", "paper, ms", "2,586", "-"),
        ("constrained", "ours", "2,482", "-"),
        ("constrained", "95 % of draws", "2,395 to 2,622", "-"),
        ("constrained", "difference, %", "-4.0", "-"),
        ("constrained", "paper, passes", "-", "44.3"),
        ("constrained", "ours", "-", "45.7"),
        ("constrained", "difference, %", "-", "+3.2"),
    )


@pytest.mark.parametrize(
    ("changed", "difference"),
    [({}, "+2.0"), ({"role": "given"}, "+2.0g"), ({"role": "open"}, "+2.0o"), ({"extrapolated": True}, "+2.0*")],
)
def test_cells_that_are_no_plain_predictions_are_marked(changed, difference):
    assert cell_table(exhibit(cell(100, 102, **changed))).rows[-1][-1] == difference


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"role": "given"}, ["g the cost models"]),
        ({"role": "open", "extrapolated": True}, ["o not clear", "* most of these"]),
    ],
)
def test_marks_are_explained_where_they_stand(changed, said):
    *_, line = exhibit_section(exhibit(cell(100, 102, **changed))).remarks
    assert line.startswith("Behind a difference: ")
    assert all(each in line for each in said)
    assert line.count(";") == len(said) - 1


@pytest.mark.parametrize("changed", [{}, {"printed": None, "role": "open", "why": "a picture"}])
def test_a_table_without_marks_explains_none(changed):
    made = cell(**({"printed": 100, "ours": 102} | changed))
    assert not [line for line in exhibit_section(exhibit(made)).remarks if line.startswith("Behind")]


def test_missing_numbers_leave_a_dash():
    table = cell_table(exhibit(cell(None, 5, column="a"), cell(5, None, column="b")))
    assert [row[2:] for row in table.rows] == [("-", "5.00"), ("5.00", "-"), ("-", "-")]


def test_cells_with_the_same_reason_share_a_note():
    cells = (cell(1, None, why="swaps", column="a"), cell(1, 1), cell(1, None, why="swaps", column="b"))
    assert notes_on_cells(exhibit(*cells)) == ("constrained, a; constrained, b: swaps",)
    many = [cell(1, None, why="swaps", column=str(number)) for number in range(5)]
    assert notes_on_cells(exhibit(*many)) == ("5 cells, such as constrained, 0: swaps",)


def test_a_section_says_what_was_given_and_why_cells_are_open():
    section = exhibit_section(exhibit(cell(1, 2, role="open", why="not clear")))
    assert section.remarks == (
        "Given: Table 2.",
        "constrained, Qwen3: not clear",
        "Behind a difference: o not clear what was printed, or not modelled, and in no mean.",
    )
    assert section.note == "Priced."


@pytest.mark.parametrize(("value", "text"), [(2586.4, "2,586"), (44.34, "44.3"), (2.234, "2.23"), (0.27, "0.270")])
def test_numbers_have_about_three_digits(value, text):
    assert number_text(value) == text
