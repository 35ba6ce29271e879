"""What predictions are held to: which cells, and whether it is reached."""

import pytest
from paper_cells import cell, exhibit
from tiny_paper import Run, serial, tiny_setting

from studies.paper.aims import AIMS, aim_errors, aim_table, aimed_cells, in_own_layout

LOW, OPEN = cell(100, 90), cell(10, 30, role="open", why="memory swaps")
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


def test_aims_are_summed_up_over_all_their_cells_and_said_to_be_reached_or_not():
    ratio = exhibit(cell(100, 102, unit="x"), key="table-7")
    table = aim_table(aim_errors([exhibit(LOW, OPEN), ratio], [exhibit(cell(100, 80)), ratio]))
    rows = {name: cells for name, *cells in table.rows}
    assert rows["Table 5, constrained and schemaweaver"] == ["1", "10.0", "-10.0", "no", "20.0"]
    assert rows["Table 7, ratios"] == ["1", "2.0", "+2.0", "yes", "2.0"]
    assert rows["Table 8, phases and calls, by its passes"] == ["0", "-", "-", "-", "-"]
    assert rows["all of these"] == ["2", "6.0", "-10.0", "no", "11.0"]


def test_what_is_aimed_for_is_computed_in_our_own_layout_too(monkeypatch):
    read = []
    setting = tiny_setting({"constrained": [Run(serial(3))]})
    monkeypatch.setattr(type(setting), "read", lambda self, **changed: read.append(changed["layout"]) or self)
    for name in ("table_5", "table_7", "table_8", "figure_13"):
        monkeypatch.setattr(f"studies.paper.aims.{name}", lambda own, name=name: (own, name))
    found = in_own_layout(setting)
    assert found == tuple((setting, name) for name in ("table_5", "table_7", "table_8", "figure_13"))
    assert not read[0].name_pass
