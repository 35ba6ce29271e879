"""Runs as tables: one row per run, per pass, or per emission."""

import json
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from cost_models.files import write_whole
from engine.calls import ToolCall
from engine.errors import InputError
from engine.records import MEASURED, SIMULATED, RunRecord

SOURCES = (MEASURED, SIMULATED)

KEY_COLUMNS: Mapping[str, type[pl.DataType]] = {
    "call_id": pl.String,
    "schedule": pl.String,
    "source": pl.String,
    "repeat": pl.Int64,
}
"""The columns that name a run; each frame starts with them."""

RUN_COLUMNS: Mapping[str, type[pl.DataType]] = {
    **KEY_COLUMNS,
    "prompt_tokens": pl.Int64,
    "reused_tokens": pl.Int64,
    "passes": pl.Int64,
    "rows": pl.Int64,
    "picks": pl.Int64,
    "prompt_end_ms": pl.Float64,
    "tool_start_ms": pl.Float64,
    "final_ms": pl.Float64,
    "host_ms": pl.Float64,
    "host_ms_per_pass": pl.Float64,
    "status": pl.String,
    "tool": pl.String,
    "arguments": pl.String,
    "call_text": pl.String,
    "is_right": pl.Boolean,
    "why_wrong": pl.String,
    "settings": pl.String,
}

PASS_COLUMNS: Mapping[str, type[pl.DataType]] = {
    **KEY_COLUMNS,
    "index": pl.Int64,
    "phase": pl.String,
    "rows": pl.Int64,
    "picks": pl.Int64,
    "sequences": pl.Int64,
    "context_tokens": pl.Int64,
    "start_ms": pl.Float64,
    "end_ms": pl.Float64,
    "duration_ms": pl.Float64,
    "since_prompt_ms": pl.Float64,
}

EMIT_COLUMNS: Mapping[str, type[pl.DataType]] = {
    **KEY_COLUMNS,
    "index": pl.Int64,
    "status": pl.String,
    "at_ms": pl.Float64,
    "latency_ms": pl.Float64,
    "tool": pl.String,
    "arguments": pl.String,
    "call_text": pl.String,
}


def check_run(run: RunRecord) -> RunRecord:
    """`run` itself; raises InputError on another source, or where a pass or an emission is missing."""
    name = f"run {run.repeat} of call {run.call_id!r} by schedule {run.schedule!r}"
    if run.source not in SOURCES:
        raise InputError(f"{name}: source {run.source!r} is none of {', '.join(SOURCES)}")
    if not run.passes or not run.emits:
        raise InputError(f"{name}: needs at least one pass and one emission")
    return run


def runs_frame(runs: Iterable[RunRecord]) -> pl.DataFrame:
    """A row per run, with the columns of `RUN_COLUMNS`.

    `passes`, `rows` and `picks` count what came after the prompt. `tool_start_ms` and `final_ms` count from
    the prompt's end; `host_ms` and `host_ms_per_pass` are over all passes, the prompt's too. `arguments` and
    `settings` are JSON texts, `arguments` null where the call is incomplete. `is_right` is the workload's verdict on
    the call, null where nobody asked, and `why_wrong` its reason. Raises InputError on a run that `check_run` refuses.
    """
    return pl.DataFrame([_run_row(check_run(run)) for run in runs], schema=RUN_COLUMNS, orient="row")


def passes_frame(runs: Iterable[RunRecord]) -> pl.DataFrame:
    """A row per pass, with the columns of `PASS_COLUMNS`.

    `index` counts all passes of the run, the prompt's too. `start_ms` and `end_ms` count from the run's
    start, `since_prompt_ms` is the pass's start counted from the prompt's end. Raises InputError on a run
    that `check_run` refuses.
    """
    rows = [row for run in runs for row in _pass_rows(check_run(run))]
    return pl.DataFrame(rows, schema=PASS_COLUMNS, orient="row")


def emits_frame(runs: Iterable[RunRecord]) -> pl.DataFrame:
    """A row per emission, with the columns of `EMIT_COLUMNS`.

    `at_ms` counts from the run's start, `latency_ms` from the prompt's end. Raises InputError on a run that
    `check_run` refuses.
    """
    rows = [row for run in runs for row in _emit_rows(check_run(run))]
    return pl.DataFrame(rows, schema=EMIT_COLUMNS, orient="row")


def write_parquet(frame: pl.DataFrame, path: Path) -> None:
    """Write `frame` to `path` as one whole Parquet file, or leave `path` as it was."""
    content = BytesIO()
    frame.write_parquet(content)
    write_whole(path, content.getvalue())


def _keys(run: RunRecord) -> tuple[str, str, str, int]:
    return run.call_id, run.schedule, run.source, run.repeat


def _run_row(run: RunRecord) -> tuple[Any, ...]:
    commands = [record.command for record in run.call_passes]
    return (
        *_keys(run),
        run.prompt_tokens,
        run.reused_tokens,
        len(commands),
        sum(command.width for command in commands),
        sum(command.pick_count for command in commands),
        run.prompt_end_ms,
        run.tool_start_ms,
        run.final_ms,
        run.host_ms,
        run.host_ms / len(run.passes),
        str(run.emits[-1].status),
        *_call_cells(run.call),
        run.is_right,
        run.why_wrong or None,
        _json_text(run.settings),
    )


def _pass_rows(run: RunRecord) -> Iterator[tuple[Any, ...]]:
    prompt_end_ms = run.prompt_end_ms
    for index, record in enumerate(run.passes):
        command = record.command
        yield (
            *_keys(run),
            index,
            str(command.phase),
            command.width,
            command.pick_count,
            len({sequence for row in command.rows for sequence in row.sequences}),
            command.context_tokens,
            record.start_ms,
            record.end_ms,
            record.duration_ms,
            record.start_ms - prompt_end_ms,
        )


def _emit_rows(run: RunRecord) -> Iterator[tuple[Any, ...]]:
    prompt_end_ms = run.prompt_end_ms
    for index, emit in enumerate(run.emits):
        latency_ms = emit.at_ms - prompt_end_ms
        yield (*_keys(run), index, str(emit.status), emit.at_ms, latency_ms, *_call_cells(emit.call))


def _call_cells(call: ToolCall) -> tuple[str, str | None, str]:
    return call.name, None if call.arguments is None else _json_text(call.arguments), call.text


def _json_text(data: Mapping[str, Any]) -> str:
    return json.dumps(dict(data), ensure_ascii=False)
