"""A cost that grows in straight lines: for tests, and for devices known by a few numbers only."""

from dataclasses import dataclass
from math import isfinite
from typing import overload

import numpy as np

from cost_models.as_asked import as_asked
from cost_models.errors import CostModelError
from cost_models.pass_size import pass_size
from cost_models.protocol import BoolArray, FloatArray, NumberArray, Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class AffineCost:
    """`base_ms + row_ms * rows + pick_ms * picks + context_ms * context_tokens`, all in milliseconds.

    `base_ms` must be positive and the others not negative: CostModelError otherwise. It was never measured,
    so it covers everything.
    """

    base_ms: float
    row_ms: float
    pick_ms: float = 0.0
    context_ms: float = 0.0
    host_ms: float = 0.0

    def __post_init__(self) -> None:
        for name in ("base_ms", "row_ms", "pick_ms", "context_ms", "host_ms"):
            value = getattr(self, name)
            if not isfinite(value) or value < 0 or (name == "base_ms" and value == 0):
                raise CostModelError(f"{name}: found {value}, expected a finite number >= 0 (base_ms: > 0)")

    @overload
    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...

    @overload
    def pass_ms(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> FloatArray: ...

    def pass_ms(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> float | FloatArray:
        """Milliseconds of the pass; see CostModel."""
        size = pass_size(rows, picks, context_tokens)
        per_rows = self.base_ms + self.row_ms * size.rows
        cost = per_rows + self.pick_ms * size.picks + self.context_ms * size.context_tokens
        return as_asked(cost)

    @overload
    def covers(self, rows: float, picks: float, context_tokens: float) -> bool: ...

    @overload
    def covers(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> BoolArray: ...

    def covers(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> bool | BoolArray:
        """True for every pass."""
        size = pass_size(rows, picks, context_tokens)
        everywhere = np.ones(np.broadcast(size.rows, size.picks, size.context_tokens).shape, dtype=np.bool_)
        return as_asked(everywhere)
