"""A fitted chip as a device's figures."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

from cost_models.chip import Chip
from cost_models.figure import Figure
from cost_models.fit_errors import FitErrors

FITTED = ("bandwidth_gb_s", "gemv_gmac_s", "gemm_gmac_s", "overlap")
"""Those that timings tell."""
DIGITS = 6
"""That count; far more than a fit tells."""


def chip_figures(chip: Chip, sources: Mapping[str, str]) -> tuple[Figure, ...]:
    """The figures of `chip` that `sources` has a sentence for, as far as they are known and finite."""
    values = {name: getattr(chip, name) for name in sources}
    return tuple(
        Figure(name=name, value=_digits(value), source=sources[name])
        for name, value in values.items()
        if value is not None and isfinite(value)
    )


def rounded(errors: FitErrors) -> FitErrors:
    """`errors` with so many digits as are written."""
    covariance = tuple(tuple(_digits(value) for value in row) for row in errors.covariance)
    return replace(errors, covariance=covariance, sigma=_digits(errors.sigma), quantile=_digits(errors.quantile))


def _digits(value: float) -> float:
    return float(f"{round(value, 12):.{DIGITS}g}") if isinstance(value, float) else value
