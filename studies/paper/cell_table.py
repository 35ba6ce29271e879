"""An exhibit's cells as a table: the paper's number, ours, and the difference, one below the other."""

from collections.abc import Sequence

from studies.paper.estimate import Estimate
from studies.paper.exhibit import Cell, Exhibit
from studies.text_table import MISSING, Table, number_cell

GIVEN, OPEN, EXTRAPOLATED = "g", "o", "*"
LEGEND = (
    f"{GIVEN} behind a difference: the cost models were given this number, so that the difference is the fit's.",
    f"{OPEN}: it is not clear what was printed, or something is not modelled; the cell is in no mean, a note tells.",
    f"{EXTRAPOLATED}: most of these calls have passes past what was measured.",
    "In brackets: the middle 95 % of draws of a hundred calls, where the number depends on which calls are drawn.",
)

MOST_PLACES = 3
"""So many cells that share a note are named in it."""


def cell_table(exhibit: Exhibit) -> Table:
    """Three lines for each of the exhibit's rows, with a column for each of its columns."""
    columns = tuple(dict.fromkeys(cell.column for cell in exhibit.cells))
    by_row: dict[tuple[str, str], dict[str, Cell]] = {}
    for cell in exhibit.cells:
        by_row.setdefault((cell.row, cell.unit), {})[cell.column] = cell
    lines = (line for (row, unit), cells in by_row.items() for line in _lines(row, unit, cells, columns))
    return Table(("", "", *columns), tuple(lines), label_columns=2)


def notes_on_cells(exhibit: Exhibit) -> tuple[str, ...]:
    """A sentence for each cell that says why it is open or lacks; cells with the same reason share one."""
    places: dict[str, list[str]] = {}
    for cell in exhibit.cells:
        if cell.why:
            places.setdefault(cell.why, []).append(f"{cell.row}, {cell.column}")
    return tuple(f"{_said_places(where)}: {why}" for why, where in places.items())


def _said_places(places: Sequence[str]) -> str:
    if len(places) <= MOST_PLACES:
        return "; ".join(places)
    return f"{len(places)} cells, such as {places[0]}"


def _lines(row: str, unit: str, cells: dict[str, Cell], columns: Sequence[str]) -> list[tuple[str, ...]]:
    there = [cells.get(column) for column in columns]
    kinds = (
        (f"paper, {unit}" if unit else "paper", [_printed(cell) for cell in there]),
        ("ours", [_ours(cell) for cell in there]),
        ("difference, %", [_difference(cell) for cell in there]),
    )
    return [(row, kind, *texts) for kind, texts in kinds]


def _printed(cell: Cell | None) -> str:
    return MISSING if cell is None or cell.printed is None else number_text(cell.printed)


def _ours(cell: Cell | None) -> str:
    return MISSING if cell is None or cell.ours is None else estimate_text(cell.ours)


def _difference(cell: Cell | None) -> str:
    if cell is None or cell.error is None:
        return MISSING
    marks = {"given": GIVEN, "open": OPEN, "predicted": ""}[cell.role]
    return f"{number_cell(100 * cell.error, 1, '+')}{marks}{EXTRAPOLATED if cell.extrapolated else ''}"


def estimate_text(estimate: Estimate) -> str:
    """The value, with its ends in brackets where draws change it."""
    if estimate.low == estimate.high:
        return number_text(estimate.value)
    return f"{number_text(estimate.value)} ({number_text(estimate.low)} to {number_text(estimate.high)})"


def number_text(value: float) -> str:
    """A number with about three digits that count."""
    size = abs(value)
    return number_cell(value, 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3)
