"""What a point says of a device's conditions."""

from collections.abc import Mapping

from cost_models import ModelShape
from cost_models.conditions import Conditions
from studies.sweep.point import Point


def conditions_of(point: Point, models: Mapping[str, ModelShape]) -> Conditions:
    """The point's conditions, its model out of `models`; raises CostModelError for a number that is none of these."""
    return Conditions(
        bus_mhz=point.bus_mhz,
        bandwidth_gb_s=point.bandwidth_gb_s,
        clock_mhz=point.clock_mhz,
        cores=point.cores,
        tile_rows=point.tile_rows,
        quantisation=point.quantisation,
        model=None if point.model is None else models[point.model],
    )
