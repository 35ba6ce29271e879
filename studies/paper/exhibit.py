"""A table or figure of the paper beside what is predicted of it, cell by cell."""

from dataclasses import dataclass
from typing import Literal

from studies.paper.estimate import Estimate
from studies.report import Figure

Role = Literal["predicted", "given", "open"]
"""What a printed number is to the prediction beside it.

`predicted`: nothing that the prediction was made of knows it. `given`: the cost models were fitted to it, so that its
error is the fit's. `open`: it stands for something that is not modelled or not printed clearly, so that its error says
little; it is left out of the errors, and its cell says why.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One printed number and ours.

    `printed` is None where the paper has a picture only, `ours` where there is no prediction; `why` says so then, and
    for a cell that is `open`. `extrapolated`: our number rests on passes past what was measured.
    """

    row: str
    column: str
    unit: str
    printed: float | None
    ours: Estimate | None
    role: Role = "predicted"
    extrapolated: bool = False
    why: str = ""

    @property
    def error(self) -> float | None:
        """Ours over the printed number, minus 1; None where one of them lacks."""
        if self.printed is None or self.ours is None or self.printed == 0:
            return None
        return self.ours.value / self.printed - 1

    @property
    def counts(self) -> bool:
        """Whether the cell is in the errors of predictions."""
        return self.role == "predicted" and self.error is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """`key` as in "table-5"; `given` names the printed numbers that its predictions were made of.

    `note` says how the predictions come about, and `assumed` what had to be assumed for them.
    """

    key: str
    title: str
    note: str
    given: tuple[str, ...]
    cells: tuple[Cell, ...]
    assumed: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()

    @property
    def errors(self) -> tuple[float, ...]:
        """Of the cells that were predicted."""
        return tuple(cell.error for cell in self.cells if cell.counts and cell.error is not None)
