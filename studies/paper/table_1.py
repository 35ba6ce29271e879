"""Table 1: tokens per second on the OnePlus's processors, and which of Table 10's core sets the CPU's row is of."""

from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.estimate import exact
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.printed import printed, printed_number
from studies.paper.setting import ONEPLUS, Setting
from studies.paper.table_10 import benchmark_ms
from studies.report import Figure

GIVEN = {"npu": f"{ONEPLUS}-npu", "gpu": f"{ONEPLUS}-gpu", "cpu": f"{ONEPLUS}-table-1"}
"""The devices that were fitted to the table's rows."""

COLUMNS = {"prefill": "prefill_ms_per_token", "decode": "serial_ms"}
"""With what tells each in Table 10's terms."""

UNKNOWN_CORES = "The paper does not say which cores Table 1's CPU row is of; each core set is held against it."


def table_1(setting: Setting) -> Exhibit:
    """The rows as given, and each core set of the OnePlus against the CPU's."""
    core_sets = [name for name in printed("table_10", "core_sets").members() if name.startswith(ONEPLUS)]
    given = [_cell(setting, device, key, column) for key, device in GIVEN.items() for column in COLUMNS]
    cpu = [_cell(setting, device, "cpu", column) for device in core_sets for column in COLUMNS]
    cells = (*given, *cpu)
    return Exhibit(
        key="table-1",
        title="Table 1: throughput of processors, OnePlus 12R",
        note=(
            "Decode is one over a serial step, prefill one over the cost of a prompt token, without the host's time. "
            "The CPU's decode is that of four A715 with the X3 within a few percent, its prefill that of all eight "
            "cores: llama.cpp takes a number of threads for each, and no single core set of Table 10 has both."
        ),
        given=("Table 1", "Table 10"),
        cells=cells,
        figures=(Figure("Throughput", cell_chart(cells, "tokens per second"), CAPTION),),
    )


def _cell(setting: Setting, device: str, processor: str, column: str) -> Cell:
    is_given = device == GIVEN[processor]
    return Cell(
        row=f"{processor}, {device}",
        column=column,
        unit="tokens/s",
        printed=printed_number("table_1", "tokens_per_s", processor, column),
        ours=exact(1000 / benchmark_ms(setting.cost(device), COLUMNS[column])),
        role="given" if is_given else "open",
        why="" if is_given else UNKNOWN_CORES,
    )
