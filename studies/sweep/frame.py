"""Outcomes as a table of columns, for Parquet."""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from cost_models import write_whole
from studies.sweep.axes import AXES
from studies.sweep.outcome import Outcome

NUMBERS = ("tool_start_ms", "final_ms", "result_ms", "tool_start_speedup", "final_speedup")
"""The predicted numbers of an outcome; each has columns for its bounds, as `final_ms_low` and `final_ms_high`."""

ENERGIES = ("tool_start_energy", "final_energy")
"""Joules of an outcome; each has a column for each supply rail, as `final_energy_cpu_j`."""

RAILS = ("cpu_j", "memory_j")

_KINDS: Mapping[str, pl.DataType] = {"number": pl.Float64(), "whole": pl.Int64(), "name": pl.String()}

COLUMNS: Mapping[str, pl.DataType] = {
    **{axis.field: _KINDS[axis.kind] for axis in AXES.values()},
    "runs": pl.Int64(),
    **{f"{name}{end}": pl.Float64() for name in NUMBERS for end in ("", "_low", "_high")},
    "outside_percent": pl.Float64(),
    "is_extrapolated": pl.Boolean(),
    **{f"{name}_{rail}": pl.Float64() for name in ENERGIES for rail in RAILS},
    "peak_memory_bytes": pl.Float64(),
    "fits": pl.Boolean(),
    "assumed": pl.List(pl.String()),
}
"""A column for each axis, null for the device's own condition and where kept passes say nothing; then results."""

METADATA_KEY = "schemaweaver"


def frame(outcomes: Sequence[Outcome]) -> pl.DataFrame:
    """A row for each outcome, with `COLUMNS`."""
    return pl.DataFrame([_row(outcome) for outcome in outcomes], schema=dict(COLUMNS), orient="row")


def write_frame(path: Path, outcomes: Sequence[Outcome], facts: Mapping[str, str]) -> None:
    """Write `frame(outcomes)` to `path`, whole or not at all, with `facts` as JSON in the file's metadata."""
    content = BytesIO()
    metadata = {METADATA_KEY: json.dumps(dict(facts), ensure_ascii=False)}
    frame(outcomes).write_parquet(content, compression="zstd", metadata=metadata)
    write_whole(path, content.getvalue())


def _row(outcome: Outcome) -> tuple[Any, ...]:
    axes = (getattr(outcome.point, axis.field) for axis in AXES.values())
    bounds = (getattr(outcome, name) for name in NUMBERS)
    numbers = (number for each in bounds for number in (each.value, each.low, each.high))
    joules = (getattr(getattr(outcome, name), rail, None) for name in ENERGIES for rail in RAILS)
    memory = (outcome.peak_memory_bytes, outcome.fits)
    shares = (outcome.outside_percent, outcome.is_extrapolated)
    return (*axes, outcome.runs, *numbers, *shares, *joules, *memory, list(outcome.assumed))
