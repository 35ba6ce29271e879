"""How far predictions are from the paper, exhibit by exhibit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from studies.paper.exhibit import Cell, Exhibit
from studies.text_table import MISSING, Table, number_cell

HEADERS = (
    "",
    "cells\npredicted",
    "mean\nerror %",
    "bias %",
    "worst\nerror %",
    "cells\ngiven",
    "fit's\nerror %",
    "cells\nopen",
    "their\nerror %",
    "worst predicted cell",
)


@dataclass(frozen=True, slots=True)
class Errors:
    """Of cells whose errors are known: how many, the mean absolute error, the mean with its sign, the worst cell."""

    count: int
    mean_error: float
    bias: float
    worst: Cell


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


def open_errors(exhibit: Exhibit) -> Errors | None:
    return errors_of(cell for cell in exhibit.cells if cell.role == "open")


def given_errors(exhibit: Exhibit) -> Errors | None:
    return errors_of(cell for cell in exhibit.cells if cell.role == "given")


def summary_table(exhibits: Sequence[Exhibit]) -> Table:
    """A row per exhibit."""
    return Table(HEADERS, tuple(map(_row, exhibits)), label_columns=1)


def _row(exhibit: Exhibit) -> tuple[str, ...]:
    predicted, given = predicted_errors(exhibit), given_errors(exhibit)
    return (
        exhibit.title,
        *counted_cells(predicted),
        number_cell(None if predicted is None else 100 * predicted.bias, 1, "+"),
        worst_cell(predicted),
        *counted_cells(given),
        *counted_cells(open_errors(exhibit)),
        MISSING if predicted is None else f"{predicted.worst.row}, {predicted.worst.column}",
    )


def counted_cells(errors: Errors | None) -> tuple[str, str]:
    """How many cells, and their mean error in percent."""
    return ("0", MISSING) if errors is None else (str(errors.count), number_cell(100 * errors.mean_error, 1))


def worst_cell(errors: Errors | None) -> str:
    """The worst error in percent."""
    return MISSING if errors is None or errors.worst.error is None else number_cell(100 * errors.worst.error, 1, "+")
