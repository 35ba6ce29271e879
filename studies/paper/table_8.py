"""Table 8: one call phase by phase, by the passes that the paper prints and by those of our schedules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cost_models import CostModel
from engine.commands import Phase
from engine.errors import InputError
from sim.pass_table import PHASES, PassTable
from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.estimate import exact
from studies.paper.exhibit import Cell, Exhibit, Role
from studies.paper.given import ONEPLUS_COSTS
from studies.paper.layout import OURS
from studies.paper.phase_sums import passes_ms
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting
from studies.report import Figure

CALL = "simple_python_205"
"""BFCL's call of get_traffic_info, from Boston to New York."""

PRINTED_PASSES, OUR_PASSES = "the paper's passes", "our schedule's passes"

Sizes = Sequence[tuple[int, int]]
"""Rows and picks of each pass."""

PASSES: Mapping[str, Sizes] = {
    "constrained": ((1, 1),) * 35,
    "name": ((6, 1),),
    "skeleton": ((19, 2),),
    "values": ((4, 4), (1, 1)),
    "write_back": ((18, 1),),
    "optional": ((1, 1), (1, 1), (1, 1), (4, 1)),
}
"""As the table has passes and tokens: values padded to four rows where there are two, each pass picked from."""

TOTALS = {
    "provisional": ("name", "skeleton", "values"),
    "final": ("name", "skeleton", "values", "write_back", "optional"),
}
"""The phases that a call's emission waits for."""

OTHER_PASSES = "Our schedules take other passes: the name of a lone tool rides along with the skeleton, and so on."

WHICH_PASSES = (
    "Of the 7 tokens in 4 passes of the optional argument, one pass is taken to have 4 and the others 1 each.",
    "The skeleton pass is picked from twice, for two values; the first value pass is padded to four rows.",
)


@dataclass(frozen=True, slots=True)
class PhaseCost:
    """What a phase of the call takes."""

    passes: int
    tokens: int
    ms: float


def table_8(setting: Setting) -> Exhibit:
    """The call on the OnePlus 12R: printed passes priced, and the same call run by our schedules and priced."""
    runs = our_runs(setting)
    ours = {name: _run_cost(setting, runs, name) for name in PASSES}
    priced = (*printed_pass_cells(setting), *_ms_cells(ours, OUR_PASSES))
    return Exhibit(
        key="table-8",
        title="Table 8: one call phase by phase, OnePlus 12R",
        note=(
            f"The call is BFCL's {CALL} with the optional argument that the paper's model added. First the passes that "
            "the table prints are priced. Then our schedules run the call with Qwen3's tokens, and their own passes "
            "are priced. A pass counts with the host's time before it."
        ),
        given=(*ONEPLUS_COSTS, "Table 8's passes and tokens"),
        cells=(*priced, *_count_cells(ours)),
        assumed=WHICH_PASSES,
        figures=(Figure("The call's phases", cell_chart(priced, "ms"), CAPTION),),
    )


def printed_pass_cells(setting: Setting) -> tuple[Cell, ...]:
    """The phases and sums of them, each by the passes that the table prints."""
    context, cost = call_tokens(setting), setting.cost(ONEPLUS)
    return _ms_cells({name: _priced(cost, sizes, context) for name, sizes in PASSES.items()}, PRINTED_PASSES)


def call_tokens(setting: Setting) -> int:
    """The call's context in Qwen3's tokens, at its end."""
    return int(our_runs(setting)["schemaweaver"].context_tokens.max())


def our_runs(setting: Setting) -> Mapping[str, PassTable]:
    """The call by our schedules, in their own passes."""
    own = setting.read(layout=OURS)
    return {schedule: call_run(own, schedule) for schedule in ("constrained", "schemaweaver")}


def call_run(setting: Setting, schedule: str) -> PassTable:
    """The run of the call with the optional argument; raises InputError where the workload has no such run."""
    table = setting.passes(BASE_MODEL, schedule)
    answers = np.flatnonzero(table.call_ids == CALL)
    if not answers.size:
        raise InputError(f"the passes of {schedule} have no call {CALL}")
    longest = answers[np.argmax(table.arguments[answers])]
    return table.chosen(np.arange(table.run_count) == longest)


def _priced(cost: CostModel, sizes: Sizes, context_tokens: int) -> PhaseCost:
    rows, picks = np.array(sizes).T
    ms = cost.pass_ms(rows, picks, context_tokens) + cost.host_ms
    return PhaseCost(len(sizes), int(rows.sum()), float(ms.sum()))


def _run_cost(setting: Setting, runs: Mapping[str, PassTable], name: str) -> PhaseCost:
    """A phase of our run; of the values' rows only those that are picked from are tokens, the others are padding."""
    run = runs["constrained" if name == "constrained" else "schemaweaver"]
    phase = Phase.SERIAL if name == "constrained" else Phase(name)
    waited = run.before_final & (run.phases == PHASES.index(phase))
    ms = passes_ms(run, setting.cost(ONEPLUS))[waited]
    tokens = run.picks if phase == Phase.VALUES else run.rows
    return PhaseCost(int(waited.sum()), int(tokens[waited].sum()), float(ms.sum()))


def _ms_cells(costs: Mapping[str, PhaseCost], column: str) -> tuple[Cell, ...]:
    phases = (_ms_cell(name, column, cost.ms, _role(name, column)) for name, cost in costs.items() if cost.passes)
    sums = {name: sum(costs[phase].ms for phase in parts) for name, parts in TOTALS.items()}
    return (*phases, *(_ms_cell(name, column, ms, _role(name, column)) for name, ms in sums.items()))


def _role(name: str, column: str) -> Role:
    if name == "constrained":
        # The host's time is what a serial pass of this table takes beyond a benchmark's.
        return "given"
    return "predicted" if column == PRINTED_PASSES else "open"


def _ms_cell(name: str, column: str, ms: float, role: Role) -> Cell:
    return Cell(
        row=_row(name),
        column=column,
        unit="ms",
        printed=printed_number("table_8", name, "ms"),
        ours=exact(ms),
        role=role,
        why=OTHER_PASSES if role == "open" else "",
    )


def _count_cells(costs: Mapping[str, PhaseCost]) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            row=_row(name),
            column=OUR_PASSES,
            unit=unit,
            printed=printed_number("table_8", name, unit),
            ours=exact(number),
            role="open",
            why=OTHER_PASSES,
        )
        for unit in ("passes", "tokens")
        for name, cost in costs.items()
        for number in (cost.passes if unit == "passes" else cost.tokens,)
    )


def _row(name: str) -> str:
    return f"{name} call" if name in TOTALS else name.replace("_", " ")
