"""From how many arguments on side-by-side decoding is sooner, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from studies.sweep.answer import IN_WORDS, Answer
from studies.sweep.break_even_point import in_brackets
from studies.sweep.outcome_table import bounds_cell
from studies.sweep.side_by_side import RIVAL, ArgumentGains
from studies.text_table import Table, number_cell


def arguments_answer(gains: Sequence[ArgumentGains]) -> Answer:
    """A sentence for each schedule and latency, and how many times sooner it is with each number of arguments."""
    columns = (f"{each.schedule}\n{IN_WORDS[each.latency]}" for each in gains)
    headers = ("arguments", *columns, "never\nmeasured %")
    rows = tuple(_row(count, gains) for count in range(1, 1 + len(gains[0].gains)))
    data = {"rival": RIVAL, "gains": [_data(each) for each in gains]}
    return Answer(sentences=tuple(map(_sentence, gains)), table=Table(headers, rows), data=data)


def _row(count: int, gains: Sequence[ArgumentGains]) -> tuple[str, ...]:
    outside_percent = max(each.outside_percent[count - 1] for each in gains)
    cells = (bounds_cell(each.gains[count - 1], 2) for each in gains)
    return (str(count), *cells, number_cell(outside_percent, 0))


def _sentence(gains: ArgumentGains) -> str:
    start, point = f"{gains.schedule}'s {IN_WORDS[gains.latency]} is", gains.break_even
    if point.value is None:
        last = bounds_cell(gains.gains[-1], 2)
        return f"{start} never sooner than {RIVAL}'s within range: with {len(gains.gains)} arguments {last} times."
    arguments = f"{point.value} argument{'' if point.value == 1 else 's'}"
    return f"{start} sooner than {RIVAL}'s from {arguments} on{in_brackets(point)}."


def _data(gains: ArgumentGains) -> Mapping[str, Any]:
    return {
        "schedule": gains.schedule,
        "latency": gains.latency,
        "break_even": asdict(gains.break_even),
        "gains": [asdict(gain) for gain in gains.gains],
        "outside_percent": list(gains.outside_percent),
    }
