"""The share of calls that are right by the workload's own rules, with an interval."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.records import RunRecord
from studies.wilson import wilson_percent


@dataclass(frozen=True, slots=True)
class RightCalls:
    """How many of the judged calls are right, and the ids of those that are wrong.

    `low_percent` and `high_percent` bound the share that the workload's kind of calls has in the long run: Wilson's
    interval at 95 %, over calls. Repeats are no further calls: a call is right where each of its runs is.
    """

    right: int
    of: int
    percent: float
    low_percent: float
    high_percent: float
    wrong: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.percent:.1f} ({self.low_percent:.0f} to {self.high_percent:.0f})"


def right_calls(runs_of_calls: Mapping[str, Sequence[RunRecord]]) -> RightCalls | None:
    """Count the right calls among those whose every run was judged; None where there is no such call."""
    judged = {
        name: runs for name, runs in runs_of_calls.items() if runs and all(run.is_right is not None for run in runs)
    }
    if not judged:
        return None
    wrong = tuple(name for name, runs in judged.items() if not all(run.is_right for run in runs))
    right, of = len(judged) - len(wrong), len(judged)
    return RightCalls(right, of, 100 * right / of, *wilson_percent(right, of), wrong)
