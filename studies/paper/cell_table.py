"""An exhibit's cells as a table: the paper's number, ours, and the difference, one below the other."""

from collections.abc import Sequence

from studies.paper.exhibit import Cell, Exhibit
from studies.text_table import MISSING, Table, number_cell

GIVEN, OPEN, EXTRAPOLATED = "g", "o", "*"
MEANINGS = {
    GIVEN: "the cost models were given this number",
    OPEN: "not clear what was printed, or not modelled, and in no mean",
    EXTRAPOLATED: "most of these calls have passes past what was measured",
}
DRAWS = "95 % of draws"

MOST_PLACES = 3
"""So many cells that share a note are named in it."""


def cell_table(exhibit: Exhibit) -> Table:
    "Three lines for each of the exhibit's rows, with a column for each of its columns; a fourth where draws differ."
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
    kinds = [
        (f"paper, {unit}" if unit else "paper", [_printed(cell) for cell in there]),
        ("ours", [_ours(cell) for cell in there]),
        (DRAWS, [_range(cell) for cell in there]),
        ("difference, %", [_difference(cell) for cell in there]),
    ]
    return [(row, kind, *texts) for kind, texts in kinds if kind != DRAWS or set(texts) != {MISSING}]


def _printed(cell: Cell | None) -> str:
    return MISSING if cell is None or cell.printed is None else number_text(cell.printed)


def _ours(cell: Cell | None) -> str:
    return MISSING if cell is None or cell.ours is None else number_text(cell.ours.value)


def _range(cell: Cell | None) -> str:
    ours = None if cell is None else cell.ours
    if ours is None or ours.low == ours.high:
        return MISSING
    return f"{number_text(ours.low)} to {number_text(ours.high)}"


def _difference(cell: Cell | None) -> str:
    if cell is None or cell.error is None:
        return MISSING
    return f"{number_cell(100 * cell.error, 1, '+')}{''.join(_marks(cell))}"


def _marks(cell: Cell) -> tuple[str, ...]:
    """Those behind the cell's difference."""
    if cell.error is None:
        return ()
    role = {"given": (GIVEN,), "open": (OPEN,), "predicted": ()}[cell.role]
    return (*role, EXTRAPOLATED) if cell.extrapolated else role


def legend(exhibit: Exhibit) -> tuple[str, ...]:
    """A sentence on the marks that the exhibit's table has, none where it has none."""
    used = {mark for cell in exhibit.cells for mark in _marks(cell)}
    said = [f"{mark} {meaning}" for mark, meaning in MEANINGS.items() if mark in used]
    return (f"Behind a difference: {'; '.join(said)}.",) if said else ()


def number_text(value: float) -> str:
    """A number with about three digits that count."""
    size = abs(value)
    return number_cell(value, 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3)
