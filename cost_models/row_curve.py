"""The cost of a pass over its number of rows, between measured row counts and past them."""

from collections.abc import Sequence

import numpy as np

from cost_models.protocol import BoolArray, FloatArray


def row_curve_ms(
    rows: FloatArray, row_counts: Sequence[int], row_ms: Sequence[float], tile_rows: int, remainder_ms: float
) -> FloatArray:
    """Milliseconds of passes of `rows` rows, any shape, given that `row_counts` cost `row_ms`.

    Exact at each measured count. Elsewhere a pass is its whole tiles, on straight lines between one row and
    the measured multiples of the tile, plus `remainder_ms` for each row over. Kernels that multiply tiles of
    rows at once and single rows one by one cost this saw-tooth (llama.cpp, ggml-cpu repack: GEMM on whole
    tiles of 4, one GEMV per row over). A tile of one row makes it straight lines between all measured
    counts. Past the last whole tile the last slope goes on, and never falls.
    """
    counts, times = np.asarray(row_counts, dtype=np.float64), np.asarray(row_ms, dtype=np.float64)
    anchors = is_anchor(counts, tile_rows)
    start = tile_start(rows, tile_rows)
    estimate = _straight_lines(start, counts[anchors], times[anchors]) + remainder_ms * (rows - start)
    nearest = np.minimum(np.searchsorted(counts, rows), len(counts) - 1)
    return np.where(counts[nearest] == rows, times[nearest], estimate)


def is_anchor(counts: FloatArray, tile_rows: int) -> BoolArray:
    """Which row counts the straight lines go through: one row, and whole tiles."""
    anchors: BoolArray = (counts == 1) | (counts % tile_rows == 0)
    return anchors


def tile_start(rows: FloatArray, tile_rows: int) -> FloatArray:
    """The rows of a pass that its whole tiles hold; one where it has none."""
    return np.maximum(rows - rows % tile_rows, 1.0)


def _straight_lines(at: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    last_slope = max(float((y[-1] - y[-2]) / (x[-1] - x[-2])), 0.0)
    past: FloatArray = last_slope * np.maximum(at - x[-1], 0.0)
    return np.interp(at, x, y) + past
