"""Where the time of a call goes: its phases, what is outside passes, and what comes after the final call."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from engine.commands import Phase
from engine.records import PassRecord, RunRecord
from studies.quantities import Pair, Quantity

OUTSIDE = "outside passes"
"""The part of a call's time that is in no pass."""

AFTERWARDS = "after the final call"
"""The time of passes that bring the memory up to the final call once the tool has it: in no latency."""


@dataclass(frozen=True, slots=True)
class PartComparison:
    """The mean time per call that a schedule spends in one phase, or outside passes, and the passes it takes.

    The parts of a schedule, without the prompt and what comes after the final call, add up to the arithmetic mean of
    its final latency. A call without the phase counts as zero in the means, and is in no call error.
    """

    schedule: str
    part: str
    time_ms: Quantity
    passes_per_call: Quantity


def part_comparisons(schedule: str, pair: Pair) -> Iterator[PartComparison]:
    """Each part of the time that one schedule's runs have, in the order of the phases."""
    runs = [run for group in (pair.measured, pair.predicted) for some in group.values() for run in some]
    present = {record.command.phase for run in runs for record in _before_final(run)}
    for phase in Phase:
        if phase in present:
            yield _phase_comparison(schedule, phase, pair)
    if runs:
        yield PartComparison(schedule, OUTSIDE, pair.quantity(_outside_ms, fmean), Quantity(None, None))
    if any(_afterwards(run) for run in runs):
        yield PartComparison(
            schedule, AFTERWARDS, pair.quantity(_afterwards_ms, fmean), pair.quantity(_afterwards_count, fmean)
        )


def _phase_comparison(schedule: str, phase: Phase, pair: Pair) -> PartComparison:
    def time_ms(run: RunRecord) -> float:
        return sum(record.duration_ms for record in _before_final(run) if record.command.phase is phase)

    def passes(run: RunRecord) -> float:
        return sum(record.command.phase is phase for record in _before_final(run))

    return PartComparison(schedule, str(phase), pair.quantity(time_ms, fmean), pair.quantity(passes, fmean))


def _outside_ms(run: RunRecord) -> float:
    own = sum(record.duration_ms for record in _before_final(run) if record.command.phase is not Phase.PROMPT)
    return run.final_ms - own


def _before_final(run: RunRecord) -> list[PassRecord]:
    """The passes that the final call waited for."""
    return [record for record in run.passes if record.start_ms < run.emits[-1].at_ms]


def _afterwards(run: RunRecord) -> list[PassRecord]:
    return [record for record in run.passes if record.start_ms >= run.emits[-1].at_ms]


def _afterwards_ms(run: RunRecord) -> float:
    return sum(record.duration_ms for record in _afterwards(run))


def _afterwards_count(run: RunRecord) -> float:
    return len(_afterwards(run))
