import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from engine.commands import Phase
from engine.errors import InputError
from studies.frames import (
    EMIT_COLUMNS,
    PASS_COLUMNS,
    RUN_COLUMNS,
    emits_frame,
    passes_frame,
    runs_frame,
    write_parquet,
)
from tests.records_builder import make_run, schedule_passes, serial_passes, study, tool_call, values_pass


@pytest.mark.parametrize(
    ("frame", "columns"),
    [(runs_frame, RUN_COLUMNS), (passes_frame, PASS_COLUMNS), (emits_frame, EMIT_COLUMNS)],
)
def test_frames_have_the_same_schema_with_and_without_runs(frame, columns):
    assert frame([]).schema == frame(study(calls=1)).schema == pl.Schema(columns)
    assert frame([]).height == 0


def test_a_run_counts_what_came_after_its_prompt():
    run = make_run([*serial_passes(Phase.NAME, 2), values_pass(60, branches=2, padding=2)], pass_ms=lambda _: 10.0)
    [row] = runs_frame([run]).to_dicts()
    assert (row["passes"], row["rows"], row["picks"]) == (3, 1 + 1 + 4, 1 + 1 + 2)


def test_times_of_a_run_are_those_of_its_record():
    run = make_run(schedule_passes("schemaweaver", 3), schedule="schemaweaver", host_ms=0.25)
    [row] = runs_frame([run]).to_dicts()
    assert row["tool_start_ms"] == run.tool_start_ms < row["final_ms"] == run.final_ms
    assert row["prompt_end_ms"] == run.prompt_end_ms
    assert row["host_ms_per_pass"] == pytest.approx(0.25)


def test_calls_and_settings_become_json_text():
    run = make_run(serial_passes(Phase.SERIAL, 2), call=tool_call("東京"), settings={"tile_rows": 4})
    [row] = runs_frame([run]).to_dicts()
    assert (row["tool"], row["status"], json.loads(row["settings"])) == (
        "get_weather",
        "final",
        {"tile_rows": 4},
    )
    assert row["arguments"] == '{"city": "東京"}'


def test_an_incomplete_call_has_no_arguments():
    [row] = runs_frame([make_run(serial_passes(Phase.SERIAL, 2), call=tool_call(complete=False))]).to_dicts()
    assert (row["arguments"], row["status"]) == (None, "incomplete")


@pytest.mark.parametrize(("is_right", "why"), [(True, ""), (False, "'city' was left out"), (None, "")])
def test_a_run_has_the_verdict_on_its_call(is_right, why):
    run = replace(make_run(serial_passes(Phase.SERIAL, 2), is_right=is_right), why_wrong=why)
    [row] = runs_frame([run]).to_dicts()
    assert (row["is_right"], row["why_wrong"]) == (is_right, why or None)


def test_passes_frame_has_each_pass_with_its_place_in_time():
    run = make_run([values_pass(60, branches=2, padding=2)], pass_ms=lambda _: 10.0, host_ms=1.0)
    prompt, values = passes_frame([run]).to_dicts()
    assert (prompt["index"], prompt["phase"], prompt["rows"], prompt["since_prompt_ms"]) == (
        0,
        "prompt",
        40,
        -10.0,
    )
    assert (values["phase"], values["rows"], values["picks"], values["sequences"]) == ("values", 4, 2, 3)
    assert (values["start_ms"], values["end_ms"], values["duration_ms"]) == (12.0, 22.0, 10.0)
    assert (values["since_prompt_ms"], values["context_tokens"]) == (1.0, 62)


def test_passes_add_up_to_their_run():
    runs = study(calls=3, repeats=2)
    sums = passes_frame(runs).filter(pl.col("phase") != "prompt")
    keys = ["call_id", "schedule", "source", "repeat"]
    sums = sums.group_by(keys, maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("passes"), pl.col("rows", "picks").sum()
    )
    assert_frame_equal(sums, runs_frame(runs).select(*keys, "passes", "rows", "picks"))


def test_emits_count_from_the_end_of_the_prompt():
    run = make_run(schedule_passes("schemaweaver", 2), schedule="schemaweaver")
    early, last = emits_frame([run]).to_dicts()
    assert (early["status"], early["latency_ms"]) == ("provisional", run.tool_start_ms)
    assert (last["status"], last["latency_ms"]) == ("confirmed", run.final_ms)
    assert last["at_ms"] - last["latency_ms"] == pytest.approx(run.prompt_end_ms)


@pytest.mark.parametrize("frame", [runs_frame, passes_frame, emits_frame])
def test_a_run_of_another_source_is_refused(frame):
    with pytest.raises(InputError, match="guessed"):
        frame([make_run(serial_passes(Phase.SERIAL, 1), source="guessed")])


def test_parquet_keeps_a_frame(tmp_path: Path):
    frame = runs_frame(study(calls=1))
    write_parquet(frame, tmp_path / "runs.parquet")
    assert_frame_equal(pl.read_parquet(tmp_path / "runs.parquet"), frame)
    assert [path.name for path in tmp_path.iterdir()] == ["runs.parquet"]
