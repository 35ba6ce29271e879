"""What the report of a study shows, in which order."""

from collections.abc import Iterator, Sequence

import polars as pl

from engine.records import MEASURED, SIMULATED, RunRecord
from studies.comparison import Comparison
from studies.comparison_charts import latency_chart, phase_chart, prediction_chart
from studies.cost_chart import cost_chart
from studies.frames import emits_frame, passes_frame
from studies.gantt_chart import gantt_chart
from studies.report import Figure, Section
from studies.tables import latency_table, part_table, scope_text, work_table
from studies.text_table import Table

LATENCY_NOTE = (
    "Latency counts from the end of the prompt. Means are geometric, over the repeats of a call and then "
    "over the calls; a speed-up is a ratio of two such means. The bias is that of the predicted mean. The "
    "error is per call: how far a prediction is from the median of the call's measured repeats, in percent "
    "of that median. The machine's spread is the coefficient of variation of a call's repeats, the median "
    "over the calls: an error within it is noise. A call is right where the workload's own rules accept it in each "
    "repeat; the interval is Wilson's, for the share among further calls like these."
)

SPREAD_NOTE = "The red line is the machine's spread from repeat to repeat around the measured mean."

BAND_NOTE = "On the dashed line they are equal; the band is 10 % either way. Thin lines span the repeats."

PHASE_NOTE = (
    "Arithmetic means per call, so that the parts of a schedule up to its final call add up to the mean "
    "latency of its final call. The errors are over the calls that have the phase."
)

BARS_NOTE = "Measured above, predicted below and paler."

CALL_NOTE = "Each block is one pass; a triangle is a call handed to the tool."

COST_NOTE = "The fit did not see the cells that are held out, so only they say how well it predicts."


def study_sections(
    comparison: Comparison,
    runs: Sequence[RunRecord],
    fit_errors: Table | None = None,
    cost_cells: pl.DataFrame | None = None,
    example_call: str | None = None,
) -> tuple[Section, ...]:
    """The sections of a study: latencies, phases, one call in detail, and what a pass costs.

    `runs` are those that were compared, `fit_errors` tells how far the fit is from held-out cells,
    `cost_cells` is what `cost_chart` takes. The call in detail is `example_call`, else the first that was
    compared. What has no numbers is left out. Raises InputError where there is no run of `example_call`.
    """
    return (
        _latency_section(comparison),
        _phase_section(comparison),
        *_call_sections(comparison, runs, example_call),
        *_cost_sections(fit_errors, cost_cells),
    )


def _latency_section(comparison: Comparison) -> Section:
    tables = (latency_table(comparison), work_table(comparison))
    note = f"{scope_text(comparison)} {LATENCY_NOTE}"
    return Section("Latency, measured and predicted", note, tables, tuple(_latency_figures(comparison)))


def _latency_figures(comparison: Comparison) -> Iterator[Figure]:
    if comparison.call_ids:
        yield Figure("Latency to tool start", latency_chart(comparison, "tool start"), SPREAD_NOTE)
        yield Figure("Latency to the final call", latency_chart(comparison, "final call"), SPREAD_NOTE)
    if comparison.calls:
        yield Figure(
            "Predicted against measured, call by call",
            prediction_chart(comparison),
            BAND_NOTE,
            is_square=True,
        )


def _phase_section(comparison: Comparison) -> Section:
    figures = (Figure("Time per call by phase", phase_chart(comparison), BARS_NOTE),) if comparison.call_ids else ()
    return Section("Where the time goes", PHASE_NOTE, (part_table(comparison),), figures)


def _call_sections(comparison: Comparison, runs: Sequence[RunRecord], example_call: str | None) -> Iterator[Section]:
    call_id = example_call or next(iter(comparison.call_ids), None)
    if call_id is None:
        return
    shown = [run for run in runs if run.call_id == call_id]
    source = MEASURED if any(run.source == MEASURED for run in shown) else SIMULATED
    chart = gantt_chart(passes_frame(shown), emits_frame(shown), call_id, source)
    yield Section("One call in detail", figures=(Figure(f"{call_id}, {source}", chart, CALL_NOTE),))


def _cost_sections(fit_errors: Table | None, cost_cells: pl.DataFrame | None) -> Iterator[Section]:
    tables = () if fit_errors is None else (fit_errors,)
    figures = () if cost_cells is None else (Figure("Time of a pass over its rows", cost_chart(cost_cells)),)
    if tables or figures:
        yield Section("What a pass costs", COST_NOTE, tables, figures)
