"""How fast each schedule is over the same calls, beside constrained decoding and jump-forward, with errors."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.commands import Status
from engine.records import RunRecord
from engine.schedules import EXACT
from studies.comparison import LATENCIES, Agreement, Latency, ScheduleComparison, compare
from studies.estimates import Estimate, as_percent_more, paired_ratio
from studies.quantities import Quantity, geometric_mean
from studies.right_calls import RightCalls

JUMP_FORWARD = "jump_forward"
REFERENCES = ("constrained", JUMP_FORWARD)
"""The schedules that every other one is laid beside."""

DECIDING = "auto"
"""The schedule that is to be as fast as the best of the others."""

Times = Mapping[str, float]
"""Milliseconds by call."""


@dataclass(frozen=True, slots=True)
class ScheduleSpeed:
    """One schedule over the calls.

    `latency_ms` are geometric means over the repeats of a call, then over the calls. `times_faster` holds for each
    latency and reference that there is the reference's over the schedule's own: above 1 is faster. `same_calls` are
    those equal to jump-forward's in every run. `incomplete` are the calls of which a run was cut by the limit; they are
    in all means. `host_ms_per_pass` is all time outside passes over all passes.
    """

    schedule: str
    latency_ms: Mapping[Latency, float]
    times_faster: Mapping[Latency, Mapping[str, Estimate]]
    passes_per_call: float
    host_ms_per_pass: float
    same_calls: Agreement | None
    right_calls: RightCalls | None
    incomplete: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AgainstBest:
    """By how many percent `auto` is slower than the fastest of the other exact schedules; below 0 it is faster."""

    best: str
    slower_percent: Estimate


@dataclass(frozen=True, slots=True)
class Speed:
    """All schedules over the calls that each of them has; `left_out` are the other calls.

    `repeats` is the smallest and the largest number of runs of a call, None where none was measured. `against_best`
    is empty where there is no `auto`, or nothing to lay it beside.
    """

    call_ids: tuple[str, ...]
    left_out: tuple[str, ...]
    repeats: tuple[int, int] | None
    schedules: tuple[ScheduleSpeed, ...]
    against_best: Mapping[Latency, AgainstBest]

    def named(self, schedule: str) -> ScheduleSpeed | None:
        """The schedule called `schedule`, None where there is no run of it."""
        return next((each for each in self.schedules if each.schedule == schedule), None)


def speed_of(runs: Sequence[RunRecord]) -> Speed:
    """Lay schedules beside each other; all runs are measured, or all are simulated.

    The references come first, in their order. Raises InputError on runs that `compare` refuses.
    """
    comparison = compare(runs, JUMP_FORWARD)
    compared = set(comparison.call_ids)
    kept = [run for run in runs if run.call_id in compared]
    times = {latency: _times(kept, latency) for latency in LATENCIES}
    schedules = sorted(comparison.schedules, key=_place)
    return Speed(
        comparison.call_ids,
        comparison.left_out,
        comparison.repeats,
        tuple(_schedule_speed(each, times, kept) for each in schedules) if compared else (),
        {latency: found for latency in LATENCIES if (found := _against_best(times[latency]))},
    )


def _place(comparison: ScheduleComparison) -> int:
    name = comparison.schedule
    return REFERENCES.index(name) if name in REFERENCES else len(REFERENCES)


def _times(runs: Sequence[RunRecord], latency: Latency) -> Mapping[str, Times]:
    """A latency by schedule and call."""
    repeats: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        repeats[run.schedule][run.call_id].append(run.tool_start_ms if latency == "tool start" else run.final_ms)
    return {
        schedule: {call_id: geometric_mean(values) for call_id, values in calls.items()}
        for schedule, calls in repeats.items()
    }


def _schedule_speed(
    comparison: ScheduleComparison, times: Mapping[Latency, Mapping[str, Times]], runs: Sequence[RunRecord]
) -> ScheduleSpeed:
    name = comparison.schedule
    own = [run for run in runs if run.schedule == name]
    return ScheduleSpeed(
        schedule=name,
        latency_ms={latency: geometric_mean(times[latency][name].values()) for latency in LATENCIES},
        times_faster={latency: _times_faster(times[latency], name) for latency in LATENCIES},
        passes_per_call=_known(comparison.passes_per_call),
        host_ms_per_pass=sum(run.host_ms for run in own) / sum(len(run.passes) for run in own),
        same_calls=comparison.equal_calls,
        right_calls=comparison.right_calls,
        incomplete=tuple(dict.fromkeys(run.call_id for run in own if _is_cut(run))),
    )


def _times_faster(times: Mapping[str, Times], schedule: str) -> Mapping[str, Estimate]:
    return {name: paired_ratio(times[name], times[schedule]) for name in REFERENCES if name in times}


def _against_best(times: Mapping[str, Times]) -> AgainstBest | None:
    others = [name for name in EXACT if name in times and name != DECIDING]
    if DECIDING not in times or not others:
        return None
    best = min(others, key=lambda name: geometric_mean(times[name].values()))
    return AgainstBest(best, as_percent_more(paired_ratio(times[DECIDING], times[best])))


def _known(quantity: Quantity) -> float:
    """The mean of the one source that there is."""
    known = quantity.predicted if quantity.measured is None else quantity.measured
    return 0.0 if known is None else known


def _is_cut(run: RunRecord) -> bool:
    return run.emits[-1].status is Status.INCOMPLETE
