"""A table of text cells, for the terminal and for the report."""

from dataclasses import dataclass

from engine.errors import InputError

MISSING = "-"
"""The cell of a number that nobody has."""


@dataclass(frozen=True, slots=True)
class Table:
    """Headers, and rows of as many cells; the first `label_columns` columns are words, the others numbers."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    label_columns: int = 1

    def __post_init__(self) -> None:
        if any(len(row) != len(self.headers) for row in self.rows):
            raise InputError(f"a table with headers {self.headers} has a row of another length")


def ms_cell(value: float | None) -> str:
    """A time in milliseconds with three digits that count."""
    if value is None:
        return MISSING
    size = abs(value)
    return number_cell(value, 0 if size >= 99.95 else 1 if size >= 9.995 else 2)


def number_cell(value: float | None, decimals: int, sign: str = "-") -> str:
    """A number with so many decimals; `sign` "+" shows the sign of positive ones too."""
    # Adding zero turns a rounded -0.0 into 0.0.
    return MISSING if value is None else f"{round(value, decimals) + 0.0:{sign},.{decimals}f}"
