"""What is known of a chip before its timings, where these are too few to tell."""

from dataclasses import dataclass

import numpy as np

from cost_models.protocol import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Values of `cost_models.chip_unknowns.UNKNOWNS`, each with its standard deviation (infinite: nothing is known).

    `sigma` and `freedom` are those of the timings: what one is off by itself, and how well that is known.
    """

    solution: tuple[float, ...]
    spread: tuple[float, ...]
    sigma: float
    freedom: int

    def residuals(self, solution: FloatArray) -> FloatArray:
        """How far `solution` is from what is known, shape (4,), in units of a timing's error."""
        return np.asarray((solution - np.array(self.solution)) * self.sigma / np.array(self.spread))
