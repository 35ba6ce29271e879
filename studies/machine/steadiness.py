"""How steady the machine was while it was measured, and what that lets a study say.

A prediction from one hour cannot be held against runs of another in which the machine was half as fast. So each run has
passes of one row right before it, and these are laid beside what the calibration says of such passes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cost_models import CostModel, ErrorSummary
from engine.records import RunRecord
from studies.comparison import Comparison
from studies.fitting import Fitted
from studies.quantities import Quantity

WIDEST_DRIFT = 0.2
"""How far runs may be from the calibration, as a fraction of a pass of one row; quiet shared machines move by 0.15."""

WIDEST_SWING = 1.6
"""How far P90 of such passes may be above P10: a quiet shared machine has up to 1.4, a busy one 2 to 100."""

WIDEST_SPREAD = 0.25
"""How far the calibration's own repeats may be apart: the median over cells of their mean deviation."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """Passes of one row before the runs, over what the calibration says of them.

    `slowness` is the median of these ratios, `low` and `high` are P10 and P90, `runs` is how many there are.
    `calibration_spread` is how far the calibration's repeats are apart, as `FitSummary.repeat_spread`.
    """

    slowness: float
    low: float
    high: float
    runs: int
    calibration_spread: float

    @property
    def is_steady(self) -> bool:
        """Whether times that were measured then can be held against the calibration."""
        return (
            abs(self.slowness - 1) <= WIDEST_DRIFT
            and self.high / self.low <= WIDEST_SWING
            and self.calibration_spread <= WIDEST_SPREAD
        )


def steadiness(runs: Iterable[RunRecord], cost: CostModel, calibration_spread: float) -> Steadiness | None:
    """How steady the machine was over those `runs` that have a serial pass; None where none has.

    Prompts of a length that the costs do not cover tell nothing of it.
    """
    ratios = [
        run.serial_ms / cost.pass_ms(1, 1, run.reused_tokens + 1)
        for run in runs
        if run.serial_ms is not None and cost.covers(1, 1, run.reused_tokens + 1)
    ]
    if not ratios:
        return None
    low, middle, high = (float(value) for value in np.quantile(ratios, (0.1, 0.5, 0.9)))
    return Steadiness(middle, low, high, len(ratios), calibration_spread)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a study may claim: its verdict in sentences, and whether its times mean anything."""

    verdict: tuple[str, ...]
    is_steady: bool


def judge(comparison: Comparison, runs: Iterable[RunRecord], fitted: Fitted) -> Judgement:
    """What `runs`, laid beside each other in `comparison`, say of predictions by the fit."""
    summary = fitted.report.summary
    found = steadiness(runs, fitted.profile.table, summary.repeat_spread)
    return Judgement(verdict(comparison, summary.held_out, found), found is not None and found.is_steady)


def verdict(comparison: Comparison, held_out: ErrorSummary, found: Steadiness | None) -> tuple[str, ...]:
    """What the study shows, in sentences: first whether its times mean anything, then how good the predictions are."""
    if found is None:
        return ("No run says how fast the machine was just then, so nobody knows whether its times mean anything.",)
    if not found.is_steady:
        return (_busy_sentence(found),)
    steady = (
        f"The machine was steady: a pass of one row before a run took {found.slowness:.2f} times what the calibration "
        f"says, {found.low:.2f} to {found.high:.2f} in 80 % of {found.runs} runs."
    )
    fit = (
        f"Pass sizes that the fit did not see are predicted to {held_out.mean:.1%} in the mean, "
        f"{held_out.p90:.1%} at P90."
    )
    return (steady, fit, *_prediction_sentences(comparison))


def _busy_sentence(found: Steadiness) -> str:
    return (
        "The machine was busy during the runs or during the calibration: run again when nothing else runs. A pass of "
        f"one row before a run took {found.slowness:.2f} times what the calibration says, {found.low:.2f} to "
        f"{found.high:.2f} in 80 % of {found.runs} runs, and the calibration's own repeats are "
        f"{found.calibration_spread:.0%} apart. Such times say nothing of the predictions."
    )


def _prediction_sentences(comparison: Comparison) -> tuple[str, ...]:
    """For each latency, which schedules are predicted within the machine's own variation from run to run."""
    starts = [(each.schedule, each.tool_start_ms) for each in comparison.schedules]
    finals = [(each.schedule, each.final_ms) for each in comparison.schedules]
    return (_sentence("tool start", starts), _sentence("final call", finals))


def _sentence(latency: str, quantities: Sequence[tuple[str, Quantity]]) -> str:
    known = [(name, each.bias_percent, each.spread_percent) for name, each in quantities]
    judged = [(name, bias, spread) for name, bias, spread in known if bias is not None and spread is not None]
    if not judged:
        return f"The mean {latency} cannot be judged: it takes measured runs, repeated, and simulated ones."
    outside = [f"{name} ({bias:+.1f} %, varies by {own:.1f} %)" for name, bias, own in judged if abs(bias) > own]
    biases = [bias for _, bias, _ in judged]
    predicted = f"The mean {latency} is predicted with a bias of {min(biases):+.1f} to {max(biases):+.1f} %"
    if not outside:
        return f"{predicted}, inside what single runs of a call vary by for all schedules."
    return (
        f"{predicted}, inside what single runs of a call vary by for {len(judged) - len(outside)} of {len(judged)} "
        f"schedules, outside it for {', '.join(outside)}."
    )
