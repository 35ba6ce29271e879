"""Whether a device's cost over rows is a saw-tooth, and with which tile, told from the costs alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cost_models.protocol import FloatArray
from cost_models.row_curve import is_anchor, row_curve_ms, tile_start

CANDIDATE_TILES = (1, 2, 4, 8, 16)
DENSE_UP_TO = 32
"""Beyond this, row counts are too far apart to tell a tooth from a bend."""
CLEARLY_BETTER = 0.5
"""A finer model must leave at most this share of the plain one's error."""
LEAST_GAIN = 0.001
"""A finer model must gain more than this (a fraction): of exact samples only rounding is left, which each processor
does in its own way."""


@dataclass(frozen=True, slots=True)
class TileEvidence:
    """How well a tile predicts each row count from the others.

    `error` is the mean absolute relative error over the dense row counts, each left out in turn.
    """

    tile_rows: int
    error: float


def find_tile(row_counts: Sequence[int], row_ms: Sequence[float], noise: float) -> tuple[int, tuple[TileEvidence, ...]]:
    """The tile in rows, and the evidence for every tile that the counts can tell about.

    Rule: 1 (no saw-tooth), unless the best other tile at least halves the leave-one-out error of straight
    lines and gains more than `noise`, by which a cell's median is off itself (a fraction), and than
    LEAST_GAIN. Among equals the smaller tile wins.
    """
    evidence = tuple(
        TileEvidence(tile, _left_out_error(row_counts, row_ms, tile))
        for tile in CANDIDATE_TILES
        if _can_tell(row_counts, tile)
    )
    straight, best = evidence[0], min(evidence, key=lambda item: (item.error, item.tile_rows))
    clear = best.error <= CLEARLY_BETTER * straight.error and straight.error - best.error > max(noise, LEAST_GAIN)
    return (best if clear else straight).tile_rows, evidence


def remainder_ms(row_counts: Sequence[int], row_ms: Sequence[float], tile_rows: int) -> float:
    """Milliseconds per row beyond the last whole tile: the median over counts that have such rows, or 0."""
    counts, times = np.asarray(row_counts, dtype=np.float64), np.asarray(row_ms, dtype=np.float64)
    anchors = is_anchor(counts, tile_rows)
    if anchors.all():
        return 0.0
    start = tile_start(counts, tile_rows)
    whole = row_curve_ms(start, list(counts[anchors]), list(times[anchors]), tile_rows, 0.0)
    per_row = (times - whole)[~anchors] / (counts - start)[~anchors]
    return max(float(np.median(per_row)), 0.0)


def _can_tell(row_counts: Sequence[int], tile: int) -> bool:
    """Whether two multiples of the tile are there, so that one may be left out."""
    return sum(count % tile == 0 for count in row_counts if 1 < count <= DENSE_UP_TO) >= 2


def _left_out_error(row_counts: Sequence[int], row_ms: Sequence[float], tile: int) -> float:
    dense = [i for i, count in enumerate(row_counts) if 1 < count <= DENSE_UP_TO]
    predicted = np.array([_predict_left_out(row_counts, row_ms, tile, i) for i in dense])
    measured: FloatArray = np.array([row_ms[i] for i in dense])
    return float(np.mean(np.abs(predicted / measured - 1.0)))


def _predict_left_out(row_counts: Sequence[int], row_ms: Sequence[float], tile: int, left_out: int) -> float:
    counts = [count for i, count in enumerate(row_counts) if i != left_out]
    times = [ms for i, ms in enumerate(row_ms) if i != left_out]
    rows = np.array(float(row_counts[left_out]))
    return float(row_curve_ms(rows, counts, times, tile, remainder_ms(counts, times, tile)))
