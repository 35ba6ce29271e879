"""What every cost model answers: how long a forward pass takes."""

from collections.abc import Hashable
from typing import Any, Protocol, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
NumberArray: TypeAlias = NDArray[np.integer[Any] | np.floating[Any]]
Numbers: TypeAlias = float | NumberArray


class CostModel(Hashable, Protocol):
    """The time of a forward pass on one device, in milliseconds.

    A pass is three whole numbers: its `rows`, how many of them are read (`picks`), and the `context_tokens`
    that its longest sequence holds after it; a pass over several short sequences has more rows than those. They
    must satisfy `rows >= 1`, `0 <= picks <= rows` and `context_tokens >= 1`; other values raise CostModelError.
    Numbers give a number. Arrays broadcast, and give an array of their common shape.
    """

    @property
    def host_ms(self) -> float:
        """Time per pass outside the forward pass, in milliseconds; never negative."""
        ...

    @overload
    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...

    @overload
    def pass_ms(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> FloatArray: ...

    def pass_ms(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> float | FloatArray:
        """Milliseconds of the forward pass, always positive and finite."""
        ...

    @overload
    def covers(self, rows: float, picks: float, context_tokens: float) -> bool: ...

    @overload
    def covers(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> BoolArray: ...

    def covers(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> bool | BoolArray:
        """False where the model extrapolates past what was measured."""
        ...
