"""Section 5: optional arguments, how common they are and how many passes deciding them takes."""

import numpy as np

from cost_models.protocol import BoolArray
from engine.commands import Phase, Status
from studies.paper.bfcl_calls import read_bfcl_calls
from studies.paper.estimate import exact, over_draws
from studies.paper.exhibit import Cell, Exhibit, Role
from studies.paper.given import CALLS
from studies.paper.phase_sums import call_sums, means_within, of_phase
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, Setting

WHICH_CALLS = "The paper does not say which calls the mean is over."
WHICH_SHARE = "The paper says calls; this is of the tools that are called."


def section_5(setting: Setting) -> Exhibit:
    """Passes of the optional arguments over three groups of calls, and the share of tools that have some."""
    table = setting.passes(BASE_MODEL, "schemaweaver")
    groups = {
        "calls that get one": table.statuses == str(Status.CORRECTED),
        "calls whose tool has some": table.statuses != str(Status.FINAL),
        "all calls": np.ones(table.run_count, dtype=np.bool_),
    }
    return Exhibit(
        key="section-5",
        title="Section 5: optional arguments",
        note=(
            "Passes that decide optional arguments and write them, by jump-forward behind the write-back; the first "
            "decision comes out of that pass, and two passes more stand for what Table 8's call takes beyond ours. How "
            "many calls get one was given. How common such tools are is counted in the dataset itself."
        ),
        given=CALLS,
        cells=(*(_pass_cell(setting, name, within) for name, within in groups.items()), *_share_cells()),
    )


def _pass_cell(setting: Setting, group: str, within: BoolArray) -> Cell:
    table = setting.passes(BASE_MODEL, "schemaweaver")
    of_calls = call_sums(table, of_phase(table, Phase.OPTIONAL))
    return Cell(
        row=f"passes of the optional arguments, {group}",
        column=BASE_MODEL,
        unit="passes",
        printed=printed_number("section_5", "optional_passes"),
        ours=over_draws(means_within(of_calls, within, setting.draws(BASE_MODEL))),
        role="open",
        why=WHICH_CALLS,
    )


def _share_cells() -> tuple[Cell, ...]:
    calls = read_bfcl_calls()
    _, of_tools = np.unique(calls.tools, return_index=True)
    has_optional = calls.optional > 0
    return (
        _share_cell("calls whose tool has optional arguments", float(has_optional.mean())),
        _share_cell("called tools that have some", float(has_optional[of_tools].mean()), "open", WHICH_SHARE),
    )


def _share_cell(row: str, share: float, role: Role = "predicted", why: str = "") -> Cell:
    printed = 100 * printed_number("section_5", "tools_with_optional_share")
    return Cell(row=row, column="BFCL", unit="%", printed=printed, ours=exact(100 * share), role=role, why=why)
