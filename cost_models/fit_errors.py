"""How far off a fitted chip's figures, and what is predicted from them, may be."""

from dataclasses import asdict, dataclass
from math import exp, isfinite
from typing import Any

import numpy as np

from cost_models.chip import Chip
from cost_models.chip_unknowns import UNKNOWNS
from cost_models.errors import CostModelError
from cost_models.json_node import JsonNode
from cost_models.protocol import FloatArray

TOLD = 1e-9
"""A standard deviation below this is none: the timings say nothing of the figure."""
ROUNDING = 1e-5
"""Of a covariance's numbers as they are written, against their sum."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitErrors:
    """What a fit leaves open.

    `covariance`, 4 rows of 4, is that of `cost_models.chip_unknowns.UNKNOWNS`. `sigma` is what one pass size may be off
    by itself, as a standard deviation of the logarithm of its time: about a relative error. `table_sigma` is the same
    of the costs in a measured table, None where nothing better is known of them. `quantile` are the standard deviations
    from a prediction to the bounds of its 90 % interval (Student's t, for the fit's degrees of freedom). Raises
    CostModelError, starting with the field's name, on anything else.
    """

    covariance: tuple[tuple[float, ...], ...]
    sigma: float
    quantile: float
    table_sigma: float | None = None

    def __post_init__(self) -> None:
        count = len(UNKNOWNS)
        if len(self.covariance) != count or any(len(row) != count for row in self.covariance):
            raise CostModelError(f"covariance: found {self.covariance}, expected {count} rows of {count} numbers")
        if not _is_covariance(np.array(self.covariance)):
            raise CostModelError("covariance: expected that of 4 numbers: symmetric, and no variance below zero")
        for name in ("sigma", "quantile", "table_sigma"):
            value = getattr(self, name) or 0.0
            if not (isfinite(value) and value >= 0):
                raise CostModelError(f"{name}: found {value}, expected a finite number >= 0")

    def bounds(self, chip: Chip) -> dict[str, tuple[float, float]]:
        """The 90 % intervals of `chip`'s fitted figures by their names; those that the timings do not tell lack."""
        covariance = np.array(self.covariance)
        spreads: dict[str, float] = {name: _deviation(covariance, at) * self.quantile for name, at in _FIGURES.items()}
        return {name: _bounds(chip, name, spread) for name, spread in spreads.items() if spread > TOLD}

    def to_json(self) -> dict[str, Any]:
        """The errors as plain JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonNode) -> "FitErrors":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__)
        covariance = tuple(row.numbers() for row in at["covariance"].items())
        table = at["table_sigma"]
        return data.built(
            cls,
            covariance=covariance,
            sigma=at["sigma"].number(),
            quantile=at["quantile"].number(),
            table_sigma=None if table.value is None else table.number(),
        )


_FIGURES = {
    "bandwidth_gb_s": (1, 0, 0, 0),
    "gemv_gmac_s": (0, 1, 0, 0),
    "gemm_gmac_s": (0, 1, 1, 0),
    "overlap": (0, 0, 0, 1),
}
"""Each figure, or its logarithm, as a sum of unknowns."""


def _is_covariance(found: FloatArray) -> bool:
    if not (np.isfinite(found).all() and np.allclose(found, found.T)):
        return False
    return bool(np.linalg.eigvalsh(found).min() >= -ROUNDING * max(float(np.trace(found)), TOLD))


def _deviation(covariance: FloatArray, parts: tuple[int, ...]) -> float:
    at = np.array(parts, dtype=np.float64)
    return float(np.sqrt(np.maximum(at @ covariance @ at, 0.0)))


def _bounds(chip: Chip, name: str, spread: float) -> tuple[float, float]:
    if name == "overlap":
        return max(chip.overlap - spread, 0.0), min(chip.overlap + spread, 1.0)
    value, factor = float(getattr(chip, name)), exp(spread)
    return value / factor, value * factor
