"""Table 4: when optional arguments are decided, and what that does to the latency."""

from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.exhibit import Exhibit
from studies.paper.given import LAID_OUT, ONEPLUS_CALLS
from studies.paper.latency_cells import table_cells
from studies.paper.setting import Setting
from studies.report import Figure


def table_4(setting: Setting) -> Exhibit:
    """Latencies on the OnePlus 12R, and speed-ups over constrained decoding."""
    latencies, speedups = table_cells(setting, "table_4")
    return Exhibit(
        key="table-4",
        title="Table 4: when optional arguments are decided, OnePlus 12R",
        note=(
            "constrained decides them at the end of the call, optional_first before the values, optional_all never: "
            "it writes all of them, and schemaweaver decides them after the required values. Each runs every call of "
            "BFCL; its passes up to the tool's start are priced. How often the calls are right depends on a model and "
            f"is left out. {LAID_OUT}"
        ),
        given=ONEPLUS_CALLS,
        cells=(*latencies, *speedups),
        assumed=(
            "An optional argument that the accepted answer lacks gets a default or the shortest value in optional_all.",
        ),
        figures=(
            Figure(
                "Latency by when optional arguments are decided", cell_chart(latencies, "ms to tool start"), CAPTION
            ),
        ),
    )
