"""Kept passes of several families of models: each point has those of its model's family."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from cost_models import CostModel
from sim.pass_table import PassTable
from studies.sweep.drawn_passes import DrawnPasses
from studies.sweep.point import Point

Place = tuple[str, str | None]
"""A device and a model by name, None for the device's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassesByModel:
    """`names` of kept passes by place, and the passes by their name."""

    names: Mapping[Place, str]
    kept: Mapping[str, DrawnPasses]

    def key(self, point: Point, cost: CostModel) -> Hashable:
        """The passes' name and the schedule."""
        return self._name(point), self.kept[self._name(point)].key(point, cost)

    def table(self, point: Point, cost: CostModel) -> PassTable:
        """The drawn calls by the point's schedule, whatever the cost."""
        return self.kept[self._name(point)].table(point, cost)

    def vocabulary(self, point: Point) -> str:
        """The file whose tokens the point's passes are of."""
        return self.kept[self._name(point)].vocabulary(point)

    def _name(self, point: Point) -> str:
        return self.names[point.device, point.model]
