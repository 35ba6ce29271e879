"""How far a share of counted calls may be from the one in the long run."""

from scipy.stats import binomtest

CONFIDENCE = 0.95


def wilson_percent(count: int, of: int) -> tuple[float, float]:
    """Wilson's interval at 95 % of the share `count` out of `of`, in percent; `of` is 1 or more."""
    interval = binomtest(count, of).proportion_ci(CONFIDENCE, method="wilson")
    return 100 * float(interval.low), 100 * float(interval.high)
