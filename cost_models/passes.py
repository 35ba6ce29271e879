"""Passes of calls, as arrays."""

from dataclasses import dataclass

import numpy as np

from cost_models.errors import CostModelError
from cost_models.protocol import FloatArray, NumberArray


@dataclass(frozen=True, slots=True, eq=False)
class Passes:
    """Passes one after the other, all of shape (passes,).

    `rows`, `picks` and `context_tokens` as in CostModel; `calls` numbers the call that each belongs to from 0 on, with
    no number left out (None: all belong to one). Raises CostModelError where shapes differ or there is no pass.
    """

    rows: NumberArray
    picks: NumberArray
    context_tokens: NumberArray
    calls: NumberArray | None = None

    def __post_init__(self) -> None:
        shapes = {np.shape(each) for each in (self.rows, self.picks, self.context_tokens, self.call_of)}
        if len(shapes) > 1 or len(np.shape(self.rows)) != 1:
            raise CostModelError(f"passes: found arrays of shapes {sorted(shapes)}, expected one shape (passes,)")
        if not len(self.rows):
            raise CostModelError("no passes; expected one or more")
        if np.bincount(self.call_of).min() == 0:
            raise CostModelError("calls: a call has no pass; expected numbers from 0 on with none left out")

    @property
    def call_of(self) -> NumberArray:
        """Each pass's call."""
        return np.zeros(len(self.rows), dtype=np.int64) if self.calls is None else self.calls

    def means(self, pass_ms: FloatArray) -> tuple[float, FloatArray]:
        """The logarithm of the geometric mean over calls of their times, and how it grows with each pass's time.

        `pass_ms`, shape (passes,), are the passes' times; the second, of the same shape, is by milliseconds.
        """
        totals = np.bincount(self.call_of, weights=pass_ms)
        return float(np.mean(np.log(totals))), 1.0 / (len(totals) * totals[self.call_of])
