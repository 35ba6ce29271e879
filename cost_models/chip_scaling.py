"""A chip's figures under other conditions, with what has to be assumed for each."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from cost_models.chip import Chip
from cost_models.conditions import Conditions
from cost_models.errors import CostModelError
from cost_models.scaled import Scaled

_Step = Callable[[Chip], Scaled[Chip]]


def scaled_chip(chip: Chip, conditions: Conditions) -> Scaled[Chip]:
    """`chip` under `conditions`, whose model and quantisation do not concern it; what it has already stays as it is.

    Raises CostModelError where one scales a condition that the chip does not know.
    """
    assumed: list[str] = []
    for step in _steps(chip, conditions):
        scaled = step(chip)
        chip, assumed = scaled.model, [*assumed, *scaled.assumed]
    return Scaled(chip, tuple(assumed))


def with_bus(bus_mhz: float, chip: Chip) -> Scaled[Chip]:
    """The memory bus at another clock: bandwidth goes with it."""
    old = _known(chip.bus_mhz, "bus_mhz", bus_mhz, chip)
    changed = replace(chip, bus_mhz=bus_mhz, bandwidth_gb_s=chip.bandwidth_gb_s * bus_mhz / old)
    return _said(changed, f"Bandwidth goes with the memory bus, from {old:g} to {bus_mhz:g} MHz; cores keep pace.")


def with_bandwidth(bandwidth_gb_s: float, chip: Chip) -> Scaled[Chip]:
    """Another bandwidth; what bus that would be is unknown."""
    old = chip.bandwidth_gb_s
    changed = replace(chip, bandwidth_gb_s=bandwidth_gb_s, bus_mhz=None)
    return _said(changed, f"The cores draw {bandwidth_gb_s:g} GB/s in place of {old:g} GB/s, and keep their pace.")


def with_clock(clock_mhz: float, chip: Chip) -> Scaled[Chip]:
    """The cores at another clock: all that they do goes with it, the host's part too."""
    old = _known(chip.clock_mhz, "clock_mhz", clock_mhz, chip)
    paced = _paced(chip, clock_mhz / old)
    changed = replace(paced, clock_mhz=clock_mhz, host_ms=chip.host_ms * old / clock_mhz)
    sentence = f"All work of the cores goes with their clock, from {old:g} to {clock_mhz:g} MHz; memory keeps its pace."
    return _said(changed, sentence)


def with_cores(cores: int, chip: Chip) -> Scaled[Chip]:
    """Another number of the same cores, which still draw the whole bandwidth."""
    old = _known(chip.cores, "cores", cores, chip)
    sentence = f"{cores} cores like the {old:g} known ones share the work evenly, and draw the same bandwidth."
    return _said(replace(_paced(chip, cores / old), cores=cores), sentence)


def with_tile(tile_rows: int, chip: Chip) -> Scaled[Chip]:
    """Kernels that multiply another number of rows at once, at the same rate as far as single rows allow."""
    gemm = min(chip.gemm_gmac_s, tile_rows * chip.gemv_gmac_s)
    sentence = (
        f"Kernels multiply {tile_rows} rows at once in place of {chip.tile_rows}, at {gemm:g} multiply-adds a "
        "nanosecond: as many as before, and at most so many rows one by one; a row over costs what it did."
    )
    return _said(replace(chip, tile_rows=tile_rows, gemm_gmac_s=gemm), sentence)


def _steps(chip: Chip, conditions: Conditions) -> Iterator[_Step]:
    for name, step in _STEPS.items():
        value = getattr(conditions, name)
        if value is not None and value != getattr(chip, name):
            yield partial(step, value)


def _paced(chip: Chip, factor: float) -> Chip:
    return replace(
        chip,
        gemv_gmac_s=chip.gemv_gmac_s * factor,
        gemm_gmac_s=min(chip.gemm_gmac_s * factor, chip.tile_rows * chip.gemv_gmac_s * factor),
        attention_gmac_s=chip.attention_gmac_s * factor,
        unpack_gweights_s=chip.unpack_gweights_s * factor,
    )


def _known(old: float | None, name: str, new: float, chip: Chip) -> float:
    if old is None:
        raise CostModelError(f"{name}: {chip.name} cannot be scaled to {new:g}: its own {name} is unknown")
    return old


def _said(chip: Chip, sentence: str) -> Scaled[Chip]:
    return Scaled(chip, (sentence,))


_STEPS: dict[str, Callable[..., Scaled[Chip]]] = {
    "bus_mhz": with_bus,
    "bandwidth_gb_s": with_bandwidth,
    "clock_mhz": with_clock,
    "cores": with_cores,
    "tile_rows": with_tile,
}
