"""The conditions that a device's costs can be taken to."""

from dataclasses import dataclass
from math import isfinite

from cost_models.errors import CostModelError
from cost_models.model_shape import ModelShape
from cost_models.quantisation import quantisation_named

CHIP_CONDITIONS = ("bus_mhz", "bandwidth_gb_s", "clock_mhz", "cores", "tile_rows")
"""Those that concern the chip: numbers, of the same names as its figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What differs from how a device was measured; None: nothing.

    `bus_mhz` and `clock_mhz` are the clocks of the memory bus and of the cores, `bandwidth_gb_s` is 10^9 bytes a
    second, `cores` how many of the same kind, `tile_rows` how many rows the kernels multiply at once. `quantisation` (a
    name of `cost_models.quantisation`) applies to `model` where both are given. Raises CostModelError, starting with
    the field's name, on a number that is not positive, an unknown quantisation, and on `bus_mhz` with `bandwidth_gb_s`.
    """

    bus_mhz: float | None = None
    bandwidth_gb_s: float | None = None
    clock_mhz: float | None = None
    cores: int | None = None
    tile_rows: int | None = None
    quantisation: str | None = None
    model: ModelShape | None = None

    def __post_init__(self) -> None:
        for name in CHIP_CONDITIONS:
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value > 0):
                raise CostModelError(f"{name}: found {value:g}, expected a finite number > 0")
        if self.quantisation is not None:
            quantisation_named(self.quantisation)
        if self.bus_mhz is not None and self.bandwidth_gb_s is not None:
            both = f"bus_mhz ({self.bus_mhz:g}) or bandwidth_gb_s ({self.bandwidth_gb_s:g})"
            raise CostModelError(f"give {both}, not both")


AS_MEASURED = Conditions()
"""Nothing differs."""
