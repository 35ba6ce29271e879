"""What the report of a study shows, in which order."""

from collections.abc import Sequence

import polars as pl

from engine.errors import InputError
from engine.records import RunRecord
from studies.charts import cost_chart, gantt_chart, latency_chart, phase_chart, prediction_chart
from studies.comparison import Comparison
from studies.frames import MEASURED, emits_frame, passes_frame
from studies.report import Figure, Section
from studies.tables import Table, latency_table, part_table, scope_text, work_table

LATENCY_NOTE = (
    "Latency counts from the end of the prompt. Means are geometric: over the repeats of a call, then over the calls; "
    "a speed-up is a ratio of two such means. The bias is that of the predicted mean. A call's error is the distance "
    "of its prediction from the median of its measured repeats, in percent of that median. The machine's spread is the "
    "coefficient of variation over the repeats of a call, the median of all calls: no prediction can be expected to be "
    "nearer than that."
)

PHASE_NOTE = (
    "Arithmetic means per call, so that the parts of a schedule, without the prompt, add up to the mean latency of its "
    "final call. Errors are over the calls that have the phase."
)

COST_NOTE = "Cells that are held out were not seen by the fit; only they say how well it predicts."


def study_sections(
    comparison: Comparison,
    runs: Sequence[RunRecord],
    fit_errors: Table | None = None,
    cost_cells: pl.DataFrame | None = None,
) -> tuple[Section, ...]:
    """The sections of a study: latencies, phases, one call in detail, and what a pass costs.

    `runs` are those that were compared, `fit_errors` the error of the fit on held-out cells, `cost_cells` what
    `cost_chart` takes; a chart without its numbers is left out.
    """
    sections = [
        _latency_section(comparison),
        _phase_section(comparison),
        *_call_sections(comparison, runs),
        *_cost_sections(fit_errors, cost_cells),
    ]
    return tuple(sections)
