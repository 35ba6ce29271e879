"""Table 3: what a call's fixed text costs, decoded serially, prefilled where it is met, and as one skeleton."""

import numpy as np

from cost_models.protocol import FloatArray
from engine.commands import Phase
from studies.paper.assumed import assumed_for
from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.estimate import means, over_draws
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import LAID_OUT, ONEPLUS_CALLS
from studies.paper.phase_sums import call_sums, of_phase, passes_ms
from studies.paper.printed import printed, printed_number
from studies.paper.setting import ONEPLUS, Setting
from studies.report import Figure

COSTS = {"constrained": "schemaweaver", "jump_forward": "jump_forward", "skeleton": "schemaweaver"}
"""The table's columns, with the schedule whose passes tell each."""


def table_3(setting: Setting) -> Exhibit:
    """Mean milliseconds per call on the OnePlus 12R, for six models."""
    models = table_3_models()
    cells = tuple(fixed_text_cell(setting, model, column) for column in COSTS for model in models)
    return Exhibit(
        key="table-3",
        title="Table 3: cost of a call's fixed text, OnePlus 12R",
        note=(
            "Skeleton: the skeleton passes of the paper's schedule. Constrained: a serial pass for each row of the "
            "same passes, since the table is about the skeleton. Jump-forward: its passes of more than one row, in "
            f"which the token before the fixed ones rides along. {LAID_OUT}"
        ),
        given=ONEPLUS_CALLS,
        cells=cells,
        assumed=assumed_for(setting, ONEPLUS, models),
        figures=(Figure("Cost of the fixed text", cell_chart(cells, "mean time per call (ms)"), CAPTION),),
    )


def table_3_models() -> tuple[str, ...]:
    """The table's models, in its order."""
    return tuple(printed("table_3").members())


def fixed_text_cell(setting: Setting, model: str, column: str) -> Cell:
    """The mean over a draw's calls, by one of `COSTS`."""
    of_calls = fixed_text_ms(setting, model, column)
    return Cell(
        row=column,
        column=model,
        unit="ms",
        printed=printed_number("table_3", model, column),
        ours=over_draws(means(of_calls, setting.draws(model))),
        extrapolated=setting.is_extrapolated(ONEPLUS, model, COSTS[column]),
    )


def fixed_text_ms(setting: Setting, model: str, column: str) -> FloatArray:
    """Milliseconds of each call, shape (calls,), by one of `COSTS`."""
    table, cost = setting.passes(model, COSTS[column]), setting.cost(ONEPLUS, model)
    if column == "jump_forward":
        return call_sums(table, of_phase(table, Phase.JUMP) & (table.rows > 1), passes_ms(table, cost))
    if column == "skeleton":
        return call_sums(table, of_phase(table, Phase.SKELETON), passes_ms(table, cost))
    serial_ms = cost.pass_ms(np.ones_like(table.rows), 1, table.context_tokens) + cost.host_ms
    return call_sums(table, of_phase(table, Phase.SKELETON), table.rows * serial_ms)
