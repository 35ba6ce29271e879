"""The study's cells as data."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from studies.paper.aims import AimErrors
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.open_point import OpenPoint
from studies.paper.summary import Errors, given_errors, open_errors, predicted_errors

STUDY_FORMAT = "schemaweaver-paper-study-1"

COLUMNS = {
    "exhibit": pl.String(),
    "row": pl.String(),
    "column": pl.String(),
    "unit": pl.String(),
    "printed": pl.Float64(),
    "ours": pl.Float64(),
    "low": pl.Float64(),
    "high": pl.Float64(),
    "error": pl.Float64(),
    "role": pl.String(),
    "extrapolated": pl.Boolean(),
    "why": pl.String(),
}


def cells_frame(exhibits: Sequence[Exhibit]) -> pl.DataFrame:
    """A row per cell."""
    return pl.DataFrame([_cell(exhibit.key, cell) for exhibit in exhibits for cell in exhibit.cells], schema=COLUMNS)


def study_json(
    exhibits: Sequence[Exhibit],
    aims: Sequence[AimErrors],
    open_points: Sequence[OpenPoint],
    command: str,
    provenance: Mapping[str, str],
) -> dict[str, Any]:
    """Errors and cells as plain JSON data; numbers rounded to five digits, so that other processors give the same."""
    return {
        "format": STUDY_FORMAT,
        "command": command,
        "provenance": dict(provenance),
        "aims": {aim.name: _aim(aim) for aim in aims},
        "exhibits": [_exhibit(exhibit) for exhibit in exhibits],
        "open_points": [_open_point(point) for point in open_points],
    }


def _exhibit(exhibit: Exhibit) -> dict[str, Any]:
    cells = [_cell(exhibit.key, cell) for cell in exhibit.cells]
    return {
        "key": exhibit.key,
        "title": exhibit.title,
        "given": list(exhibit.given),
        "assumed": list(exhibit.assumed),
        "predicted": _errors(predicted_errors(exhibit)),
        "fitted": _errors(given_errors(exhibit)),
        "open": _errors(open_errors(exhibit)),
        "cells": [{name: value for name, value in cell.items() if name != "exhibit"} for cell in cells],
    }


def _aim(aim: AimErrors) -> dict[str, Any]:
    errors = _errors(aim.errors) or {}
    own = None if aim.own is None else _rounded(aim.own.mean_error)
    return errors | {"reached": aim.is_reached, "mean_error_in_own_layout": own}


def _open_point(point: OpenPoint) -> dict[str, Any]:
    measures = [measure.name for measure in point.measures]
    return {
        "key": point.key,
        "title": point.title,
        "question": point.question,
        "answer": point.answer,
        "readings": {
            outcome.reading: dict(zip(measures, map(_rounded, outcome.numbers), strict=True))
            for outcome in point.outcomes
        },
    }


def _errors(errors: Errors | None) -> dict[str, Any] | None:
    if errors is None:
        return None
    worst = errors.worst
    return {
        "cells": errors.count,
        "mean_error": _rounded(errors.mean_error),
        "bias": _rounded(errors.bias),
        "worst": {"row": worst.row, "column": worst.column, "unit": worst.unit, "error": _rounded(worst.error)},
    }


def _cell(key: str, cell: Cell) -> dict[str, Any]:
    ours = cell.ours
    return {
        "exhibit": key,
        "row": cell.row,
        "column": cell.column,
        "unit": cell.unit,
        "printed": cell.printed,
        "ours": None if ours is None else _rounded(ours.value),
        "low": None if ours is None else _rounded(ours.low),
        "high": None if ours is None else _rounded(ours.high),
        "error": _rounded(cell.error),
        "role": cell.role,
        "extrapolated": cell.extrapolated,
        "why": cell.why,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.5g}")
