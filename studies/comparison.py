"""Measured runs beside predicted ones: latencies, errors, speed-ups, and whether both did the same."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median, stdev
from typing import Any, Literal, get_args

import numpy as np

from engine.commands import Phase
from engine.errors import InputError
from engine.records import MEASURED, SIMULATED, PassRecord, RunRecord
from studies.frames import check_run
from studies.right_calls import RightCalls, right_calls

Latency = Literal["tool start", "final call"]
LATENCIES: tuple[Latency, ...] = get_args(Latency)

BASELINE = "constrained"
"""The schedule that speed-ups and equal calls are counted against."""

OUTSIDE = "outside passes"
"""The part of a call's time that is in no pass."""

AFTERWARDS = "after the final call"
"""The time of passes that bring the memory up to the final call once the tool has it: in no latency."""


@dataclass(frozen=True, slots=True)
class CallErrors:
    """How far predictions are from measured medians, per call: |predicted - measured| / measured, in %."""

    mean_percent: float
    median_percent: float
    p90_percent: float


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity over the compared calls; a field is None where a source is missing.

    `spread_percent` is the machine's own spread from repeat to repeat: the coefficient of variation (sample
    standard deviation over mean) of each call's repeats, and of those the median over calls, so that neither
    the number of repeats nor one disturbed call moves it. None where no call was repeated.
    """

    measured: float | None
    predicted: float | None
    errors: CallErrors | None = None
    spread_percent: float | None = None

    @property
    def bias_percent(self) -> float | None:
        """How much too high (positive) or too low the predicted mean is; None without a measured one."""
        if self.measured is None or self.predicted is None or self.measured == 0:
            return None
        return 100 * (self.predicted / self.measured - 1)


@dataclass(frozen=True, slots=True)
class Agreement:
    """On how many of the compared calls two things are the same, and the ids of the others."""

    same: int
    of: int
    differing: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.same} of {self.of}"


@dataclass(frozen=True, slots=True)
class ScheduleComparison:
    """One schedule over the compared calls.

    `tool_start_ms` and `final_ms` are geometric means over the repeats of a call, then over the calls; a
    speed-up is the ratio of two such means, the baseline's above. `passes_per_call` counts passes after the
    prompt's. `host_ms_per_pass` is the time outside passes over all passes of a run. `equal_calls`: every run
    of the call ends with the same call as every run of the baseline, the measured runs where there are any.
    `same_passes`: every measured run has the simulated run's passes after the prompt, row for row. `right_calls` are
    by the workload's own rules, over the measured runs where there are any; None where no call was judged.
    """

    schedule: str
    tool_start_ms: Quantity
    tool_start_speedup: Quantity
    final_ms: Quantity
    final_speedup: Quantity
    passes_per_call: Quantity
    host_ms_per_pass: Quantity
    equal_calls: Agreement | None
    same_passes: Agreement | None
    right_calls: RightCalls | None


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


@dataclass(frozen=True, slots=True)
class CallComparison:
    """One call under one schedule: medians over the repeats of the latency to tool start, and their range."""

    call_id: str
    schedule: str
    measured_ms: float
    measured_low_ms: float
    measured_high_ms: float
    predicted_ms: float

    @property
    def error_percent(self) -> float:
        """How much too high (positive) or too low the prediction is."""
        return 100 * (self.predicted_ms / self.measured_ms - 1)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a study says about its schedules.

    `call_ids` are the compared calls: those that every schedule has in every source it has at all. `left_out`
    are the others. `repeats` is the smallest and the largest number of measured runs of a compared call, None
    without any.
    """

    baseline: str
    call_ids: tuple[str, ...]
    left_out: tuple[str, ...]
    repeats: tuple[int, int] | None
    schedules: tuple[ScheduleComparison, ...]
    parts: tuple[PartComparison, ...]
    calls: tuple[CallComparison, ...]


Group = Mapping[str, Sequence[RunRecord]]
"""The runs of one schedule in one source, by call."""

Mean = Callable[[Iterable[float]], float]


@dataclass(frozen=True, slots=True)
class _Pair:
    """The runs of one schedule in both sources, cut down to the compared calls."""

    measured: Group
    predicted: Group

    def quantity(self, value: Callable[[RunRecord], float], mean: Mean) -> Quantity:
        return Quantity(
            _mean_over_calls(self.measured, value, mean),
            _mean_over_calls(self.predicted, value, mean),
            _call_errors(self, value),
            _spread_percent(self.measured, value),
        )


def compare(runs: Iterable[RunRecord], baseline: str = BASELINE) -> Comparison:
    """Lay the measured runs of each schedule beside its simulated ones.

    Schedules come in the order of their first run, the baseline first. Without the baseline its ratios are
    None. Raises InputError on a run that cannot be compared: of another source, without a pass or an
    emission, with a latency that is not above 0, or with the same call, schedule, source and repeat as
    another.
    """
    groups = _groups(runs)
    call_ids, left_out = _common_calls(groups)
    schedules = sorted(dict.fromkeys(schedule for schedule, _ in groups), key=lambda name: name != baseline)
    pairs = {schedule: _pair(groups, schedule, call_ids) for schedule in schedules}
    base = pairs.get(baseline, _Pair({}, {}))
    return Comparison(
        baseline,
        call_ids,
        left_out,
        _repeats(pairs.values()),
        tuple(_schedule_comparison(schedule, pair, base) for schedule, pair in pairs.items()),
        tuple(part for schedule, pair in pairs.items() for part in _part_comparisons(schedule, pair)),
        tuple(call for schedule, pair in pairs.items() for call in _call_comparisons(schedule, pair)),
    )


def to_json(comparison: Comparison) -> dict[str, Any]:
    """`comparison` as plain JSON data: its fields, and beside each quantity and call its signed error."""
    data: dict[str, Any] = _plain(asdict(comparison))
    for call, row in zip(comparison.calls, data["calls"], strict=True):
        row["error_percent"] = call.error_percent
    return data


def _plain(data: Any) -> Any:
    """`data` with lists for tuples, and with the bias of each quantity."""
    if isinstance(data, list | tuple):
        return [_plain(item) for item in data]
    if not isinstance(data, dict):
        return data
    plain = {key: _plain(item) for key, item in data.items()}
    if plain.keys() >= {"measured", "predicted"}:
        plain["bias_percent"] = Quantity(plain["measured"], plain["predicted"]).bias_percent
    return plain


def _groups(runs: Iterable[RunRecord]) -> dict[tuple[str, str], dict[str, list[RunRecord]]]:
    groups: dict[tuple[str, str], dict[str, list[RunRecord]]] = defaultdict(lambda: defaultdict(list))
    seen: set[tuple[str, str, str, int]] = set()
    for run in runs:
        key = (run.call_id, run.schedule, run.source, run.repeat)
        if key in seen:
            raise InputError(f"two {run.source} runs {run.repeat} of {run.call_id!r} by {run.schedule!r}")
        seen.add(key)
        groups[run.schedule, run.source][run.call_id].append(_timed(check_run(run)))
    return groups


def _timed(run: RunRecord) -> RunRecord:
    # A geometric mean has no place for zero, and nothing decodes a call in no time.
    if not (run.tool_start_ms > 0 and run.final_ms > 0):
        raise InputError(f"a {run.source} run of {run.call_id!r} by {run.schedule!r} took no time")
    return run


def _common_calls(groups: Mapping[tuple[str, str], Group]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    every = dict.fromkeys(call_id for group in groups.values() for call_id in group)
    common = tuple(call_id for call_id in every if all(call_id in group for group in groups.values()))
    return common, tuple(call_id for call_id in every if call_id not in common)


def _pair(groups: Mapping[tuple[str, str], Group], schedule: str, call_ids: Sequence[str]) -> _Pair:
    def cut(source: str) -> Group:
        group = groups.get((schedule, source), {})
        return {call_id: group[call_id] for call_id in call_ids} if group else {}

    return _Pair(cut(MEASURED), cut(SIMULATED))


def _repeats(pairs: Iterable[_Pair]) -> tuple[int, int] | None:
    counts = [len(runs) for pair in pairs for runs in pair.measured.values()]
    return (min(counts), max(counts)) if counts else None


def _schedule_comparison(schedule: str, pair: _Pair, base: _Pair) -> ScheduleComparison:
    tool_start_ms = pair.quantity(_tool_start_ms, geometric_mean)
    final_ms = pair.quantity(_final_ms, geometric_mean)
    return ScheduleComparison(
        schedule,
        tool_start_ms,
        _speedup(base.quantity(_tool_start_ms, geometric_mean), tool_start_ms),
        final_ms,
        _speedup(base.quantity(_final_ms, geometric_mean), final_ms),
        pair.quantity(_pass_count, fmean),
        pair.quantity(_host_ms_per_pass, fmean),
        _equal_calls(pair, base),
        _same_passes(pair),
        right_calls(pair.measured or pair.predicted),
    )


def _tool_start_ms(run: RunRecord) -> float:
    return run.tool_start_ms


def _final_ms(run: RunRecord) -> float:
    return run.final_ms


def _pass_count(run: RunRecord) -> float:
    return len(run.call_passes)


def _host_ms_per_pass(run: RunRecord) -> float:
    return run.host_ms / len(run.passes)


def geometric_mean(values: Iterable[float]) -> float:
    """The geometric mean of one or more positive `values`."""
    return math.exp(fmean(map(math.log, values)))


def _mean_over_calls(group: Group, value: Callable[[RunRecord], float], mean: Mean) -> float | None:
    return mean([mean([value(run) for run in runs]) for runs in group.values()]) if group else None


def _speedup(base: Quantity, own: Quantity) -> Quantity:
    return Quantity(_ratio(base.measured, own.measured), _ratio(base.predicted, own.predicted))


def _ratio(above: float | None, below: float | None) -> float | None:
    return None if above is None or below is None else above / below


def _medians(group: Group, value: Callable[[RunRecord], float]) -> dict[str, float]:
    return {call_id: median(value(run) for run in runs) for call_id, runs in group.items()}


def _call_errors(pair: _Pair, value: Callable[[RunRecord], float]) -> CallErrors | None:
    measured, predicted = _medians(pair.measured, value), _medians(pair.predicted, value)
    if not predicted:
        return None
    errors = [100 * abs(predicted[name] - m) / abs(m) for name, m in measured.items() if m != 0]
    return CallErrors(fmean(errors), median(errors), float(np.quantile(errors, 0.9))) if errors else None


def _spread_percent(measured: Group, value: Callable[[RunRecord], float]) -> float | None:
    repeated = [[value(run) for run in runs] for runs in measured.values() if len(runs) > 1]
    spreads = [100 * stdev(values) / fmean(values) for values in repeated if fmean(values) > 0]
    return median(spreads) if spreads else None


def _equal_calls(pair: _Pair, base: _Pair) -> Agreement | None:
    own, other = (pair.measured, base.measured)
    if not own or not other:
        own, other = (pair.predicted, base.predicted)
    if not own or not other:
        return None
    return _agreement(own, lambda name: _all_same_call(own[name], other[name]))


def _all_same_call(some: Sequence[RunRecord], others: Sequence[RunRecord]) -> bool:
    return all(run.call.same_call(other.call) for run in some for other in others)


def _same_passes(pair: _Pair) -> Agreement | None:
    if not pair.measured or not pair.predicted:
        return None
    return _agreement(pair.measured, lambda name: _all_same_passes(pair.measured[name], pair.predicted[name]))


def _all_same_passes(some: Sequence[RunRecord], others: Sequence[RunRecord]) -> bool:
    return all(_commands(run) == _commands(other) for run in some for other in others)


def _commands(run: RunRecord) -> list[Any]:
    return [record.command for record in run.call_passes]


def _agreement(calls: Iterable[str], agrees: Callable[[str], bool]) -> Agreement:
    verdicts = {call_id: agrees(call_id) for call_id in calls}
    differing = tuple(call_id for call_id, same in verdicts.items() if not same)
    return Agreement(len(verdicts) - len(differing), len(verdicts), differing)


def _part_comparisons(schedule: str, pair: _Pair) -> Iterable[PartComparison]:
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


def _phase_comparison(schedule: str, phase: Phase, pair: _Pair) -> PartComparison:
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


def _call_comparisons(schedule: str, pair: _Pair) -> Iterable[CallComparison]:
    predicted = _medians(pair.predicted, _tool_start_ms)
    for call_id, runs in pair.measured.items():
        if call_id in predicted:
            values = [run.tool_start_ms for run in runs]
            yield CallComparison(call_id, schedule, median(values), min(values), max(values), predicted[call_id])
