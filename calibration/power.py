"""From the energy of calls under two schemes to what the cores draw and what a byte of memory costs."""

from dataclasses import dataclass

from cost_models.energy import Power
from engine.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeEnergy:
    """A call's energy under a plain scheme, and how many times less another takes.

    `call_j`, `call_s` and `call_bytes` are the plain scheme's joules, seconds and bytes moved. The ratios are plain
    over other: of the whole energy, of the memory's share of it, and of the time.
    """

    call_j: float
    call_s: float
    call_bytes: float
    energy_ratio: float
    memory_ratio: float
    time_ratio: float


def fit_power(scheme: SchemeEnergy) -> Power:
    """The rates at which cores draw by the time and memory by the byte, so that both schemes' energies are met.

    The plain call's CPU energy c and memory energy m solve c + m = call_j and
    c / time_ratio + m / memory_ratio = call_j / energy_ratio. Raises InputError where that has no solution of positive
    numbers.
    """
    for name in SchemeEnergy.__dataclass_fields__:
        if not getattr(scheme, name) > 0:
            raise InputError(f"{name}: found {getattr(scheme, name)}, expected a number > 0")
    cpu_j = cpu_energy_j(scheme)
    if not 0 <= cpu_j <= scheme.call_j:
        raise InputError(
            f"no split between cores and memory meets these ratios: energy {scheme.energy_ratio:g}, "
            f"memory {scheme.memory_ratio:g}, time {scheme.time_ratio:g}; energy's must lie between the other two"
        )
    return Power(
        cpu_watts=cpu_j / scheme.call_s,
        memory_nj_per_byte=(scheme.call_j - cpu_j) / scheme.call_bytes * 1e9,
    )


def cpu_energy_j(scheme: SchemeEnergy) -> float:
    """The cores' part of the plain call's energy; infinite where both ratios are the same."""
    difference = 1 / scheme.time_ratio - 1 / scheme.memory_ratio
    left = scheme.call_j * (1 / scheme.energy_ratio - 1 / scheme.memory_ratio)
    return left / difference if difference else float("inf")
