"""Some calls whose passes were counted before, for what-ifs that change none of them."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from cost_models import CostModel
from sim.pass_table import PassTable
from studies.sweep.point import Point


@dataclass(frozen=True, eq=False)
class DrawnPasses:
    """The same calls by each schedule, in the tokens of the file `vocabulary_name`, filled up to `tile_rows` rows."""

    tables: Mapping[str, PassTable]
    vocabulary_name: str
    tile_rows: int

    def key(self, point: Point, cost: CostModel) -> Hashable:
        """The schedule alone."""
        return point.schedule

    def table(self, point: Point, cost: CostModel) -> PassTable:
        """The drawn calls by the point's schedule, whatever the cost."""
        return self.tables[point.schedule]

    def vocabulary(self, point: Point) -> str:
        """The file whose tokens the passes are of."""
        return self.vocabulary_name
