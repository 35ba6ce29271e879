"""An answer of `break-even`: sentences, a table, and the same as data."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from studies.sweep.bounds import Bounds
from studies.sweep.break_even_point import BreakEven
from studies.sweep.mean_time import FINAL, TOOL_START
from studies.sweep.outcome_table import bounds_cell, value_cell
from studies.sweep.padding import FEWEST, PaddedBatch, stops_paying
from studies.sweep.side_by_side import RIVAL, ArgumentGains
from studies.sweep.slow_bus import BusRange, SlowBus
from studies.text_table import MISSING, Table

IN_WORDS = {TOOL_START: "tool start", FINAL: "final call"}
UNITS = {"bus": "MHz", "bandwidth": "GB/s"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`sentences` say what comes out, `table` shows how; `data` is the same for JSON."""

    sentences: tuple[str, ...]
    table: Table
    data: Mapping[str, Any]


def padding_answer(batches: Sequence[PaddedBatch]) -> Answer:
    """When padding pays, for batch widths in rising order."""
    stops = stops_paying(batches)
    widths = f"{batches[0].batch_rows} to {batches[-1].batch_rows} rows"
    whole = (
        f"From {stops} rows on padding pays with no number of unfinished sequences."
        if stops is not None
        else f"Among {widths} there is no width from which on padding stops paying."
    )
    rows = tuple(_padding_row(batch) for batch in batches)
    headers = ("rows of a batch", "padding pays with", "pays from", "best gain", "with")
    data = {"stops_paying_at_rows": stops, "batches": [_padding_data(batch) for batch in batches]}
    return Answer(
        sentences=(*map(_padding_sentence, batches), whole), table=Table(headers, rows, label_columns=2), data=data
    )


def arguments_answer(gains: Sequence[ArgumentGains]) -> Answer:
    """From how many arguments on side by side is sooner."""
    counts = range(1, 1 + len(gains[0].gains))
    headers = ("arguments", *(f"{each.schedule}\n{IN_WORDS[each.latency]}" for each in gains))
    rows = tuple((str(count), *(bounds_cell(each.gains[count - 1], 2) for each in gains)) for count in counts)
    data = {
        "rival": RIVAL,
        "gains": [
            {
                "schedule": each.schedule,
                "latency": each.latency,
                "break_even": asdict(each.break_even),
                "gains": [asdict(gain) for gain in each.gains],
            }
            for each in gains
        ],
    }
    return Answer(sentences=tuple(map(_arguments_sentence, gains)), table=Table(headers, rows), data=data)


def bus_answer(found: Sequence[SlowBus], within: BusRange) -> Answer:
    """How slow the bus has to be."""
    headers = (
        "latency",
        f"fastest bus\n{UNITS[within.axis]}",
        "bandwidth\nGB/s",
        "speedup\nat the slow end",
        "at the fast end",
    )
    rows = tuple(
        (
            IN_WORDS[each.latency],
            _range_cell(each.value, each.low, each.high),
            _range_cell(*(_gb_s(end, within) for end in (each.value, each.low, each.high))),
            bounds_cell(each.at_low, 2),
            bounds_cell(each.at_high, 2),
        )
        for each in found
    )
    data = {"within": asdict(within), "answers": [asdict(each) for each in found]}
    return Answer(sentences=tuple(_bus_sentence(each, within) for each in found), table=Table(headers, rows), data=data)


def _padding_row(batch: PaddedBatch) -> tuple[str, ...]:
    if not batch.gains:
        return (str(batch.batch_rows), MISSING, MISSING, MISSING, MISSING)
    best = max(range(len(batch.gains)), key=lambda at: batch.gains[at].value)
    return (
        str(batch.batch_rows),
        _numbers(batch.paying) or "none",
        _break_even_cell(batch.break_even),
        bounds_cell(batch.gains[best], 2),
        str(best + FEWEST),
    )


def _padding_sentence(batch: PaddedBatch) -> str:
    start = f"Filled up to {batch.batch_rows} rows:"
    if not batch.gains:
        return f"{start} nothing to fill up, since one sequence alone is not."
    if not batch.paying:
        best = max(batch.gains, key=lambda gain: gain.value)
        return f"{start} padding never pays; at best a pass is {bounds_cell(best, 2)} times as cheap."
    return f"{start} padding pays with {_numbers(batch.paying)} unfinished sequences{_may(batch.break_even)}."


def _padding_data(batch: PaddedBatch) -> Mapping[str, Any]:
    gains = [{"unfinished": count, **asdict(gain)} for count, gain in enumerate(batch.gains, FEWEST)]
    return {
        "batch_rows": batch.batch_rows,
        "pays_with": list(batch.paying),
        "break_even": asdict(batch.break_even),
        "gains": gains,
    }


def _arguments_sentence(gains: ArgumentGains) -> str:
    subject, latency = f"{gains.schedule}'s {IN_WORDS[gains.latency]}", gains.break_even
    if latency.value is None:
        last = bounds_cell(gains.gains[-1], 2)
        return (
            f"{subject} is sooner than {RIVAL}'s never within range: with {len(gains.gains)} arguments, {last} times."
        )
    return f"{subject} is sooner than {RIVAL}'s from {_arguments(latency.value)} on{_may(latency)}."


def _arguments(count: int) -> str:
    return f"{count} argument{'' if count == 1 else 's'}"


def _may(point: BreakEven) -> str:
    """What errors leave open, where they leave something."""
    if point.low is None or (point.low == point.value == point.high):
        return ""
    sure = "nowhere for sure" if point.high is None else f"for sure from {point.high}"
    return f" (from {point.low} possibly, {sure})"


def _bus_sentence(found: SlowBus, within: BusRange) -> str:
    start = f"{found.schedule}'s {IN_WORDS[found.latency]} is {found.speedup:g} times sooner than constrained"
    unit = UNITS[within.axis]
    if found.value is None:
        reached = found.at_high.value >= found.speedup
        end, limit = (within.high, found.at_high) if reached else (within.low, found.at_low)
        where = "everywhere" if reached else "never"
        return f"{start} {where} within range: at {value_cell(end)} {unit} it is {bounds_cell(limit, 2)} times."
    bandwidth = "" if unit == "GB/s" else f", or {_range_cell(*(_gb_s(end, within) for end in _ends(found)))} GB/s"
    mark = f"; {found.outside_percent:.0f} % of the time there was never measured" if found.outside_percent else ""
    return f"{start} up to a bus of {_range_cell(*_ends(found))} {unit}{bandwidth}{mark}."


def _ends(found: SlowBus) -> tuple[float | None, float | None, float | None]:
    return found.value, found.low, found.high


def _gb_s(value: float | None, within: BusRange) -> float | None:
    return None if value is None else value * within.gb_s_per_unit


def _range_cell(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return MISSING
    return (
        value_cell(value)
        if low is None and high is None
        else f"{value_cell(value)} ({value_cell(low)}-{value_cell(high)})"
    )


def _break_even_cell(point: BreakEven) -> str:
    """`6 (5-7)`: from 5 it may pay, from 7 it does for sure."""
    return f"{value_cell(point.value)} ({value_cell(point.low)}-{value_cell(point.high)})"


def _numbers(counts: Sequence[int]) -> str:
    return ", ".join(map(str, counts))
