"""One device in full: every figure with its error and source, what was measured, and what is assumed."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from cost_models.device import Device
from cost_models.figure import MEMORY_FIGURES
from studies.device_table import age, bus_cell, measured_range
from studies.text_table import MISSING, Table

FIGURE_HEADERS = ("figure", "where from", "value", "90 % interval")
PASS_HEADERS = ("rows", "ms")
DIGITS = 4
"""That count of a figure."""


def figure_table(device: Device) -> Table:
    """Every figure: its value, the interval that its fit gives, and where it comes from."""
    bounds = device.bounds()
    rows = tuple(
        (each.name, each.source, _number(each.name, each.value), _interval(bounds.get(each.name)))
        for each in device.figures
    )
    return Table(FIGURE_HEADERS, rows, label_columns=2)


def pass_table(device: Device) -> Table | None:
    """What the measured passes cost, with one pick at the reference context; None where there is no table."""
    table = device.table
    if table is None:
        return None
    costs = zip(table.row_counts, table.row_ms, strict=True)
    return Table(PASS_HEADERS, tuple((str(rows), f"{ms:.2f}") for rows, ms in costs), label_columns=0)


def device_lines(device: Device, today: date) -> Iterator[str]:
    """What else is to be said of it, a line each."""
    found, model = measured_range(device), device.model
    yield f"{device.title}, {device.processor}: {device.cores}"
    yield f"model: {model.name}, {model.layers} layers, {model.weight_bytes_per_pass / 1e9:.2f} GB read per pass"
    yield f"age: {age(device, today)}" + (f"; {device.source}" if device.source else "")
    if found is not None:
        lowest, highest = found.context_tokens
        yield f"measured: up to {found.rows} rows and {found.picks} picks, {lowest} to {highest} tokens of context"
    if bus_cell(device) != MISSING:
        yield f"memory bus: {bus_cell(device)} MHz"
    yield f"host: {device.chip.host_ms:.2f} ms per pass besides the forward pass"
    yield _error_line(device)
    yield from (f"assumed: {sentence}" for sentence in device.assumed)
    if device.notes:
        yield f"notes: {device.notes}"


def device_data(device: Device, today: date) -> dict[str, Any]:
    """The device as plain data: its file's, with the intervals of its figures and its age."""
    bounds = device.bounds()
    data = device.to_json()
    for name, figure in data["figures"].items():
        figure["low"], figure["high"] = bounds.get(name, (None, None))
    if device.table is not None:
        data["table"] = device.table.to_json()
    return {**data, "age": age(device, today)}


def _error_line(device: Device) -> str:
    if device.errors is None:
        return "error of a predicted pass: unknown, since there was nothing to fit"
    of_table = device.errors.table_sigma if device.errors.table_sigma is not None else device.errors.sigma
    roofline = f"{device.errors.sigma:.1%} where another condition is asked for, its figures' errors besides"
    return f"error of a predicted pass (standard deviation): {of_table:.1%} as measured, {roofline}"


def _number(name: str, value: float) -> str:
    return f"{value / 1e9:.4g}e9" if name in MEMORY_FIGURES else f"{value:.{DIGITS}g}"


def _interval(bounds: tuple[float, float] | None) -> str:
    return MISSING if bounds is None else f"{bounds[0]:.3g} to {bounds[1]:.3g}"
