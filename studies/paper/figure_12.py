"""Figure 12 and section 7.4: latency and speed-up by the number of a call's arguments."""

import numpy as np

from cost_models.protocol import BoolArray, FloatArray
from engine.commands import Status
from sim.pass_table import PassTable
from studies.paper.bfcl_calls import answered_arguments
from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.estimate import over_draws
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import LAID_OUT, ONEPLUS_CALLS
from studies.paper.phase_sums import geometric_means_within, means_within
from studies.paper.printed import printed, printed_number
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting
from studies.report import Figure

SCHEDULES = ("constrained", "jump_forward", "schemaweaver")
GROUPS = {"one": (1,), "two": (2,), "three": (3,), "four or more": tuple(range(4, 32))}
"""Numbers of arguments, in the figure's groups."""


def figure_12(setting: Setting) -> Exhibit:
    """Latencies until the tool starts, the speed-up over constrained decoding, and how often arguments are added."""
    latencies = tuple(_latency_cell(setting, schedule, group) for schedule in SCHEDULES for group in GROUPS)
    return Exhibit(
        key="figure-12",
        title="Figure 12: latency by the number of arguments, OnePlus 12R",
        note=(
            "The calls of a draw are told apart by the arguments of the dataset's answer. Means are geometric, over "
            "the calls of a group. The paper's speed-up falls from two arguments to three because of the optional "
            f"arguments that its model added. {LAID_OUT}"
        ),
        given=ONEPLUS_CALLS,
        cells=(
            *latencies,
            *speedup_cells(setting),
            *_share_cells(setting),
        ),
        figures=(Figure("Latency by the number of arguments", cell_chart(latencies, "ms to tool start"), CAPTION),),
    )


def in_group(table: PassTable, group: str) -> BoolArray:
    """Whether a run's call is of one of `GROUPS`, shape (runs,)."""
    return np.isin(answered_arguments(table), GROUPS[group])


def _drawn_ms(setting: Setting, schedule: str, group: str) -> FloatArray:
    within = in_group(setting.passes(BASE_MODEL, schedule), group)
    tool_start_ms = setting.latencies(ONEPLUS, BASE_MODEL, schedule).tool_start_ms
    return geometric_means_within(tool_start_ms, within, setting.draws(BASE_MODEL))


def _latency_cell(setting: Setting, schedule: str, group: str) -> Cell:
    return Cell(
        row=schedule,
        column=group,
        unit="ms",
        printed=None,
        ours=over_draws(_drawn_ms(setting, schedule, group)),
        extrapolated=setting.is_extrapolated(ONEPLUS, BASE_MODEL, schedule),
    )


def speedup_cells(setting: Setting) -> tuple[Cell, ...]:
    """The speed-up over constrained decoding in each of `GROUPS`."""
    ratios = printed("figure_12", "speedup").numbers()
    return tuple(_speedup_cell(setting, group, ratio) for group, ratio in zip(GROUPS, ratios, strict=True))


def _speedup_cell(setting: Setting, group: str, printed_ratio: float) -> Cell:
    before, after = (_drawn_ms(setting, schedule, group) for schedule in ("constrained", "schemaweaver"))
    return Cell(row="speed-up", column=group, unit="x", printed=printed_ratio, ours=over_draws(before / after))


def _share_cells(setting: Setting) -> tuple[Cell, ...]:
    """Of all calls, how many end in a corrected call; the printed shares were given where the reading has them."""
    table = setting.passes(BASE_MODEL, "schemaweaver")
    corrected = (table.statuses == str(Status.CORRECTED)).astype(np.float64)
    three = in_group(table, "three")
    groups = {"three": ("three", three), "others": ("the others", ~three)}
    return tuple(
        Cell(
            row="optional argument added",
            column=column,
            unit="%",
            printed=100 * printed_number("figure_12", "optional_added_share", name),
            ours=over_draws(100 * means_within(corrected, within, setting.draws(BASE_MODEL))),
            role="predicted" if setting.reading.optional_share is None else "given",
        )
        for name, (column, within) in groups.items()
    )
