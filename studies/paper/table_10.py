"""Table 10: a serial step, a four-sequence step and a prompt token on every core set."""

from cost_models import CostModel
from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.estimate import exact
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.printed import printed
from studies.paper.setting import Setting
from studies.paper.table_2 import CONTEXT_TOKENS
from studies.report import Figure

COLUMNS = {
    "serial_ms": ("serial step", "ms"),
    "four_sequence_ms": ("four-sequence step", "ms"),
    "prefill_ms_per_token": ("prompt token", "ms"),
}


def table_10(setting: Setting) -> Exhibit:
    """Every number was given; how well it is met."""
    names = [column.text() for column in printed("table_10", "columns").items()]
    cells = tuple(
        _cell(setting, device, name, number)
        for device, row in printed("table_10", "core_sets").members().items()
        for name, number in zip(names, row.numbers(), strict=True)
    )
    return Exhibit(
        key="table-10",
        title="Table 10: core sets",
        note=(
            "The protocol's core sets have a table of costs through these numbers and Table 2's. Of the other sets "
            "nothing else is printed, so that a roofline was fitted to their three numbers."
        ),
        given=("Table 10", "Table 2"),
        cells=cells,
        assumed=(f"Steps had a context of {CONTEXT_TOKENS} tokens, and the prompt as many tokens in one pass.",),
        figures=(Figure("Costs by core set", cell_chart(cells, "ms"), CAPTION),),
    )


def _cell(setting: Setting, device: str, name: str, number: float) -> Cell:
    column, unit = COLUMNS[name]
    ours = exact(benchmark_ms(setting.cost(device), name))
    return Cell(row=device, column=column, unit=unit, printed=number, ours=ours, role="given")


def benchmark_ms(cost: CostModel, name: str) -> float:
    """What the benchmark of the paper's appendix A measures, by the name of one of `COLUMNS`."""
    if name == "prefill_ms_per_token":
        return cost.pass_ms(CONTEXT_TOKENS, 1, CONTEXT_TOKENS) / CONTEXT_TOKENS
    sequences = {"serial_ms": 1, "four_sequence_ms": 4}[name]
    return cost.pass_ms(sequences, sequences, CONTEXT_TOKENS)
