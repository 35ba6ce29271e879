"""Measured runs beside predicted ones: latencies, errors, speed-ups, and whether both did the same."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any, Literal, get_args

from engine.errors import InputError
from engine.records import MEASURED, SIMULATED, RunRecord
from studies.call_parts import PartComparison, part_comparisons
from studies.frames import check_run
from studies.quantities import Group, Pair, Quantity, geometric_mean, medians
from studies.right_calls import RightCalls, right_calls

Latency = Literal["tool start", "final call"]
LATENCIES: tuple[Latency, ...] = get_args(Latency)

BASELINE = "constrained"
"""The schedule that speed-ups and equal calls are counted against."""


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
    base = pairs.get(baseline, Pair({}, {}))
    return Comparison(
        baseline,
        call_ids,
        left_out,
        _repeats(pairs.values()),
        tuple(_schedule_comparison(schedule, pair, base) for schedule, pair in pairs.items()),
        tuple(part for schedule, pair in pairs.items() for part in part_comparisons(schedule, pair)),
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


def _pair(groups: Mapping[tuple[str, str], Group], schedule: str, call_ids: Sequence[str]) -> Pair:
    def cut(source: str) -> Group:
        group = groups.get((schedule, source), {})
        return {call_id: group[call_id] for call_id in call_ids} if group else {}

    return Pair(cut(MEASURED), cut(SIMULATED))


def _repeats(pairs: Iterable[Pair]) -> tuple[int, int] | None:
    counts = [len(runs) for pair in pairs for runs in pair.measured.values()]
    return (min(counts), max(counts)) if counts else None


def _schedule_comparison(schedule: str, pair: Pair, base: Pair) -> ScheduleComparison:
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


def _speedup(base: Quantity, own: Quantity) -> Quantity:
    return Quantity(_ratio(base.measured, own.measured), _ratio(base.predicted, own.predicted))


def _ratio(above: float | None, below: float | None) -> float | None:
    return None if above is None or below is None else above / below


def _equal_calls(pair: Pair, base: Pair) -> Agreement | None:
    own, other = (pair.measured, base.measured)
    if not own or not other:
        own, other = (pair.predicted, base.predicted)
    if not own or not other:
        return None
    return _agreement(own, lambda name: _all_same_call(own[name], other[name]))


def _all_same_call(some: Sequence[RunRecord], others: Sequence[RunRecord]) -> bool:
    return all(run.call.same_call(other.call) for run in some for other in others)


def _same_passes(pair: Pair) -> Agreement | None:
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


def _call_comparisons(schedule: str, pair: Pair) -> Iterable[CallComparison]:
    predicted = medians(pair.predicted, _tool_start_ms)
    for call_id, runs in pair.measured.items():
        if call_id in predicted:
            values = [run.tool_start_ms for run in runs]
            yield CallComparison(call_id, schedule, median(values), min(values), max(values), predicted[call_id])
