"""The runs of several schedules at one point, in one table that is priced at once."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cost_models.protocol import BoolArray
from sim.pass_table import PassTable, joined


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """All runs, and of each schedule which of them are its, shape (runs,)."""

    table: PassTable
    of: Mapping[str, BoolArray]


def contest(tables: Mapping[str, PassTable]) -> Contest:
    """The runs of `tables`, by schedule; a schedule has the runs of its own table only."""
    numbers = np.repeat(np.arange(len(tables)), [table.run_count for table in tables.values()])
    return Contest(joined(list(tables.values())), {name: numbers == at for at, name in enumerate(tables)})
