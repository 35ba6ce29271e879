"""Those of a chip's figures that timed passes tell, as the numbers that a fit works with."""

from dataclasses import replace

import numpy as np

from cost_models.chip import Chip
from cost_models.protocol import FloatArray

UNKNOWNS = ("log bandwidth_gb_s", "log gemv_gmac_s", "log of gemm_gmac_s over gemv_gmac_s", "overlap")
"""In the order of every solution and covariance. Logs, since errors of rates are relative."""


def unknowns(chip: Chip) -> FloatArray:
    """The chip's values of UNKNOWNS, shape (4,)."""
    ratio = chip.gemm_gmac_s / chip.gemv_gmac_s
    return np.array([*np.log([chip.bandwidth_gb_s, chip.gemv_gmac_s, ratio]), chip.overlap])


def within(chip: Chip, solution: FloatArray) -> FloatArray:
    """The values of UNKNOWNS nearest to `solution` that a chip with this one's tile can have."""
    highest = np.array([np.inf, np.inf, np.log(chip.tile_rows), 1.0])
    return np.clip(solution, [-np.inf, -np.inf, -np.inf, 0.0], highest)


def with_unknowns(chip: Chip, solution: FloatArray) -> Chip:
    """The chip with these values of UNKNOWNS, kept within what a chip can have."""
    log_bandwidth, log_gemv, log_ratio, overlap = solution.tolist()
    gemv = float(np.exp(log_gemv))
    return replace(
        chip,
        bandwidth_gb_s=float(np.exp(log_bandwidth)),
        gemv_gmac_s=gemv,
        gemm_gmac_s=min(gemv * float(np.exp(log_ratio)), gemv * chip.tile_rows),
        overlap=min(max(overlap, 0.0), 1.0),
    )
