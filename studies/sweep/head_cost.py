"""What a draft head's passes cost where only its size is known."""

from dataclasses import dataclass
from typing import overload

import numpy as np

from cost_models import CostModel
from cost_models.as_asked import as_asked
from cost_models.protocol import BoolArray, FloatArray, NumberArray, Numbers


@dataclass(frozen=True, slots=True)
class HeadCost:
    """A `share` of what the model's own pass of that size costs: about the head's part of the weights."""

    model: CostModel
    share: float

    @property
    def host_ms(self) -> float:
        """As long as the model's own."""
        return self.model.host_ms

    @overload
    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...

    @overload
    def pass_ms(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> FloatArray: ...

    def pass_ms(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> float | FloatArray:
        """Milliseconds of the pass; see CostModel."""
        cost = self.share * np.asarray(self.model.pass_ms(np.asarray(rows), picks, context_tokens))
        return as_asked(cost)

    @overload
    def covers(self, rows: float, picks: float, context_tokens: float) -> bool: ...

    @overload
    def covers(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> BoolArray: ...

    def covers(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> bool | BoolArray:
        """Nothing: no head was measured."""
        covered = np.zeros(np.broadcast(rows, picks, context_tokens).shape, dtype=np.bool_)
        return as_asked(covered)
