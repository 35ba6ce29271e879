"""How far predictions are from the paper, exhibit by exhibit."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from studies.paper.exhibit import Cell, Exhibit
from studies.paper.table_8 import PRINTED_PASSES
from studies.text_table import MISSING, Table, number_cell

HEADERS = (
    "",
    "cells\npredicted",
    "mean\nerror %",
    "bias %",
    "worst\nerror %",
    "cells\ngiven",
    "fit's\nerror %",
    "worst cell",
)
AIM_HEADERS = ("aimed for: at most 5 % in the mean", "cells", "mean\nerror %", "worst\nerror %")


@dataclass(frozen=True, slots=True)
class Errors:
    """Of cells whose errors are known: how many, the mean absolute error, the mean with its sign, the worst cell."""

    count: int
    mean_error: float
    bias: float
    worst: Cell


@dataclass(frozen=True, slots=True)
class Aim:
    """A part of the paper that predictions are held to."""

    name: str
    key: str
    belongs: Callable[[Cell], bool]


AIMS = (
    Aim("Table 8, phases of its passes", "table-8", lambda cell: cell.unit == "ms" and cell.column == PRINTED_PASSES),
    Aim("Table 7, ratios", "table-7", lambda cell: cell.unit == "x"),
    Aim(
        "Table 5, constrained and schemaweaver",
        "table-5",
        lambda cell: cell.unit == "ms" and cell.row.split(",")[0] in ("constrained", "schemaweaver"),
    ),
    Aim("Section 7.3, ratios", "figure-13", lambda cell: cell.unit == "x"),
)


def errors_of(cells: Iterable[Cell]) -> Errors | None:
    """The errors of `cells`; None where there are none."""
    known = [(cell.error, cell) for cell in cells if cell.error is not None]
    if not known:
        return None
    errors = [error for error, _ in known]
    worst = max(known, key=lambda pair: abs(pair[0]))[1]
    return Errors(len(known), fmean(map(abs, errors)), fmean(errors), worst)


def predicted_errors(exhibit: Exhibit) -> Errors | None:
    return errors_of(cell for cell in exhibit.cells if cell.counts)


def given_errors(exhibit: Exhibit) -> Errors | None:
    return errors_of(cell for cell in exhibit.cells if cell.role == "given")


def aimed_cells(aim: Aim, exhibits: Sequence[Exhibit]) -> tuple[Cell, ...]:
    """The predicted cells that an aim is about."""
    return tuple(
        cell
        for exhibit in exhibits
        if exhibit.key == aim.key
        for cell in exhibit.cells
        if cell.counts and aim.belongs(cell)
    )


def summary_table(exhibits: Sequence[Exhibit]) -> Table:
    """A row per exhibit."""
    return Table(HEADERS, tuple(map(_row, exhibits)), label_columns=1)


def aim_table(exhibits: Sequence[Exhibit]) -> Table:
    """A row per aim, and one for all cells of all aims."""
    named = [(aim.name, aimed_cells(aim, exhibits)) for aim in AIMS]
    together = [cell for _, cells in named for cell in cells]
    return Table(AIM_HEADERS, tuple(_aim_row(name, cells) for name, cells in (*named, ("all of these", together))))


def _row(exhibit: Exhibit) -> tuple[str, ...]:
    predicted, given = predicted_errors(exhibit), given_errors(exhibit)
    return (
        exhibit.title,
        *_counted(predicted),
        number_cell(None if predicted is None else 100 * predicted.bias, 1, "+"),
        _worst(predicted),
        *_counted(given),
        MISSING if predicted is None else f"{predicted.worst.row}, {predicted.worst.column}",
    )


def _aim_row(name: str, cells: Sequence[Cell]) -> tuple[str, ...]:
    errors = errors_of(cells)
    return (name, *_counted(errors), _worst(errors))


def _counted(errors: Errors | None) -> tuple[str, str]:
    return ("0", MISSING) if errors is None else (str(errors.count), number_cell(100 * errors.mean_error, 1))


def _worst(errors: Errors | None) -> str:
    return MISSING if errors is None or errors.worst.error is None else number_cell(100 * errors.worst.error, 1, "+")
