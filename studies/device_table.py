"""All devices beside each other: what they are, how fast, and what of them was measured."""

from collections.abc import Iterable
from datetime import date

from cost_models.device import Device
from cost_models.measured_range import MeasuredRange
from studies.text_table import MISSING, Table, number_cell

HEADERS = (
    "name",
    "processor",
    "cores",
    "model",
    "GB/s",
    "rows one by one\nGMAC/s",
    "whole tiles\nGMAC/s",
    "tile\nrows",
    "costs\nfrom",
    "rows\nup to",
    "picks\nup to",
    "context\ntokens",
    "bus\nMHz",
    "age",
)
LABELS = 4


def device_table(devices: Iterable[Device], today: date) -> Table:
    """A row for each device."""
    return Table(HEADERS, tuple(_row(device, today) for device in devices), label_columns=LABELS)


def age(device: Device, today: date) -> str:
    """How old its numbers are: days since they were measured here, or when they were published."""
    if device.source:
        return f"published {device.date}" if device.date else "published"
    try:
        days = (today - date.fromisoformat(device.date)).days
    except ValueError:
        return "unknown"
    return "1 day" if days == 1 else f"{days} days"


def measured_range(device: Device) -> MeasuredRange | None:
    """The passes that its costs come from: the table's, else those that the chip was fitted to."""
    table = device.table
    if table is None:
        return device.measured
    return MeasuredRange(rows=table.row_counts[-1], picks=table.max_picks, context_tokens=table.context_range_tokens)


def bus_cell(device: Device) -> str:
    """The levels of the memory bus that were measured, or the one."""
    if device.measured_mhz is not None:
        lowest, highest = device.measured_mhz
        return f"{lowest:g} to {highest:g}"
    return MISSING if device.chip.bus_mhz is None else f"{device.chip.bus_mhz:g}"


def _row(device: Device, today: date) -> tuple[str, ...]:
    chip, found = device.chip, measured_range(device)
    rates = (chip.bandwidth_gb_s, chip.gemv_gmac_s, chip.gemm_gmac_s)
    sizes = (MISSING,) * 3 if found is None else (str(found.rows), str(found.picks), _span(found.context_tokens))
    return (
        device.name,
        device.processor,
        device.cores,
        device.model.name,
        *(number_cell(rate, 0) for rate in rates),
        str(chip.tile_rows),
        "roofline" if device.table is None else "table",
        *sizes,
        bus_cell(device),
        age(device, today),
    )


def _span(tokens: tuple[int, int]) -> str:
    return "{} to {}".format(*tokens)
