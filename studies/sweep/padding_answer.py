"""When padding pays, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from studies.sweep.answer import Answer
from studies.sweep.break_even_point import BreakEven, in_brackets
from studies.sweep.outcome_table import OUTSIDE_MARK, bounds_cell
from studies.sweep.padding import FEWEST, PaddedBatch, best_batches, stops_paying
from studies.text_table import MISSING, Table

HEADERS = ("rows of a batch", "padding pays with", "pays from", "best gain", "with")


def padding_answer(batches: Sequence[PaddedBatch], most_sequences: int) -> Answer:
    """When padding pays, for batch widths in rising order and at most so many unfinished sequences."""
    stops, best = stops_paying(batches), best_batches(batches)
    data = {
        "most_sequences": most_sequences,
        "stops_paying_at_rows": stops,
        "best_batch_rows": {str(count): rows for count, rows in best.items()},
        "batches": [_data(batch) for batch in batches],
    }
    whole = (_stops_sentence(stops, batches[-1].batch_rows, most_sequences), *_best_sentence(best))
    table = Table(HEADERS, tuple(_row(batch) for batch in batches), label_columns=2)
    return Answer(sentences=(*whole, *map(_sentence, batches)), table=table, data=data)


def _stops_sentence(stops: int | None, widest_rows: int, most_sequences: int) -> str:
    start = f"With at most {most_sequences} unfinished sequences padding"
    if stops is None:
        return f"{start} pays at the widest batch that was looked at, {widest_rows} rows."
    return f"{start} stops paying at all from {stops} rows on."


def _best_sentence(best: Mapping[int, int | None]) -> tuple[str, ...]:
    if not best:
        return ()
    cells = (f"{count} to {'none' if rows is None else rows}" for count, rows in best.items())
    return (f"Cheapest is to fill unfinished sequences up, {', '.join(cells)}.",)


def _sentence(batch: PaddedBatch) -> str:
    start = f"Filled up to {batch.batch_rows} rows:"
    if not batch.gains:
        return f"{start} nothing to fill up, since a sequence alone is not."
    if not batch.paying:
        best = max(batch.gains, key=lambda gain: gain.value)
        return f"{start} padding never pays; at best a pass is {bounds_cell(best, 2)} times as cheap."
    open_ends = in_brackets(batch.break_even)
    return f"{start} padding pays with {_numbers(batch.paying)} unfinished sequences{open_ends}."


def _row(batch: PaddedBatch) -> tuple[str, ...]:
    if not batch.gains:
        return (str(batch.batch_rows), *[MISSING] * (len(HEADERS) - 1))
    best = max(range(len(batch.gains)), key=lambda at: batch.gains[at].value)
    return (
        f"{batch.batch_rows}{OUTSIDE_MARK if batch.is_extrapolated else ''}",
        _numbers(batch.paying) or "none",
        _break_even_cell(batch.break_even),
        bounds_cell(batch.gains[best], 2),
        str(best + FEWEST),
    )


def _data(batch: PaddedBatch) -> Mapping[str, Any]:
    return {
        "batch_rows": batch.batch_rows,
        "is_extrapolated": batch.is_extrapolated,
        "pays_with": list(batch.paying),
        "break_even": asdict(batch.break_even),
        "gains": [{"unfinished": count, **asdict(gain)} for count, gain in enumerate(batch.gains, FEWEST)],
    }


def _break_even_cell(point: BreakEven) -> str:
    """`6 (5-7)`: from 5 it may pay, from 7 it does for sure."""
    value, low, high = ("none" if end is None else str(end) for end in (point.value, point.low, point.high))
    return value if low == high == "none" else f"{value} ({low}-{high})"


def _numbers(counts: Sequence[int]) -> str:
    return ", ".join(map(str, counts))
