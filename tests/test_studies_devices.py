"""`schemaweaver devices` and `fit --device`: what is listed, what is shown of one, and what is refused."""

import dataclasses
import json
import re
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from command_line import run_main

from calibration import write_measurement
from cost_models import read_profile
from cost_models.device import write_device
from cost_models.devices import device_names, read_device
from cost_models.interval import pass_intervals
from cost_models.models import model_names
from engine.errors import InputError, ModelFileError
from studies.device_details import device_data, device_lines, figure_table, pass_table
from studies.device_fitting import fitted_device
from studies.device_table import HEADERS, age, device_table
from studies.models import embedded_model
from studies.text_table import ms_cell
from tests.test_calibration_fit import SMOOTH, measured

TODAY = date(2026, 12, 2)
PROFILE = read_profile(Path(__file__).parents[1] / "results" / "bench" / "profile.json")
PIXEL, EPYC = read_device("pixel-7"), read_device("epyc-2-cores")


def said_by(monkeypatch, capsys, *arguments):
    code = run_main(monkeypatch, *arguments)
    said = capsys.readouterr()
    return code, said.out, said.err


def test_every_device_has_a_row():
    table = device_table([read_device(name) for name in device_names()], TODAY)
    assert [row[0] for row in table.rows] == list(device_names())
    assert table.headers == HEADERS


def test_a_row_says_what_was_measured():
    (row,) = device_table([PIXEL], TODAY).rows
    assert dict(zip(HEADERS, row, strict=True)) == {
        "name": "pixel-7",
        "processor": "cpu",
        "cores": "Tensor G2, 2 Cortex-X1 at 1.745 GHz and 2 Cortex-A78 at 1.663 GHz",
        "model": "Qwen3-1.7B-Q8_0",
        "GB/s": "33",
        "rows one by one\nGMAC/s": "41",
        "whole tiles\nGMAC/s": "158",
        "tile\nrows": "4",
        "costs\nfrom": "table",
        "rows\nup to": "512",
        "picks\nup to": "8",
        "context\ntokens": "1 to 512",
        "bus\nMHz": "676 to 3172",
        "age": "published 2026-10",
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"date": "2026-11-30"}, "2 days"),
        ({"date": "2026-12-01"}, "1 day"),
        ({"date": ""}, "unknown"),
        ({"date": "2026-10", "source": "a paper"}, "published 2026-10"),
        ({"date": "", "source": "a paper"}, "published"),
    ],
)
def test_ages(changes, expected):
    assert age(dataclasses.replace(EPYC, **changes), TODAY) == expected


def test_one_device_shows_every_figure_with_its_source_and_error():
    table = figure_table(PIXEL)
    assert [row[:2] for row in table.rows] == [(each.name, each.source) for each in PIXEL.figures]
    (bandwidth,) = (row for row in table.rows if row[0] == "bandwidth_gb_s")
    assert bandwidth[2:] == ("32.91", "30.5 to 35.6")
    (memory,) = (row for row in table.rows if row[0] == "memory_bytes")
    assert memory[2:] == ("8e9", "-")


def test_one_device_says_what_is_assumed_and_how_far_off_it_is():
    lines = list(device_lines(PIXEL, TODAY))
    assert [line for line in lines if line.startswith("assumed: ")] == [f"assumed: {each}" for each in PIXEL.assumed]
    assert f"notes: {PIXEL.notes}" in lines
    assert "memory bus: 676 to 3172 MHz" in lines
    assert any(line.startswith("error of a predicted pass (standard deviation): 4.5%") for line in lines)
    assert "error of a predicted pass: unknown, since there was nothing to fit" in device_lines(
        read_device("oneplus-12r-gpu"), TODAY
    )


@pytest.mark.parametrize("name", device_names())
def test_a_device_says_that_what_ifs_of_other_models_follow_from_their_shapes(name):
    device = read_device(name)
    (line,) = (line for line in device_lines(device, TODAY) if line.startswith("other models: "))
    assert line.startswith(f"other models: {device.model.name} was measured and ")
    assert ("the paper gives no costs of passes for its others" in line) is bool(device.source)
    assert "by --model of sweep and break-even: " in line
    named = set(re.split(r"[:,] ", line.split("break-even: ")[1]))
    assert {each for each in model_names() if each != device.model.name} <= named
    assert device.model.name not in named


@pytest.mark.parametrize("device", [PIXEL, EPYC, read_device("pixel-7-2-x1")], ids=lambda device: device.name)
def test_a_device_says_what_a_token_by_itself_takes(device):
    cost = device.cost().model
    value = cost.pass_ms(1, 1, 400) + cost.host_ms
    (line,) = (line for line in device_lines(device, TODAY) if line.startswith("a token by itself, 400 tokens"))
    assert f": {ms_cell(value)} ms (" in line


def test_measured_passes_are_shown_where_there_are_some():
    first, *_, last = pass_table(EPYC).rows
    assert first[:2] == ("1", "22.41")
    expected = pass_intervals(EPYC.uncertain(), np.array([1, 512]), 1, EPYC.table.reference_tokens)
    for row, low, high in zip((first, last), expected.low, expected.high, strict=True):
        assert row[2] == f"{ms_cell(low)} to {ms_cell(high)}"
    of_unknown_error = pass_table(dataclasses.replace(EPYC, errors=None))
    assert {row[2] for row in of_unknown_error.rows} == {"-"}
    assert pass_table(read_device("pixel-7-2-x1")) is None


def test_plain_data_has_the_intervals_and_the_table():
    data = device_data(PIXEL, TODAY)
    assert data["figures"]["bandwidth_gb_s"]["low"] == pytest.approx(30.46, abs=0.01)
    assert data["figures"]["tile_rows"]["high"] is None
    assert data["table"]["row_ms"][0] == 79.2
    assert data["age"] == "published 2026-10"


def test_the_command_lists_shows_and_prints_data(monkeypatch, capsys, tmp_path):
    code, out, _ = said_by(monkeypatch, capsys, "devices")
    assert code == 0
    assert all(name in out for name in device_names())
    write_device(EPYC, tmp_path / "mine.json")
    code, out, _ = said_by(monkeypatch, capsys, "devices", tmp_path / "mine.json")
    assert code == 0
    assert "AMD EPYC, a virtual machine, cpu: 2 of a server's" in out
    code, out, _ = said_by(monkeypatch, capsys, "devices", "pixel-7", "--json")
    assert json.loads(out)["name"] == "pixel-7"
    code, out, _ = said_by(monkeypatch, capsys, "devices", "--json")
    assert [each["name"] for each in json.loads(out)] == list(device_names())


def test_a_devices_file_holds_its_measured_costs_and_is_a_device_like_it(monkeypatch, capsys, tmp_path):
    code, out, _ = said_by(monkeypatch, capsys, "devices", "oneplus-12r", "--file")
    assert code == 0
    path = tmp_path / "mine.json"
    path.write_text(out)
    mine, shipped = read_device(path), read_device("oneplus-12r")
    assert json.loads(out)["table"]["row_ms"] == list(shipped.table.row_ms)
    assert dataclasses.replace(mine, phone=shipped.phone) == shipped


def test_a_file_is_of_one_device(monkeypatch, capsys):
    code, _, err = said_by(monkeypatch, capsys, "devices", "--file")
    assert code == 2
    assert "--file prints one device's file; name one of: epyc-2-cores," in " ".join(err.split())


def test_an_unknown_device_lists_the_names(monkeypatch, capsys):
    code, _, err = said_by(monkeypatch, capsys, "devices", "nokia")
    assert code == 2
    assert "nokia: no such device, nor a device file; devices: epyc-2-cores, oneplus-12r," in " ".join(err.split())


def test_a_damaged_file_is_named_with_its_path(monkeypatch, capsys, tmp_path):
    data = EPYC.to_json()
    data["figures"]["bandwidth_gb_s"]["value"] = -1
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    code, _, err = said_by(monkeypatch, capsys, "devices", path)
    assert code == 2
    assert "mine.json: $.figures.bandwidth_gb_s: found -1.0, expected a finite number > 0" in " ".join(err.split())


def test_another_model_file_than_the_measured_one_is_refused():
    provenance = dataclasses.replace(PROFILE.provenance, model_bytes=5)
    with pytest.raises(InputError, match=r"the measurement was made with qwen.* of 5 bytes: name that with --model"):
        fitted_device(dataclasses.replace(PROFILE, provenance=provenance), embedded_model(), "mine")
    with pytest.raises(ModelFileError, match=r"none\.gguf: cannot be read as a GGUF model"):
        fitted_device(PROFILE, Path("none.gguf"), "mine")


def test_fit_writes_a_device_that_devices_shows(monkeypatch, capsys, tmp_path):
    measurement = measured(SMOOTH, noise=0.02)
    provenance = dataclasses.replace(measurement.provenance, model_bytes=embedded_model().stat().st_size)
    write_measurement(dataclasses.replace(measurement, provenance=provenance), tmp_path / "measurement.json")
    paths = ("--out", tmp_path / "profile.json", "--device", tmp_path / "mine.json")
    code, out, _ = said_by(monkeypatch, capsys, "fit", tmp_path / "measurement.json", *paths)
    assert code == 0
    assert "mine.json" in out.replace("\n", "")
    device, profile = read_device(tmp_path / "mine.json"), read_profile(tmp_path / "profile.json")
    assert (device.name, device.table, device.title) == ("mine", profile.table, "this machine")
    assert (device.model.layers, device.model.vocabulary_size, device.chip.cores) == (30, 49152, 2)
    assert device.errors.table_sigma == pytest.approx(1.2533 * profile.fit.held_out.mean, abs=1e-4)
    assert said_by(monkeypatch, capsys, "devices", tmp_path / "mine.json")[0] == 0
