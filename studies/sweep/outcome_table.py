"""Outcomes as a table for the terminal and the page."""

from collections.abc import Sequence

import numpy as np

from studies.sweep.axes import AXES, Value
from studies.sweep.bounds import Bounds
from studies.sweep.mean_energy import MeanEnergy
from studies.sweep.outcome import Outcome
from studies.sweep.point import varying
from studies.text_table import MISSING, Table, ms_cell, number_cell

OUTSIDE_MARK = "*"
"""Behind what nobody measured: the share of time in such passes where that is all of it, and sizes of batches."""


def outcome_table(outcomes: Sequence[Outcome], most_rows: int | None = None) -> Table:
    """A row for each outcome, or for `most_rows` of them spread evenly from the first to the last.

    Columns name the axes that vary, then latencies in ms and speedups over `constrained` with low and high in brackets;
    then joules up to the final call, of cores and memory, where all devices' power is known.
    """
    axes = varying([outcome.point for outcome in outcomes]) or ("schedule",)
    has_energy = all(outcome.final_energy for outcome in outcomes)
    has_tool = any(outcome.point.tool_ms for outcome in outcomes)
    headers = (
        *(AXES[name].name for name in axes),
        "tool start\nms",
        "final call\nms",
        *(("tool's result\nms",) if has_tool else ()),
        "tool start\nspeedup",
        "final call\nspeedup",
        *(("final call\nJ",) if has_energy else ()),
        "never\nmeasured %",
    )
    rows = (_row(outcome, axes, has_tool, has_energy) for outcome in _spread(outcomes, most_rows))
    return Table(headers, tuple(rows), label_columns=len(axes))


def fixed_values(outcomes: Sequence[Outcome]) -> str:
    """The axes that all outcomes share a value on, as words."""
    points = [outcome.point for outcome in outcomes]
    changing = {*varying(points), *(() if any(point.tool_ms for point in points) else ("tool-ms",))}
    known = ((name, points[0].value(name)) for name in AXES if name not in changing)
    return ", ".join(f"{name} {value_cell(value)}" for name, value in known if value is not None)


def value_cell(value: Value | None) -> str:
    """An axis's value as text: four digits that count, or all of a whole number."""
    if value is None:
        return MISSING
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    return f"{value}"


def bounds_cell(bounds: Bounds, decimals: int | None = None) -> str:
    """`677 (640-716)`; with three digits that count where `decimals` is None."""
    cell = ms_cell if decimals is None else lambda value: number_cell(value, decimals)
    return (
        cell(bounds.value) if bounds.low is None else f"{cell(bounds.value)} ({cell(bounds.low)}-{cell(bounds.high)})"
    )


def _row(outcome: Outcome, axes: Sequence[str], has_tool: bool, has_energy: bool) -> tuple[str, ...]:
    mark = OUTSIDE_MARK if outcome.is_extrapolated else ""
    return (
        *(value_cell(outcome.point.value(name)) for name in axes),
        bounds_cell(outcome.tool_start_ms),
        bounds_cell(outcome.final_ms),
        *((bounds_cell(outcome.result_ms),) if has_tool else ()),
        bounds_cell(outcome.tool_start_speedup, 2),
        bounds_cell(outcome.final_speedup, 2),
        *((_joules_cell(outcome.final_energy),) if has_energy else ()),
        f"{number_cell(outcome.outside_percent, 0)}{mark}",
    )


def _joules_cell(energy: MeanEnergy | None) -> str:
    return number_cell(None if energy is None else energy.total_j, 2)


def _spread(outcomes: Sequence[Outcome], most: int | None) -> Sequence[Outcome]:
    if most is None or len(outcomes) <= most:
        return outcomes
    return [outcomes[at] for at in np.linspace(0, len(outcomes) - 1, most).round().astype(int)]
