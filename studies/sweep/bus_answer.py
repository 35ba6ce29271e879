"""How slow the memory bus has to be, in words."""

from collections.abc import Sequence
from dataclasses import asdict

from studies.sweep.answer import IN_WORDS, Answer
from studies.sweep.outcome_table import bounds_cell, value_cell
from studies.sweep.slow_bus import BusRange, SlowBus
from studies.text_table import MISSING, Table

UNITS = {"bus": "MHz", "bandwidth": "GB/s"}


def bus_answer(found: Sequence[SlowBus], within: BusRange) -> Answer:
    """A sentence for each latency, and the speedups at the ends of what was looked at."""
    unit = UNITS[within.axis]
    ends = (f"speedup at\n{value_cell(end)} {unit}" for end in (within.low, within.high))
    headers = ("latency", f"fastest bus\n{unit}", *ends)
    rows = tuple(
        (IN_WORDS[each.latency], _cell(each, within), bounds_cell(each.at_low, 2), bounds_cell(each.at_high, 2))
        for each in found
    )
    sentences = tuple(_sentence(each, within) for each in found)
    data = {"within": asdict(within), "answers": [asdict(each) for each in found]}
    return Answer(sentences=sentences, table=Table(headers, rows), data=data)


def _sentence(found: SlowBus, within: BusRange) -> str:
    start = f"{found.schedule}'s {IN_WORDS[found.latency]} is {found.speedup:g} times sooner than constrained"
    unit = UNITS[within.axis]
    if found.value is None:
        is_reached = found.at_high.value >= found.speedup
        where, end, limit = (
            ("everywhere", within.high, found.at_high) if is_reached else ("never", within.low, found.at_low)
        )
        return f"{start} {where} within range: at {value_cell(end)} {unit} it is {bounds_cell(limit, 2)} times."
    in_gb_s = "" if unit == "GB/s" else f", or {_cell(found, within, within.gb_s_per_unit)} GB/s"
    mark = f"; {found.outside_percent:.0f} % of the time there was never measured" if found.outside_percent else ""
    return f"{start} up to a bus of {_cell(found, within)} {unit}{in_gb_s}{mark}."


def _cell(found: SlowBus, within: BusRange, times: float = 1.0) -> str:
    """`1,355 (1,011-1,778)`, each of them so many times; `<200` for an end below the range."""
    if found.value is None:
        return MISSING
    if not found.at_low.has_errors:
        return value_cell(found.value * times)
    low = f"<{value_cell(within.low * times)}" if found.low is None else value_cell(found.low * times)
    high = f">{value_cell(within.high * times)}" if found.high is None else value_cell(found.high * times)
    return f"{value_cell(found.value * times)} ({low}-{high})"
