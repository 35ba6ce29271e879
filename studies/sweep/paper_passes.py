"""Passes of calls as the study of the paper has them, for what-ifs of the system that the paper measured."""

from collections.abc import Hashable, Sequence

import numpy as np

from cost_models import CostModel
from sim.pass_data import read_pass_data
from sim.pass_table import PassTable
from studies.paper.reading import Reading
from studies.paper.workload import Workload, pass_data_of
from studies.sweep.point import Point

TILE_ROWS = 4
"""What the study's passes are filled up to."""


class PaperPasses:
    """One draw of calls of one family of models, by every schedule: `studies.paper.reading` says how."""

    def __init__(self, family: str, schedules: Sequence[str], calls: int, seed: int) -> None:
        """Raises InputError where a schedule's passes were not counted, or there are fewer calls."""
        reading = Reading(calls=calls, draws=1, seed=seed)
        workload = Workload(family, reading)
        self._vocabulary = read_pass_data(pass_data_of(family, reading)[0]).key.vocabulary
        (drawn,) = workload.draws()
        self._tables = {name: _chosen(workload.passes(name), drawn.tolist()) for name in dict.fromkeys(schedules)}

    def key(self, point: Point, cost: CostModel) -> Hashable:
        """The schedule alone."""
        return point.schedule

    def table(self, point: Point, cost: CostModel) -> PassTable:
        """The drawn calls by the point's schedule, whatever the cost."""
        return self._tables[point.schedule]

    def vocabulary(self, point: Point) -> str:
        """The file whose tokens the passes are of."""
        return self._vocabulary


def _chosen(table: PassTable, numbers: Sequence[int]) -> PassTable:
    return table.chosen(np.isin(np.arange(table.run_count), numbers))
