"""Measurements as files, and complaints about them."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from calibration import Measurement, Sample, read_measurement, write_measurement
from cost_models import CostModelError, Provenance
from cost_models.json_node import json_text
from engine.errors import InputError

SAMPLE = Sample(rows=4, picks=2, context_tokens=644, held_out=True, sweep=1, order=17, ms=24.125)
MEASUREMENT = Measurement(
    provenance=Provenance(
        model_file_name="m.gguf",
        model_sha256="ab",
        model_bytes=1,
        engine="fake 1",
        engine_build="",
        threads=2,
        cpu="none",
        os="none",
        date="2026-01-02",
        n_ctx=2048,
    ),
    samples=(SAMPLE,) * 2,
    host_samples_ms=(0.45, 0.5),
    seed=3,
)


def test_a_file_written_read_and_written_again_is_the_same_bytes(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    write_measurement(MEASUREMENT, first)
    again = read_measurement(first)
    write_measurement(again, second)
    assert again == MEASUREMENT
    assert first.read_bytes() == second.read_bytes()


def damaged(place: str, value: Any) -> dict[str, Any]:
    data: dict[str, Any] = copy.deepcopy(json.loads(json_text(MEASUREMENT.to_json())))
    if place in data:
        data[place] = value
    else:
        data["samples"][1][place] = value
    return data


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ("format", "x", '$.format: found "x", expected "schemaweaver-measurement-1"'),
        ("samples", {}, "$.samples: found {}, expected an array"),
        ("host_samples_ms", [0.1, -1], "$.host_samples_ms[1]: found -1.0, expected a finite number >= 0"),
        ("seed", "a", '$.seed: found "a", expected a whole number'),
        ("rows", 0, "$.samples[1].rows: found 0, expected a whole number >= 1"),
        ("picks", 5, "$.samples[1].picks: found 5, expected 0 to 4, the rows"),
        ("context_tokens", 3, "$.samples[1].context_tokens: found 3, expected 4 or more, the rows"),
        ("held_out", 0, "$.samples[1].held_out: found 0, expected true or false"),
        ("sweep", -1, "$.samples[1].sweep: found -1, expected a whole number >= 0"),
        ("order", -1, "$.samples[1].order: found -1, expected a whole number >= 0"),
        ("ms", 0, "$.samples[1].ms: found 0.0, expected a finite number > 0"),
        ("colour", 1, "$.samples[1]: has unknown colour; valid names: rows, picks, context_tokens"),
    ],
)
def test_a_damaged_file_says_file_path_value_and_what_is_valid(
    place: str, value: Any, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps(damaged(place, value)))
    with pytest.raises(InputError) as caught:
        read_measurement(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_a_sample_without_time_is_refused() -> None:
    with pytest.raises(CostModelError, match=r"^ms: found nan"):
        Sample(rows=1, picks=1, context_tokens=1, held_out=False, sweep=0, order=0, ms=float("nan"))
