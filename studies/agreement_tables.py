"""An agreement report as tables and sentences."""

from studies.agreement import AgreementReport, ComparedCall, PairAgreement, Reason, reason_of
from studies.first_difference import Difference, Side
from studies.margins import Margin
from studies.noise import Noise
from studies.text_table import MISSING, Table, number_cell

PAIR_HEADERS = (
    "schedule",
    "same call as\n{first}",
    "of these\nboth cut",
    "%\n(95 % interval)",
    *(reason.replace(" ", "\n") for reason in Reason),
)
DIFFERENCE_HEADERS = (
    "call",
    "schedule",
    "behind",
    "{first}",
    "the other",
    "decided\nelsewhere by",
    "reading",
    "call\ntoken",
    "margin",
    "at other widths",
)
NOISE_HEADERS = ("rows per pass", "median", "P95", "max")
BEHIND_CHARACTERS = 16
"""How much of the text before a difference is shown."""

LEGEND = """\
Margin: logit of the first schedule's token minus the other's behind the text that both have, one token per pass.
near-tie: no more than other widths of passes move 95 % of margins, or this one. rare noise: no more than they move some
margin. Above that it is no numeric flip, and "another context" or "respelled" where a token was decided elsewhere: in a
branch, which did not see all of this text, with nothing to check it. A near-tie there may be either.
forbidden: one schedule could not pick the other's token there. cut: one call stops there, at the limit."""


def pair_table(report: AgreementReport) -> Table:
    """How often calls are equal and what is said of the others: a row per schedule."""
    headers = tuple(header.format(first=report.first) for header in PAIR_HEADERS)
    return Table(headers, tuple(_pair_row(pair) for pair in report.pairs))


def difference_table(report: AgreementReport) -> Table:
    """The first differing token of each call that differs."""
    headers = tuple(header.format(first=report.first) for header in DIFFERENCE_HEADERS)
    rows = tuple(_difference_row(call, report) for call in report.differing)
    return Table(headers, rows, label_columns=7)


def noise_table(noise: Noise) -> Table:
    """How far each width moves margins."""
    rows = ((str(w.width), *(number_cell(value, 3) for value in (w.median, w.p95, w.max))) for w in noise.widths)
    return Table(NOISE_HEADERS, tuple(rows))


def noise_text(noise: Noise) -> str:
    """One sentence on what the noise was measured over."""
    return (
        f"The {noise.choices} choices in the first schedule's calls, each against its runner-up, computed in "
        f"passes wider than one row: margins move by up to {noise.max:.3f} logits (P95 {noise.p95:.3f}), "
        f"and {noise.reversed} would be decided otherwise at some width."
    )


def _pair_row(pair: PairAgreement) -> tuple[str, ...]:
    return (
        pair.schedule,
        f"{pair.equal} of {pair.of}",
        str(pair.cut_alike),
        f"{pair.percent:.1f} ({pair.low_percent:.0f} to {pair.high_percent:.0f})",
        *(str(pair.reasons.get(reason, 0)) for reason in Reason),
    )


def _difference_row(call: ComparedCall, report: AgreementReport) -> tuple[str, ...]:
    reading = str(reason_of(call, report.noise))
    if call.difference is None:
        return (call.call_id, call.schedule, *[MISSING] * 4, reading, *[MISSING] * 3)
    difference = call.difference
    return (
        call.call_id,
        call.schedule,
        repr(difference.behind[-BEHIND_CHARACTERS:]),
        _token_cell(difference.first),
        _token_cell(difference.other),
        _elsewhere(difference, report.first, call.schedule),
        reading,
        str(difference.index),
        *_margin_cells(call.margin),
    )


def _token_cell(side: Side) -> str:
    return MISSING if side.token is None else repr(side.text)


def _elsewhere(difference: Difference, first: str, other: str) -> str:
    sides = ((first, difference.first), (other, difference.other))
    if any(side.token is None for _, side in sides):
        return MISSING
    return ", ".join(name for name, side in sides if not side.is_picked) or MISSING


def _margin_cells(margin: Margin | None) -> tuple[str, str]:
    if margin is None:
        return MISSING, MISSING
    values = sorted(margin.at_widths.values())
    cells = [number_cell(value, 3, sign="+") for value in (margin.reference, values[0], values[-1])]
    return cells[0], f"{cells[1]} to {cells[2]}"
