"""A comparison as tables, the same for the terminal and for the report."""

from collections.abc import Iterator

from studies.comparison import Comparison
from studies.quantities import Quantity
from studies.text_table import MISSING, Table, ms_cell, number_cell

LATENCY_HEADERS = (
    "latency to",
    "schedule",
    "measured ms",
    "predicted ms",
    "bias %",
    "error median %",
    "error P90 %",
    "machine spread %",
    "speed-up measured",
    "speed-up predicted",
)

WORK_HEADERS = (
    "schedule",
    "passes per call measured",
    "passes per call predicted",
    "ms outside per pass measured",
    "ms outside per pass predicted",
    "same call as {baseline}",
    "same passes in both",
    "right calls",
    "right calls % (95 % interval)",
)

PART_HEADERS = (
    "schedule",
    "part",
    "measured ms",
    "predicted ms",
    "bias %",
    "error median %",
    "error P90 %",
    "machine spread %",
    "passes measured",
    "passes predicted",
)


def latency_table(comparison: Comparison) -> Table:
    """The latencies to tool start and to the final call: a row per latency and schedule."""
    starts = [("tool start", s.schedule, s.tool_start_ms, s.tool_start_speedup) for s in comparison.schedules]
    finals = [("final call", s.schedule, s.final_ms, s.final_speedup) for s in comparison.schedules]
    rows = (
        (label, schedule, *_quantity_cells(latency_ms), *_speedup_cells(speedup))
        for label, schedule, latency_ms, speedup in starts + finals
    )
    return Table(LATENCY_HEADERS, tuple(rows), label_columns=2)


def work_table(comparison: Comparison) -> Table:
    """The passes of a call, the time outside them, and what agrees: a row per schedule."""
    headers = tuple(header.format(baseline=comparison.baseline) for header in WORK_HEADERS)
    rows = (
        (
            s.schedule,
            number_cell(s.passes_per_call.measured, 1),
            number_cell(s.passes_per_call.predicted, 1),
            number_cell(s.host_ms_per_pass.measured, 2),
            number_cell(s.host_ms_per_pass.predicted, 2),
            MISSING if s.equal_calls is None else str(s.equal_calls),
            MISSING if s.same_passes is None else str(s.same_passes),
            MISSING if s.right_calls is None else f"{s.right_calls.right} of {s.right_calls.of}",
            MISSING if s.right_calls is None else str(s.right_calls),
        )
        for s in comparison.schedules
    )
    return Table(headers, tuple(rows))


def part_table(comparison: Comparison) -> Table:
    """Where the time of a call goes: a row per schedule and phase, and one for the time outside passes."""
    rows = (
        (
            part.schedule,
            part.part.replace("_", " "),
            *_quantity_cells(part.time_ms),
            number_cell(part.passes_per_call.measured, 1),
            number_cell(part.passes_per_call.predicted, 1),
        )
        for part in comparison.parts
    )
    return Table(PART_HEADERS, tuple(rows), label_columns=2)


def scope_text(comparison: Comparison) -> str:
    """One sentence: how many calls the numbers are over, how often measured, and which were left out."""
    count = len(comparison.call_ids)
    parts = [f"{count} call{'' if count == 1 else 's'} compared"]
    if comparison.repeats is not None:
        low, high = comparison.repeats
        parts.append(f"each measured {low if low == high else f'{low} to {high}'} times per schedule")
    if comparison.left_out:
        left_out = ", ".join(comparison.left_out)
        parts.append(f"{len(comparison.left_out)} left out for want of a run: {left_out}")
    return "; ".join(parts) + "."


def _quantity_cells(quantity: Quantity) -> Iterator[str]:
    errors = quantity.errors
    yield ms_cell(quantity.measured)
    yield ms_cell(quantity.predicted)
    yield number_cell(quantity.bias_percent, 1, sign="+")
    yield number_cell(errors.median_percent if errors else None, 1)
    yield number_cell(errors.p90_percent if errors else None, 1)
    yield number_cell(quantity.spread_percent, 1)


def _speedup_cells(speedup: Quantity) -> Iterator[str]:
    for ratio in (speedup.measured, speedup.predicted):
        yield MISSING if ratio is None else f"{number_cell(ratio, 2)}x"
