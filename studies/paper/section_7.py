"""Section 7: the size of BFCL's single-turn part."""

import numpy as np

from studies.paper.bfcl_calls import BfclCalls, read_bfcl_calls
from studies.paper.estimate import exact
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.printed import printed_number
from studies.paper.setting import Setting


def section_7(setting: Setting) -> Exhibit:
    """What the paper counts in the dataset and what is counted here."""
    counted = _counts(read_bfcl_calls())
    return Exhibit(
        key="section-7",
        title="Section 7: the workload",
        note=(
            "One call of each single-turn row that has an accepted answer, the first where a row asks for several; "
            "its arguments are those that the answer cannot do without. The passes here are of fewer calls: those of "
            "which the schedules can write an accepted answer."
        ),
        given=(),
        cells=tuple(
            Cell(row=row, column="BFCL", unit="", printed=printed_number("section_7", key), ours=exact(number))
            for row, (key, number) in counted.items()
        ),
    )


def _counts(calls: BfclCalls) -> dict[str, tuple[str, float]]:
    return {
        "calls": ("calls", float(len(calls.call_ids))),
        "tools that are called": ("tools", float(len(np.unique(calls.tools)))),
        "most arguments": ("most_arguments", float(calls.arguments.max())),
        "mean number of arguments": ("mean_arguments", float(calls.arguments.mean())),
    }
