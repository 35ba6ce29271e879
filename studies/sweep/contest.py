"""The runs of several schedules at one point, in one table that is priced at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cost_models.protocol import BoolArray
from sim.distinct_passes import IntArray
from sim.pass_table import PassTable, joined


@dataclass(frozen=True, eq=False)
class Contest:
    """All runs, and of each schedule which of them are its, shape (runs,)."""

    table: PassTable
    of: Mapping[str, BoolArray]

    @cached_property
    def most_context_tokens(self) -> int:
        """Of all passes."""
        return int(self.table.distinct.context_tokens.max(initial=0))

    @cached_property
    def sizes(self) -> IntArray:
        """For each kind of pass the number of its rows and picks among all that there are, shape (kinds,)."""
        distinct = self.table.distinct
        sizes = np.stack((distinct.is_draft, distinct.rows, distinct.picks))
        return np.unique(sizes, axis=1, return_inverse=True)[1].ravel()


def contest(tables: Mapping[str, PassTable]) -> Contest:
    """The runs of `tables`, by schedule; a schedule has the runs of its own table only."""
    numbers = np.repeat(np.arange(len(tables)), [table.run_count for table in tables.values()])
    return Contest(joined(list(tables.values())), {name: numbers == at for at, name in enumerate(tables)})
