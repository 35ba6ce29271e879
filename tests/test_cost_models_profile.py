"""Profiles as files, complaints about them, and whether one belongs to a run."""

import copy
import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cost_models import (
    CostModelError,
    ErrorSummary,
    FitSummary,
    MeasuredTable,
    Profile,
    Provenance,
    mismatches,
    read_profile,
    write_profile,
)
from cost_models.json_node import JsonNode, json_text, read_json

PROVENANCE = Provenance(
    model_file_name="small.gguf",
    model_sha256="ab12",
    model_bytes=98_000_000,
    engine="llama-cpp-python 0.3.36",
    engine_build="AVX2 = 1",
    threads=2,
    cpu="Some CPU",
    os="Linux 6",
    date="2026-01-02",
    n_ctx=2048,
)
TABLE = MeasuredTable(
    row_counts=(1, 2, 4),
    row_ms=(9.2, 15.1, 24.0),
    reference_tokens=640,
    context_range_tokens=(32, 1184),
    max_picks=4,
)
ERRORS = ErrorSummary(cells=24, mean=0.02, median=0.015, p90=0.05, worst=0.08, bias=-0.01)
PROFILE = Profile(
    name="a laptop",
    provenance=PROVENANCE,
    table=TABLE,
    fit=FitSummary(held_out=ERRORS, in_sample=ERRORS, repeat_spread=0.02),
    notes="Zürich",
)


def with_value(path: str, value: Any) -> dict[str, Any]:
    """The profile's JSON with the value at a dotted path replaced, or removed where it is Ellipsis."""
    data: dict[str, Any] = copy.deepcopy(json.loads(json_text(PROFILE.to_json())))
    *parents, last = path.split(".")
    place = data
    for name in parents:
        place = place[name]
    place[last] = value
    if value is ...:
        del place[last]
    return data


@pytest.mark.parametrize("profile", [PROFILE, dataclasses.replace(PROFILE, fit=None)])
def test_a_file_written_read_and_written_again_is_the_same_bytes(profile: Profile, tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    write_profile(profile, first)
    again = read_profile(first)
    write_profile(again, second)
    assert again == profile
    assert first.read_bytes() == second.read_bytes()


def test_a_file_from_before_a_field_was_added_is_read_without_it() -> None:
    data = with_value("table.pick_tile_ms", ...)
    del data["provenance"]["source"]
    assert Profile.from_json(JsonNode(data, "old.json")) == PROFILE


def test_only_unusual_buffers_are_in_a_file_and_come_back() -> None:
    assert "extra_buffers" not in PROVENANCE.to_json()
    plain = dataclasses.replace(PROFILE, provenance=dataclasses.replace(PROVENANCE, extra_buffers=False))
    assert plain.to_json()["provenance"]["extra_buffers"] is False
    assert Profile.from_json(JsonNode(plain.to_json(), "plain.json")) == plain


@given(st.text(), st.text())
def test_any_text_survives(name: str, notes: str) -> None:
    profile = dataclasses.replace(PROFILE, name=name, notes=notes)
    assert Profile.from_json(JsonNode(json.loads(json_text(profile.to_json())), "p")) == profile


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", "other-9", '$.format: found "other-9", expected "schemaweaver-profile-1"'),
        ("name", 3, "$.name: found 3, expected a string"),
        ("notes", ..., "$: lacks notes; valid names: format, name, provenance, table, fit, notes"),
        ("extra", 1, "$: has unknown extra; valid names: format, name"),
        ("table.pick_tile_ms", "much", '$.table.pick_tile_ms: found "much", expected a finite number'),
        ("provenance.source", 3, "$.provenance.source: found 3, expected a string"),
        ("table", [], "$.table: found [], expected an object with row_counts, row_ms"),
        ("table.row_ms", 5, "$.table.row_ms: found 5, expected an array"),
        ("table.row_ms", [1.0, "2", 3.0], '$.table.row_ms[1]: found "2", expected a finite number'),
        ("table.row_ms", [1.0, 2.0, float("nan")], "$.table.row_ms[2]: found NaN, expected a finite number"),
        ("table.row_ms", [1.0, 2.0, 10**400], "$.table.row_ms[2]: found 1000"),
        (
            "table.row_ms",
            [1.0, 2.0, -3.0],
            "$.table.row_ms[2]: found -3.0, expected a finite number >= 0.001",
        ),
        ("table.row_counts", [1, 2.5, 4], "$.table.row_counts[1]: found 2.5, expected a whole number"),
        ("table.row_counts", [1, True, 4], "$.table.row_counts[1]: found true, expected a whole number"),
        ("table.context_range_tokens", [1], "$.table.context_range_tokens: found [1], expected two whole"),
        ("table.tile_rows", 3, "$.table.tile_rows: found 3, expected 1 or a divisor of a row count"),
        ("table.wide_rows", "64", '$.table.wide_rows: found "64", expected a whole number'),
        ("provenance.threads", "2", '$.provenance.threads: found "2", expected a whole number'),
        ("provenance.n_ctx", -1, "$.provenance.n_ctx: found -1, expected a whole number >= 0"),
        ("fit.held_out.worst", -0.1, "$.fit.held_out.worst: found -0.1, expected a finite number >= 0"),
        ("fit.held_out.cells", -1, "$.fit.held_out.cells: found -1, expected a whole number >= 0"),
        ("fit.repeat_spread", -0.1, "$.fit.repeat_spread: found -0.1, expected a finite number >= 0"),
        ("fit.repeat_spread", None, "$.fit.repeat_spread: found null, expected a finite number"),
    ],
)
def test_a_damaged_profile_says_file_path_value_and_what_is_valid(path: str, value: Any, message: str) -> None:
    with pytest.raises(CostModelError) as caught:
        Profile.from_json(JsonNode(with_value(path, value), "phone.json"))
    assert str(caught.value).startswith(f"phone.json: {message}")


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(CostModelError) as caught:
        JsonNode("x" * 1000, "p.json").whole()
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\xfd", b""])
def test_a_file_that_is_no_json_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(CostModelError, match=r"broken\.json: is no JSON"):
        read_json(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CostModelError, match=r"gone\.json: cannot be read: No such file"):
        read_profile(tmp_path / "gone.json")


def test_what_json_cannot_say_is_not_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"ms": float("nan")})


def test_equal_ground_has_no_mismatch() -> None:
    other_day = dataclasses.replace(PROVENANCE, date="2026-05-06", os="Linux 7", n_ctx=4096)
    assert mismatches(PROVENANCE, other_day) == ()


def test_a_renamed_model_file_is_the_same_model() -> None:
    assert mismatches(PROVENANCE, dataclasses.replace(PROVENANCE, model_file_name="renamed.gguf")) == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model_sha256": "cd34"}, ("model file small.gguf (sha256 ab12)", "sha256 cd34")),
        ({"engine": "llama-cpp-python 0.4"}, ("engine llama-cpp-python 0.3.36", "llama-cpp-python 0.4")),
        ({"threads": 4}, ("thread count 2", "has 4")),
        ({"cpu": "Another"}, ("CPU Some CPU", "has Another")),
        ({"cpu": ""}, ("CPU Some CPU", "an unknown one")),
        ({"extra_buffers": False}, ("weights in extra buffers", "has them as they lie in the file")),
    ],
)
def test_each_difference_is_a_sentence_with_both_sides(change: dict[str, Any], words: tuple[str, str]) -> None:
    (sentence,) = mismatches(PROVENANCE, dataclasses.replace(PROVENANCE, **change))
    assert all(word in sentence for word in words)
    assert sentence.endswith(".")


def test_what_a_profile_does_not_know_counts_as_a_difference() -> None:
    unknown = dataclasses.replace(PROVENANCE, model_sha256="", engine="", threads=0, cpu="")
    sentences = mismatches(unknown, PROVENANCE)
    assert len(sentences) == 4
    assert all("does not say" in sentence for sentence in sentences)
