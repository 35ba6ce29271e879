"""The cost of reading rows of a pass: the output layer runs over those alone."""

from typing import TypeVar

from cost_models.protocol import FloatArray

Picks = TypeVar("Picks", float, FloatArray)


def pick_curve_ms(picks: Picks, tile_rows: int, pick_ms: float, pick_tile_ms: float | None) -> Picks:
    """Milliseconds that `picks` cost beyond a single one; below zero for none.

    Each costs `pick_ms`, and each whole tile of `tile_rows` of them `pick_tile_ms` instead where that is given:
    kernels with a saw-tooth over rows have one over picks too (`cost_models.row_curve`).
    """
    if pick_tile_ms is None:
        return pick_ms * (picks - 1)
    return pick_ms * (picks % tile_rows - 1) + pick_tile_ms * (picks // tile_rows)
