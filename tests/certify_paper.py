"""What the study predicts, as certified values: `python tests/certify_paper.py` writes certified_paper.toml anew.

Look at what changed before it is committed: the file holds what predictions were, and a test holds them to it.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from studies.paper.aims import AIMS, Aim, aimed_cells
from studies.paper.devices import study_devices
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.exhibits import EXHIBITS
from studies.paper.reading import Reading
from studies.paper.setting import Setting
from studies.paper.summary import errors_of

CERTIFIED = Path(__file__).with_name("certified_paper.toml")
READING = Reading(draws=60, seed=0)
EXACT, DRAWN = 0.005, 0.015
"""Tolerances, shares of our number: where no draw changes it, and of medians over draws."""

HEADER = """\
# Made by `python tests/certify_paper.py`: what the study predicts of numbers that the paper prints.

[aims]                                  # mean absolute error over the cells, at most
"""
CELLS = "# Cells: row, column, unit, printed, role, ours, tolerance as a share of ours.\n"


@cache
def made_exhibit(make: Callable[[Setting], Exhibit]) -> Exhibit:
    """What one of EXHIBITS makes under the certified reading."""
    return make(Setting(devices=study_devices(()), reading=READING))


def made_exhibits() -> list[Exhibit]:
    return [made_exhibit(make) for make in EXHIBITS]


def certified_cells(exhibit: Exhibit) -> list[Cell]:
    """Those with a printed number and ours."""
    return [cell for cell in exhibit.cells if cell.error is not None]


def certificate(exhibits: Sequence[Exhibit]) -> str:
    aims = "".join(_aim_line(aim, exhibits) for aim in AIMS)
    sections = "\n".join(_section(exhibit) for exhibit in exhibits if certified_cells(exhibit))
    return f"{HEADER}{aims}\n{CELLS}{sections}"


def _aim_line(aim: Aim, exhibits: Sequence[Exhibit]) -> str:
    """With the mean error rounded up to half a percent."""
    errors = errors_of(aimed_cells(aim, exhibits))
    assert errors is not None, aim.name
    most = math.ceil(200 * errors.mean_error + 0.2) / 200
    return f"{json.dumps(aim.name)} = {{ cells = {errors.count}, mean_error = {most:g} }}\n"


def _section(exhibit: Exhibit) -> str:
    return f"[exhibits.{exhibit.key}]\ncells = [\n{''.join(_lines(exhibit))}]\n"


def _lines(exhibit: Exhibit) -> Iterator[str]:
    for cell in certified_cells(exhibit):
        ours, printed = cell.ours, cell.printed
        assert ours is not None
        assert printed is not None
        tolerance = EXACT if ours.low == ours.high else DRAWN
        names = [cell.row, cell.column, cell.unit, float(printed), cell.role, float(f"{ours.value:.5g}"), tolerance]
        yield f"    {json.dumps(names, ensure_ascii=False)},\n"


if __name__ == "__main__":
    CERTIFIED.write_text(certificate(made_exhibits()), encoding="utf-8")
