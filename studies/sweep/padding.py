"""When filling a pass up to a whole batch pays: what it costs with as many rows as sequences, and padded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cost_models.conditions import Conditions
from cost_models.device import Device
from cost_models.passes import Passes
from studies.sweep.bounds import Bounds
from studies.sweep.break_even_point import BreakEven, break_even

FEWEST = 2
"""Unfinished sequences: one alone is decoded without padding (paper, section 4.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaddedBatch:
    """Batches of `batch_rows` rows: `gains` are how many times cheaper a padded pass is, with `FEWEST` unfinished
    sequences, one more, and so on up to one less than the batch has, or to as many as were asked for. In
    `is_extrapolated` some pass of these was never measured, in its size or under its conditions."""

    batch_rows: int
    gains: tuple[Bounds, ...]
    is_extrapolated: bool

    @property
    def break_even(self) -> BreakEven:
        """From how many unfinished sequences on padding pays."""
        return break_even(self.gains, FEWEST)

    @property
    def paying(self) -> tuple[int, ...]:
        """All numbers of unfinished sequences with which it pays; there may be gaps where a batch is several tiles."""
        return tuple(count for count, gain in enumerate(self.gains, FEWEST) if gain.value > 1)


def padded_batch(
    device: Device, conditions: Conditions, batch_rows: int, most_sequences: int, context_tokens: int
) -> PaddedBatch:
    """The gains on `device` under `conditions` at a context of so many tokens; each sequence is picked from.

    Padding rows are not. The host's time is in both costs.
    """
    cost = device.cost(conditions).model
    counts = range(FEWEST, min(batch_rows - 1, most_sequences) + 1)
    sizes = [(rows, count, context_tokens) for count in counts for rows in (count, batch_rows)]
    return PaddedBatch(
        batch_rows=batch_rows,
        gains=tuple(_gain(device, conditions, count, batch_rows, context_tokens) for count in counts),
        is_extrapolated=not all(cost.covers(*size) for size in sizes),
    )


def stops_paying(batches: Sequence[PaddedBatch]) -> int | None:
    """The batch width from which on, among `batches` in rising order, padding pays with no number of sequences."""
    idle = [not batch.paying for batch in batches]
    if not idle or not idle[-1]:
        return None
    first = max((at + 1 for at, is_idle in enumerate(idle) if not is_idle), default=0)
    return batches[first].batch_rows


def best_batches(batches: Sequence[PaddedBatch]) -> Mapping[int, int | None]:
    """By number of unfinished sequences, the batch that is cheapest to fill up to; None where none pays."""
    counts = range(FEWEST, FEWEST + max(len(batch.gains) for batch in batches))
    return {count: _best_batch(batches, count) for count in counts}


def _best_batch(batches: Sequence[PaddedBatch], count: int) -> int | None:
    gains = {batch.batch_rows: batch.gains[count - FEWEST].value for batch in batches if count in batch.paying}
    return max(gains, key=gains.__getitem__, default=None)


def _gain(device: Device, conditions: Conditions, count: int, batch_rows: int, context_tokens: int) -> Bounds:
    narrow, padded = (_one_pass(rows, count, context_tokens) for rows in (count, batch_rows))
    if device.errors is None:
        cost = device.cost(conditions).model
        narrow_ms, padded_ms = (
            cost.host_ms + float(cost.pass_ms(rows, count, context_tokens)) for rows in (count, batch_rows)
        )
        return Bounds(narrow_ms / padded_ms)
    found = device.ratio_interval(padded, narrow, conditions)
    return Bounds(float(found.value), float(found.low), float(found.high))


def _one_pass(rows: int, picks: int, context_tokens: int) -> Passes:
    return Passes(np.array([rows]), np.array([picks]), np.array([context_tokens]))
