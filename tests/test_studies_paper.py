"""The whole study: certified values of its cells, and that devices' numbers reach them."""

import json
import tomllib
from pathlib import Path

import paper_cells as made_up
import pytest
from certify_paper import CERTIFIED, DRAWN, EXACT, certificate, certified_cells, made_exhibit, made_exhibits
from extent import IN_FULL

from cost_models.device import read_device_file
from cost_models.devices import read_device
from cost_models.json_node import json_text
from studies.cli import main
from studies.commands import study as study_command
from studies.paper.aims import AIMS, aimed_cells
from studies.paper.devices import study_devices
from studies.paper.estimate import Estimate
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.exhibits import EXHIBITS
from studies.paper.open_points import OPEN_POINTS
from studies.paper.reading import Reading
from studies.paper.setting import Setting
from studies.paper.summary import errors_of
from studies.paper.table_5 import table_5
from studies.paper.table_7 import table_7
from studies.paper.table_8 import PRINTED_PASSES

KNOWN = tomllib.loads(CERTIFIED.read_text(encoding="utf-8"))


MAKERS = {make.__name__.replace("_", "-"): make for make in EXHIBITS}


def exhibits() -> dict[str, Exhibit]:
    return {exhibit.key: exhibit for exhibit in made_exhibits()}


def cell_of(exhibit: Exhibit, row: str, column: str, unit: str) -> Cell:
    (found,) = [c for c in exhibit.cells if (c.row, c.column, c.unit) == (row, column, unit)]
    return found


@pytest.mark.parametrize("key", KNOWN["exhibits"])
def test_cells_are_as_certified(key):
    certified, exhibit = KNOWN["exhibits"][key]["cells"], made_exhibit(MAKERS[key])
    assert exhibit.key == key
    for row, column, unit, number, role, ours, tolerance in certified:
        cell = cell_of(exhibit, row, column, unit)
        assert (cell.printed, cell.role) == (number, role), cell
        assert cell.ours is not None, cell
        assert cell.ours.value == pytest.approx(ours, rel=tolerance), cell
    assert len(certified_cells(exhibit)) == len(certified), "a cell has no certified value"


def test_every_exhibit_with_errors_is_certified():
    assert {key for key, exhibit in exhibits().items() if certified_cells(exhibit)} == KNOWN["exhibits"].keys()


def test_certified_values_are_read_back_as_they_are_written():
    drawn = made_up.cell(2586, Estimate(2482.4449, 2395, 2622))
    exact = made_up.cell(44.3, 45, row='a "name"', role="given")
    table_6 = made_up.exhibit(drawn, exact, made_up.cell(None, 1), key="table-6")
    whole: tuple[dict[str, str], ...] = ({"unit": "x"}, {"row": "constrained"}, {"column": PRINTED_PASSES})
    aimed = [made_up.exhibit(*(made_up.cell(100, 103, **each) for each in whole), key=aim.key) for aim in AIMS]
    read = tomllib.loads(certificate([table_6, *aimed]))
    assert read["exhibits"]["table-6"]["cells"] == [
        ["constrained", "Qwen3", "ms", 2586.0, "predicted", 2482.4, DRAWN],
        ['a "name"', "Qwen3", "ms", 44.3, "given", 45.0, EXACT],
    ]
    assert {aim["mean_error"] for aim in read["aims"].values()} == {0.035}


@pytest.mark.parametrize("aim", AIMS, ids=lambda aim: aim.name)
def test_the_mean_error_of_what_was_aimed_for_is_as_certified(aim):
    errors = errors_of(aimed_cells(aim, list(exhibits().values())))
    assert errors is not None
    assert errors.count == KNOWN["aims"][aim.name]["cells"]
    assert errors.mean_error <= KNOWN["aims"][aim.name]["mean_error"]


def test_keys_and_titles_tell_exhibits_apart():
    assert len(exhibits()) == len(EXHIBITS)
    assert len({exhibit.title for exhibit in exhibits().values()}) == len(EXHIBITS)


def test_each_cell_has_a_place_of_its_own_and_ends_around_its_number():
    for exhibit in exhibits().values():
        places = [(cell.row, cell.column, cell.unit) for cell in exhibit.cells]
        assert len(set(places)) == len(places), exhibit.key
        for cell in exhibit.cells:
            assert cell.ours is None or cell.ours.low <= cell.ours.value <= cell.ours.high, (exhibit.key, cell)
            assert cell.role != "open" or cell.why, (exhibit.key, cell)
            assert cell.ours is not None or cell.why or cell.printed is not None, (exhibit.key, cell)


def test_open_points_have_readings_that_differ():
    setting = Setting(devices=study_devices(()), reading=Reading(draws=5 if IN_FULL else 2))
    for make in OPEN_POINTS:
        point = make(setting)
        assert len({outcome.reading for outcome in point.outcomes}) == len(point.outcomes) > 1, point.key
        assert len({outcome.numbers for outcome in point.outcomes}) > 1, point.key


def run_study(folder: Path, *options: str) -> dict[str, dict]:
    """The cells that the command writes, by exhibit and place."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["schemaweaver", "study", "paper", "--draws", "2", "--out", str(folder), *options])
        with pytest.raises(SystemExit) as left:
            main()
    assert left.value.code == 0
    study = json.loads((folder / "paper.json").read_text(encoding="utf-8"))
    return {
        f"{exhibit['key']}: {cell['row']}, {cell['column']}, {cell['unit']}": cell
        for exhibit in study["exhibits"]
        for cell in exhibit["cells"]
    }


def test_changing_a_number_of_a_device_changes_the_tables_that_it_is_in_and_no_others(monkeypatch, tmp_path, capsys):
    """Two tables stand for all of them: one has both phones, one the changed phone alone."""
    if not IN_FULL:
        monkeypatch.setattr(study_command, "EXHIBITS", (table_5, table_7))
        monkeypatch.setattr(study_command, "OPEN_POINTS", ())
    before = run_study(tmp_path / "before")
    data = json.loads(json_text(read_device("oneplus-12r").with_own_table().to_json()))
    data["table"]["row_ms"][0] *= 1.25
    path = tmp_path / "slower.json"
    path.write_text(json_text(data), encoding="utf-8")
    after = run_study(tmp_path / "after", "--device", str(path))
    capsys.readouterr()
    changed = {place for place, cell in after.items() if cell["ours"] != before[place]["ours"]}
    assert before.keys() == after.keys()
    for place in ("table-7: constrained, latency, ms", "table-5: constrained, oneplus-12r, Qwen3-1.7B-Q8_0, ms"):
        assert place in changed
        assert after[place]["ours"] > before[place]["ours"]
    assert any("pixel-7" in place for place in after)
    assert not any("pixel-7" in place for place in changed)
    page = (tmp_path / "after" / "paper.html").read_text(encoding="utf-8")
    assert all(made_exhibit(make).title.replace("'", "&#39;") in page for make in study_command.EXHIBITS)


def test_a_device_that_replaces_none_is_refused(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json_text(read_device("pixel-7").to_json() | {"name": "nokia"}), encoding="utf-8")
    assert read_device_file(path).name == "nokia"
    with pytest.raises(Exception, match=r"mine.json: \$.name: found 'nokia', expected one of: .*oneplus-12r"):
        study_devices([path])
