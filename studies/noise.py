"""How far the width of passes alone moves the margins of a workload's choices."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from studies.margins import OTHER_WIDTHS, Margin


@dataclass(frozen=True, slots=True)
class WidthNoise:
    """|margin at this width - margin in the reference| over all choices, in logits."""

    width: int
    median: float
    p95: float
    max: float


@dataclass(frozen=True, slots=True)
class Noise:
    """The same over all other widths; `reversed` counts the choices that some width decides otherwise."""

    choices: int
    reversed: int
    p95: float
    max: float
    widths: tuple[WidthNoise, ...]


def noise_of(choices: Iterable[Margin]) -> Noise:
    """The noise that `choices` show; zeros where there is none."""
    margins = tuple(choices)
    moved = {width: [abs(m.at_widths[width] - m.reference) for m in margins] for width in OTHER_WIDTHS}
    every = [movement for movements in moved.values() for movement in movements]
    return Noise(
        choices=len(margins),
        reversed=sum(margin.is_reversed for margin in margins),
        p95=_quantile(every, 0.95),
        max=_quantile(every, 1.0),
        widths=tuple(
            WidthNoise(width, _quantile(movements, 0.5), _quantile(movements, 0.95), _quantile(movements, 1.0))
            for width, movements in moved.items()
        ),
    )


def _quantile(values: Sequence[float], share: float) -> float:
    return float(np.quantile(values, share)) if values else 0.0
