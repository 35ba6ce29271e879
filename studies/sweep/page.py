"""A sweep as one HTML page: charts of latencies and speedups, the table, and what was assumed."""

from collections.abc import Mapping, Sequence

from studies.report import Figure, Report, Section
from studies.sweep.assumed import assumed_once
from studies.sweep.misfits import misfits
from studies.sweep.outcome import Outcome
from studies.sweep.outcome_chart import BoundsOf, Lines, drawn, lines_of, outcome_chart
from studies.sweep.outcome_table import fixed_values, outcome_table

MOST_ROWS = 500
"""Rows of the page's table; the file has all."""

CHARTS: tuple[tuple[str, str, BoundsOf], ...] = (
    ("Latency to the tool's start", "ms, geometric mean", lambda outcome: outcome.tool_start_ms),
    ("Latency to the final call", "ms, geometric mean", lambda outcome: outcome.final_ms),
    ("Speedup over constrained, tool start", "times", lambda outcome: outcome.tool_start_speedup),
    ("Speedup over constrained, final call", "times", lambda outcome: outcome.final_speedup),
)
RESULT_CHART: tuple[str, str, BoundsOf] = (
    "Latency to the final call with the tool's result",
    "ms, geometric mean",
    lambda outcome: outcome.result_ms,
)


def sweep_page(outcomes: Sequence[Outcome], command: str, provenance: Mapping[str, str]) -> Report:
    """The page for `outcomes`, made by `command`."""
    lines = lines_of(outcomes)
    shown = drawn(outcomes, lines)
    charts = (*CHARTS, RESULT_CHART) if any(outcome.point.tool_ms for outcome in outcomes) else CHARTS
    figures = tuple(
        Figure(title, outcome_chart(shown, lines, bounds_of, unit), _caption(outcomes, shown, lines))
        for title, unit, bounds_of in charts
    )
    return Report(
        title="Sweep",
        introduction=f"{len(outcomes)} points; at all of them: {fixed_values(outcomes) or 'nothing is the same'}.",
        sections=(
            Section("Charts", figures=figures),
            Section("Numbers", _note(outcomes), tables=(outcome_table(outcomes, MOST_ROWS),)),
        ),
        known_limits=(
            *misfits(outcomes),
            *assumed_once(sentence for outcome in outcomes for sentence in outcome.assumed),
        ),
        command=command,
        provenance=provenance,
    )


def _caption(outcomes: Sequence[Outcome], shown: Sequence[Outcome], lines: Lines) -> str:
    all_lines, kept = ({lines.name(outcome.point) for outcome in some} for some in (outcomes, shown))
    left_out = f"{len(kept)} of {len(all_lines)} lines. " if len(kept) < len(all_lines) else ""
    return (
        f"{left_out}Bands are 90 % intervals. Hollow points: all of the time is in passes whose "
        "sizes or conditions were never measured."
    )


def _note(outcomes: Sequence[Outcome]) -> str:
    some = f"{MOST_ROWS} of {len(outcomes)} points. " if len(outcomes) > MOST_ROWS else ""
    return f"{some}In brackets the 90 % interval; * where all of the time was never measured."
