"""Figure 11 and section 7.2: where the time of calls with two or more required values goes."""

from collections.abc import Mapping, Sequence

import altair as alt

from engine.commands import Phase
from studies.chart_colours import PREDICTED, part_colour, part_label
from studies.chart_style import Row, inline_data, name_axis, styled, tip, x_axis
from studies.paper.assumed import assumed_for
from studies.paper.bfcl_calls import required_arguments
from studies.paper.estimate import Estimate, over_draws
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import LAID_OUT, ONEPLUS_CALLS
from studies.paper.phase_sums import call_sums, first_of_phase, means_within, of_phase, passes_ms
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting
from studies.report import Figure

OURS = "schemaweaver"
PHASES: Mapping[str, tuple[Phase, ...]] = {
    "constrained": (Phase.SERIAL,),
    "jump_forward": (Phase.JUMP,),
    OURS: (Phase.NAME, Phase.SKELETON, Phase.VALUES, Phase.WRITE_BACK, Phase.OPTIONAL),
}
"""What the figure shows of each schedule, in the order of running."""

MODELS = (BASE_MODEL, "Llama-3.2-1B", "SmolLM2-1.7B")
"""The figure's: one of each family."""

LEAST_REQUIRED = 2
PRINTED = "printed"
BAR_PX = 20


def figure_11(setting: Setting) -> Exhibit:
    """Mean milliseconds of each phase, by three schedules and with three models."""
    rows = [(schedule, phase) for schedule, phases in PHASES.items() for phase in phases]
    cells = tuple(_cell(setting, model, *row) for row in rows for model in MODELS)
    caption = "Means stacked up; the second and darker bar of a pair is what the paper prints."
    return Exhibit(
        key="figure-11",
        title="Figure 11: where a call's time goes, OnePlus 12R",
        note=(
            "The schedules run every call of BFCL; each pass is priced, with the host's time before it, and the times "
            "of each phase are added up. Means are over those of each draw's calls whose tool requires two values or "
            "more, as the paper's are. Write-back and optional arguments run beside the tool. "
            f"{LAID_OUT}"
        ),
        given=ONEPLUS_CALLS,
        cells=cells,
        assumed=assumed_for(setting, ONEPLUS, MODELS),
        figures=(Figure("Time of a call by phase", phase_chart(cells), caption),),
    )


def phase_ms(setting: Setting, model: str, schedule: str, phase: Phase) -> Estimate:
    """The mean over calls with two required values or more, on the OnePlus 12R."""
    table = setting.passes(model, schedule)
    # A pass that writes the end of a call back runs behind the final call, and the paper's phases end with that.
    is_of_phase = first_of_phase if phase == Phase.WRITE_BACK else of_phase
    of_calls = call_sums(table, is_of_phase(table, phase), passes_ms(table, setting.cost(ONEPLUS, model)))
    within = required_arguments(table) >= LEAST_REQUIRED
    return over_draws(means_within(of_calls, within, setting.draws(model)))


def _cell(setting: Setting, model: str, schedule: str, phase: Phase) -> Cell:
    is_printed = schedule == OURS and model == BASE_MODEL
    return Cell(
        row=f"{schedule}, {part_label(phase)}",
        column=model,
        unit="ms",
        printed=printed_number("figure_11", phase) if is_printed else None,
        ours=phase_ms(setting, model, schedule, phase),
        extrapolated=setting.is_extrapolated(ONEPLUS, model, schedule),
    )


def phase_chart(cells: Sequence[Cell]) -> alt.LayerChart:
    """A stack of phases for each model and schedule, and one of what is printed where there is any."""
    rows = [row for cell in cells for row in _stack_rows(cell)]
    names = sorted(dict.fromkeys(row["name"] for row in rows))
    tips = [tip("name", "model, schedule"), tip("source", "source"), tip("part", "phase"), tip("ms", "ms", ",.0f")]
    bars = alt.Chart(inline_data(rows)).encode(
        x=x_axis("ms", "mean time per call (ms)"),
        y=alt.Y("name:N", title=None, sort=names, axis=name_axis()),
        yOffset=alt.YOffset("source:N", sort=[PREDICTED, PRINTED]),
        color=part_colour(rows),
        opacity=alt.Opacity("source:N", scale=alt.Scale(domain=[PREDICTED, PRINTED], range=[0.65, 1]), legend=None),
        order="order:Q",
        tooltip=tips,
    )
    return styled([bars.mark_bar(stroke="white", strokeWidth=0.6)], (2 * BAR_PX + 10) * max(1, len(names)))


def _stack_rows(cell: Cell) -> list[Row]:
    schedule, part = cell.row.split(", ")
    # The quantisation would not fit on the axis.
    model = cell.column.removesuffix("-Q8_0")
    order = [part_label(phase) for phase in Phase].index(part)
    times = {PREDICTED: cell.ours.value if cell.ours else None, PRINTED: cell.printed}
    return [
        {"name": f"{model}, {schedule}", "part": part, "order": order, "source": source, "ms": ms}
        for source, ms in times.items()
        if ms is not None
    ]
