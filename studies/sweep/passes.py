"""What a sweep's points are run on: passes, kept ones or those of schedules that run now."""

from collections.abc import Hashable
from typing import Protocol

from cost_models import CostModel
from sim.pass_table import PassTable
from studies.sweep.point import Point


class Passes(Protocol):
    """Where the passes of a point come from: runs of the same calls by every schedule."""

    def key(self, point: Point, cost: CostModel) -> Hashable:
        """Equal for points that have the same passes; `cost` counts for a schedule that decides by prices."""
        ...

    def table(self, point: Point, cost: CostModel) -> PassTable:
        """The runs by the point's schedule; its `batch_rows` are known."""
        ...

    def vocabulary(self, point: Point) -> str:
        """The name of the file whose tokens the passes are of."""
        ...
