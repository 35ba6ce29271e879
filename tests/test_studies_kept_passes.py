"""Passes that are kept: simulated once for each schedule and everything else that they depend on."""

from dataclasses import fields, replace

import numpy as np
import pytest
from test_sim_pass_file import KEY

from engine.errors import InputError
from sim.pass_table import pass_table
from studies.kept_passes import cache_folder, kept_or_made
from tests.records_builder import SCHEDULES, make_run, schedule_passes


class Maker:
    """Makes passes, and notes of which schedules."""

    def __init__(self):
        self.asked = []

    def __call__(self, schedules):
        self.asked.append(tuple(schedules))
        runs = [
            make_run(schedule_passes(name, 2 + call), schedule=name, call_id=f"c{call}")
            for call in range(3)
            for name in schedules
        ]
        return pass_table(runs)


def asked_for(*schedules):
    return replace(KEY, schedules=schedules)


def test_passes_are_made_once_for_each_schedule(tmp_path):
    make = Maker()
    first = kept_or_made(tmp_path / "new", asked_for(*SCHEDULES[:2]), make)
    again = kept_or_made(tmp_path / "new", asked_for(*SCHEDULES[:2]), make)
    assert make.asked == [SCHEDULES[:2]]
    more = kept_or_made(tmp_path / "new", asked_for(*SCHEDULES), make)
    assert make.asked == [SCHEDULES[:2], SCHEDULES[2:]]
    assert kept_or_made(tmp_path / "new", asked_for(SCHEDULES[1]), make).run_count == 3
    assert len(make.asked) == 2
    assert list(dict.fromkeys(more.schedules.tolist())) == list(SCHEDULES)
    for field in fields(first):
        assert np.array_equal(getattr(again, field.name), getattr(first, field.name)), field.name


def test_what_is_kept_is_what_was_made(tmp_path):
    kept, made = kept_or_made(tmp_path, asked_for(*SCHEDULES), Maker()), Maker()(SCHEDULES)
    for name in SCHEDULES:
        for field in fields(made):
            found, expected = (getattr(table.of_schedule(name), field.name) for table in (kept, made))
            assert np.array_equal(found, expected), field.name


@pytest.mark.parametrize("changed", [{"code_sha256": "d"}, {"tile_rows": 1}, {"calls_sha256": "z"}])
def test_passes_that_depend_on_something_else_are_made_anew(tmp_path, changed):
    make = Maker()
    for key in (KEY, replace(KEY, **changed), KEY):
        kept_or_made(tmp_path, key, make)
    assert make.asked == [KEY.schedules] * 2


def test_a_schedule_without_runs_is_kept_too(tmp_path):
    make = Maker()
    assert kept_or_made(tmp_path, KEY, lambda _: pass_table([])).run_count == 0
    assert kept_or_made(tmp_path, KEY, make).run_count == 0
    assert not make.asked


def test_a_damaged_file_is_named(tmp_path):
    kept_or_made(tmp_path, KEY, Maker())
    (path, *_) = sorted(tmp_path.iterdir())
    path.write_bytes(b"PAR1")
    with pytest.raises(InputError, match=f"{path.name}: no Parquet file"):
        kept_or_made(tmp_path, KEY, Maker())


def test_the_folder_is_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "schemaweaver" / "passes"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "schemaweaver" / "passes"
