"""Section 4.3: the tokens of a write-back, and its time."""

import numpy as np

from cost_models.protocol import BoolArray
from engine.commands import Phase
from studies.paper.bfcl_calls import required_arguments
from studies.paper.estimate import over_draws
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import ONEPLUS_CALLS
from studies.paper.phase_sums import call_sums, first_of_phase, means_within, passes_ms
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting

SCHEDULE = "schemaweaver"
ALL_CALLS = "Section 7.2 prints the same 522 ms for calls with two or more required values; these are all calls."


def section_4_3(setting: Setting) -> Exhibit:
    """Both readings of the mean: over calls with two or more required values, and over all."""
    required = required_arguments(setting.passes(BASE_MODEL, SCHEDULE))
    groups = {"two or more required values": required >= 2, "all calls": np.ones(len(required), dtype=np.bool_)}
    return Exhibit(
        key="section-4-3",
        title="Section 4.3: the write-back, OnePlus 12R",
        note=(
            "The rows of the pass that writes the assembled call to the trunk, and the time of it. Our schedule writes "
            "back the arguments alone, since its trunk has kept the call's head; 5 rows are added, by which Table 8's "
            "write-back is longer than ours. 34.5 tokens in 522 ms are 15 ms a token, where Table 10 has 9.8."
        ),
        given=ONEPLUS_CALLS,
        cells=tuple(cell for name, within in groups.items() for cell in _cells(setting, name, within)),
    )


def _cells(setting: Setting, group: str, within: BoolArray) -> tuple[Cell, ...]:
    table = setting.passes(BASE_MODEL, SCHEDULE)
    is_first = first_of_phase(table, Phase.WRITE_BACK)
    sums = {
        "tokens": (call_sums(table, is_first, table.rows), "write_back_tokens"),
        "ms": (call_sums(table, is_first, passes_ms(table, setting.cost(ONEPLUS))), "write_back_ms"),
    }
    is_open = group == "all calls"
    return tuple(
        Cell(
            row=f"write-back, {group}",
            column=BASE_MODEL,
            unit=unit,
            printed=printed_number("section_4_3", key),
            ours=over_draws(means_within(of_calls, within, setting.draws(BASE_MODEL))),
            role="open" if is_open else "predicted",
            why=ALL_CALLS if is_open else "",
        )
        for unit, (of_calls, key) in sums.items()
    )
