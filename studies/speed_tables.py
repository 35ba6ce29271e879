"""Speeds and aims as tables, the same for the terminal and for Markdown."""

from collections.abc import Sequence

from studies.aims import Aim
from studies.comparison import LATENCIES
from studies.estimates import Estimate
from studies.speed import JUMP_FORWARD, REFERENCES, ScheduleSpeed, Speed
from studies.text_table import MISSING, Table, ms_cell, number_cell

SPEED_HEADERS = ("schedule", "tool start ms", "final call ms", "passes per call", "same call as {reference}", "cut")
MEASURED_HEADERS = ("host ms per pass", "right calls % (95 % interval)")
AIM_DECIMALS = {"times": 2, "%": 1, "ms": 3}
AIM_HEADERS = ("where", "what", "aim", "found (95 % interval)", "reached")


def speed_table(speed: Speed, is_measured: bool) -> Table:
    """Latencies, passes and what came of the calls: a row per schedule.

    Predictions leave out the host's time, which is their profile's, and right calls, which they take for granted.
    """
    headers = tuple(header.format(reference=JUMP_FORWARD) for header in SPEED_HEADERS)
    rows = ((*_speed_row(each), *(_measured_row(each) if is_measured else ())) for each in speed.schedules)
    return Table((*headers, *(MEASURED_HEADERS if is_measured else ())), tuple(rows))


def ratio_table(speed: Speed) -> Table:
    """How many times faster than each reference, with intervals at 95 %: a row per schedule."""
    pairs = [(latency, reference) for latency in LATENCIES for reference in REFERENCES]
    headers = tuple(f"{latency}\n{reference} / own" for latency, reference in pairs)
    rows = (
        (each.schedule, *(_estimate(each.times_faster[latency].get(reference)) for latency, reference in pairs))
        for each in speed.schedules
    )
    return Table(("schedule", *headers), tuple(rows))


def aim_table(aims: Sequence[Aim]) -> Table:
    """A row per aim."""
    return Table(AIM_HEADERS, tuple(map(_aim_row, aims)), label_columns=2)


def _speed_row(speed: ScheduleSpeed) -> tuple[str, ...]:
    return (
        speed.schedule,
        *(ms_cell(speed.latency_ms[latency]) for latency in LATENCIES),
        number_cell(speed.passes_per_call, 1),
        MISSING if speed.same_calls is None else str(speed.same_calls),
        str(len(speed.incomplete)),
    )


def _measured_row(speed: ScheduleSpeed) -> tuple[str, ...]:
    right = speed.right_calls
    return number_cell(speed.host_ms_per_pass, 3), MISSING if right is None else str(right)


def _aim_row(aim: Aim) -> tuple[str, ...]:
    bound = f"{'at most' if aim.is_limit else 'at least'} {aim.bound:g} {aim.unit}"
    return aim.place, aim.what, bound, _estimate(aim.found, AIM_DECIMALS[aim.unit]), "yes" if aim.is_reached else "no"


def _estimate(estimate: Estimate | None, decimals: int = 2) -> str:
    if estimate is None:
        return MISSING
    if estimate.low is None or estimate.high is None:
        return number_cell(estimate.value, decimals)
    value, low, high = (number_cell(number, decimals) for number in (estimate.value, estimate.low, estimate.high))
    return f"{value} ({low} to {high})"
