"""One device in full: every figure with its error and source, what was measured, and what is assumed."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np

from cost_models import MeasuredTable
from cost_models.device import Device
from cost_models.figure import MEMORY_FIGURES
from cost_models.interval import pass_intervals
from cost_models.models import model_names
from cost_models.passes import Passes
from studies.device_table import age, bus_cell, measured_range
from studies.text_table import MISSING, Table, ms_cell

FIGURE_HEADERS = ("figure", "where from", "value", "90 % interval")
PASS_HEADERS = ("rows", "ms", "90 % interval")
CONTEXT_TOKENS = 400
"""Of the pass that a device is described by: about a call's with few tools."""
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
    costs = zip(table.row_counts, table.row_ms, _pass_bounds(device, table), strict=True)
    rows = tuple((str(count), f"{ms:.2f}", _times(bounds)) for count, ms, bounds in costs)
    return Table(PASS_HEADERS, rows, label_columns=0)


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
    if device.errors is not None:
        yield _token_line(device)
    yield _models_line(device)
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


def _pass_bounds(device: Device, table: MeasuredTable) -> Sequence[tuple[float, float] | None]:
    if device.errors is None:
        return [None] * len(table.row_counts)
    found = pass_intervals(device.uncertain(), np.array(table.row_counts), 1, table.reference_tokens)
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


def _token_line(device: Device) -> str:
    one = np.ones(1, dtype=np.int64)
    found = device.interval(Passes(one, one, CONTEXT_TOKENS * one))
    bounds = _times((float(found.low), float(found.high)))
    value = ms_cell(float(found.value))
    return f"a token by itself, {CONTEXT_TOKENS} tokens of context: {value} ms ({bounds}), the host's part included"


def _models_line(device: Device) -> str:
    others = ", ".join(name for name in model_names() if name != device.model.name)
    of_others = "and the paper gives no costs of passes for its others" if device.source else "and no other"
    shape = "what-ifs of others follow from their shapes, by --model of sweep and break-even"
    return f"other models: {device.model.name} was measured {of_others}; {shape}: {others}, or a GGUF file"


def _number(name: str, value: float) -> str:
    return f"{value / 1e9:.4g}e9" if name in MEMORY_FIGURES else f"{value:.{DIGITS}g}"


def _interval(bounds: tuple[float, float] | None) -> str:
    return MISSING if bounds is None else f"{bounds[0]:.3g} to {bounds[1]:.3g}"


def _times(bounds: tuple[float, float] | None) -> str:
    return MISSING if bounds is None else f"{ms_cell(bounds[0])} to {ms_cell(bounds[1])}"
