"""Table 2: what a pass of several sequences costs over a pass of one."""

from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.estimate import exact
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.printed import printed
from studies.paper.setting import PHONES, Setting
from studies.report import Figure

CONTEXT_TOKENS = 512
"""Assumed, as for the profiles: the paper does not print it."""


def table_2(setting: Setting) -> Exhibit:
    """The ratios for one to eight sequences, on both phones."""
    sequences = printed("table_2", "sequences").wholes()
    cells = tuple(
        _cell(setting, phone, count, ratio)
        for phone in PHONES
        for count, ratio in zip(sequences, printed("table_2", phone).numbers(), strict=True)
    )
    return Exhibit(
        key="table-2",
        title="Table 2: cost of a pass by its sequences",
        note=(
            "Every sequence has one row, which is read. The phones' costs were fitted to these numbers, so that the "
            "differences are what the fit gives up: Table 10 prints 65.9 over 54.2 ms for four sequences on the "
            "OnePlus."
        ),
        given=("Table 2", "Table 10's core set"),
        cells=cells,
        assumed=(f"Steps had a context of {CONTEXT_TOKENS} tokens.",),
        figures=(
            Figure("Cost of a pass over a serial one", cell_chart(cells, "over a pass of one sequence"), CAPTION),
        ),
    )


def _cell(setting: Setting, phone: str, sequences: int, ratio: float) -> Cell:
    cost = setting.cost(phone)
    step_ms, serial_ms = (cost.pass_ms(count, count, CONTEXT_TOKENS) for count in (sequences, 1))
    return Cell(
        row=phone,
        column=str(sequences),
        unit="x",
        printed=ratio,
        ours=exact(step_ms / serial_ms),
        role="given",
    )
