"""The parts of the paper that predictions are held to, and whether they hold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from studies.paper.exhibit import Cell, Exhibit
from studies.paper.figure_13 import figure_13
from studies.paper.layout import OURS
from studies.paper.setting import Setting
from studies.paper.summary import Errors, counted_cells, errors_of, worst_cell
from studies.paper.table_5 import table_5
from studies.paper.table_7 import table_7
from studies.paper.table_8 import PRINTED_PASSES, table_8
from studies.text_table import MISSING, Table, number_cell

AIM = 0.05
"""Of the mean absolute error."""

HEADERS = (
    "aimed for: at most 5 % in the mean",
    "cells",
    "mean\nerror %",
    "worst\nerror %",
    "reached",
    "mean error % in our\nschedules' own passes",
)
TOGETHER = "all of these"


@dataclass(frozen=True, slots=True)
class Aim:
    """A part of the paper that predictions are held to."""

    name: str
    key: str
    belongs: Callable[[Cell], bool]


AIMS: tuple[Aim, ...] = (
    Aim(
        "Table 8, phases and calls, by its passes",
        "table-8",
        lambda cell: cell.unit == "ms" and cell.column == PRINTED_PASSES,
    ),
    Aim("Table 7, ratios", "table-7", lambda cell: cell.unit == "x"),
    Aim(
        "Table 5, constrained and schemaweaver",
        "table-5",
        lambda cell: cell.unit == "ms" and cell.row.split(",")[0] in ("constrained", "schemaweaver"),
    ),
    Aim("Section 7.3, ratios", "figure-13", lambda cell: cell.unit == "x"),
)


@dataclass(frozen=True, slots=True)
class AimErrors:
    """What came out for an aim, None where it has no cells; `own` where calls are laid out as our schedules do."""

    name: str
    errors: Errors | None
    own: Errors | None

    @property
    def is_reached(self) -> bool:
        return self.errors is not None and self.errors.mean_error <= AIM


def in_own_layout(setting: Setting) -> tuple[Exhibit, ...]:
    """The exhibits that aims are about, with calls in our schedules' own passes."""
    own = setting.read(layout=OURS)
    return table_5(own), table_7(own), table_8(own), figure_13(own)


def aimed_cells(aim: Aim, exhibits: Sequence[Exhibit]) -> tuple[Cell, ...]:
    """The predicted cells that an aim is about."""
    return tuple(
        cell
        for exhibit in exhibits
        if exhibit.key == aim.key
        for cell in exhibit.cells
        if cell.counts and aim.belongs(cell)
    )


def aim_errors(exhibits: Sequence[Exhibit], own: Sequence[Exhibit]) -> tuple[AimErrors, ...]:
    """What came out for each aim, and for all their cells together."""
    found = [(aim.name, aimed_cells(aim, exhibits), aimed_cells(aim, own)) for aim in AIMS]
    cells = [cell for _, aimed, _ in found for cell in aimed]
    own_cells = [cell for _, _, aimed in found for cell in aimed]
    named = [*found, (TOGETHER, cells, own_cells)]
    return tuple(AimErrors(name, errors_of(aimed), errors_of(in_own)) for name, aimed, in_own in named)


def aim_table(errors: Sequence[AimErrors]) -> Table:
    """A row per aim."""
    return Table(HEADERS, tuple(map(_row, errors)))


def _row(aim: AimErrors) -> tuple[str, ...]:
    reached = MISSING if aim.errors is None else "yes" if aim.is_reached else "no"
    own = number_cell(None if aim.own is None else 100 * aim.own.mean_error, 1)
    return (aim.name, *counted_cells(aim.errors), worst_cell(aim.errors), reached, own)
