"""What a pass takes from the battery: the cores by the time, the memory by the bytes."""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from cost_models.errors import CostModelError
from cost_models.protocol import CostModel, FloatArray, Numbers
from cost_models.roofline import Roofline

ASSUMED = "Cores draw the power that they do as measured, and memory as much for each byte, whatever else changes."
"""Of energy under other conditions than a device's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The rates of the CPU's and the memory's supply rails.

    `cpu_watts` for as long as a pass lasts: llama.cpp's threads spin while they wait for memory or for each other.
    `memory_nj_per_byte` in 10^-9 joules for each byte read or written. Raises CostModelError on a negative one.
    """

    cpu_watts: float
    memory_nj_per_byte: float

    def __post_init__(self) -> None:
        for name in ("cpu_watts", "memory_nj_per_byte"):
            value = getattr(self, name)
            if not (isfinite(value) and value >= 0):
                raise CostModelError(f"{name}: found {value}, expected a finite number >= 0")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Energy:
    """Joules of passes, by supply rail; arrays of the passes' common shape."""

    cpu_j: FloatArray
    memory_j: FloatArray

    @property
    def total_j(self) -> FloatArray:
        return self.cpu_j + self.memory_j


def pass_energy(
    roofline: Roofline,
    power: Power,
    rows: Numbers,
    picks: Numbers,
    context_tokens: Numbers,
    *,
    cost: CostModel | None = None,
) -> Energy:
    """The energy of a pass, the host's time included; raises CostModelError on what is no pass.

    The time is `cost`'s, where it is given in place of the roofline's own; the bytes are the roofline's.
    """
    timed = roofline if cost is None else cost
    ms = timed.pass_ms(np.asarray(rows), picks, context_tokens) + timed.host_ms
    return Energy(
        cpu_j=np.asarray(power.cpu_watts * ms / 1e3),
        memory_j=np.asarray(power.memory_nj_per_byte * 1e-9 * roofline.bytes_moved(rows, picks, context_tokens)),
    )
