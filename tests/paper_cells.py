"""Made-up cells of an exhibit, for the tests of what is said about them."""

from typing import Any

from studies.paper.estimate import Estimate, exact
from studies.paper.exhibit import Cell, Exhibit


def cell(printed: float | None, ours: float | Estimate | None, **changed: Any) -> Cell:
    estimate = exact(ours) if isinstance(ours, int | float) else ours
    known: dict[str, Any] = {"row": "constrained", "column": "Qwen3", "unit": "ms"}
    return Cell(**(known | {"printed": printed, "ours": estimate} | changed))


def exhibit(*cells: Cell, key: str = "table-5") -> Exhibit:
    return Exhibit(key=key, title="Table 5", note="Priced.", given=("Table 2",), cells=cells)
