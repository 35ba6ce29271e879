"""How far off a profile's table is, next to how much the device itself varies."""

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from cost_models.errors import CostModelError
from cost_models.json_node import JsonNode


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSummary:
    """Relative errors (predicted / measured - 1) over a set of cells, as fractions.

    `mean`, `median`, `p90` and `worst` are of absolute values; `bias` is the mean with its sign: above zero
    the predictions are too slow. With no cells all are zero.
    """

    cells: int
    mean: float
    median: float
    p90: float
    worst: float
    bias: float

    def __post_init__(self) -> None:
        if self.cells < 0:
            raise CostModelError(f"cells: found {self.cells}, expected a whole number >= 0")
        for name in ("mean", "median", "p90", "worst"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise CostModelError(f"{name}: found {getattr(self, name)}, expected a finite number >= 0")
        if not isfinite(self.bias):
            raise CostModelError(f"bias: found {self.bias}, expected a finite number")

    @classmethod
    def from_json(cls, data: JsonNode) -> "ErrorSummary":
        """Raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__)
        numbers = {name: at[name].number() for name in ("mean", "median", "p90", "worst", "bias")}
        return data.built(cls, cells=at["cells"].whole(), **numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSummary:
    """A fit's errors on cells it never saw (`held_out`) and on its own, beside the device's `repeat_spread`.

    `repeat_spread` is the median over cells of the mean absolute deviation between repeats, as a fraction.
    """

    held_out: ErrorSummary
    in_sample: ErrorSummary
    repeat_spread: float

    def __post_init__(self) -> None:
        if not 0 <= self.repeat_spread < float("inf"):
            raise CostModelError(f"repeat_spread: found {self.repeat_spread}, expected a finite number >= 0")

    def to_json(self) -> dict[str, Any]:
        """The summary as plain JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonNode) -> "FitSummary":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__)
        return data.built(
            cls,
            held_out=ErrorSummary.from_json(at["held_out"]),
            in_sample=ErrorSummary.from_json(at["in_sample"]),
            repeat_spread=at["repeat_spread"].number(),
        )
