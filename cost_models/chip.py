"""The figures of a processor and its memory that decide how fast it runs forward passes."""

from dataclasses import dataclass
from math import inf, isfinite

from cost_models.errors import CostModelError

_POSITIVE = ("bandwidth_gb_s", "gemv_gmac_s", "gemm_gmac_s")
_MAYBE_INFINITE = ("attention_gmac_s", "unpack_gweights_s")
_CONDITIONS = ("bus_mhz", "clock_mhz", "cores")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """What a set of cores reads and multiplies per second, for weights of one quantisation.

    `bandwidth_gb_s` is what they draw from memory, in 10^9 bytes a second; `gemm_gmac_s` and `gemv_gmac_s` are 10^9
    multiply-adds a second in whole tiles of `tile_rows` rows and in single rows, `attention_gmac_s` in attention to
    context that caches hold (left out: no time beyond reading it). A whole tile never takes less time than a single
    row.

    `overlap` says how much of the shorter of two, reading weights and multiplying them the first time, goes on behind
    the longer: 1 is a roofline's max(traffic, compute), 0 their sum.

    `unpack_gweights_s` are 10^9 weights a second of those that take less than a byte, which are made into bytes in each
    product anew; left out: no time. `host_ms` is the time per pass outside the engine's forward pass. `bus_mhz`,
    `clock_mhz` and `cores` are what the figures hold for, None where unknown. Raises CostModelError, starting with the
    field's name, on anything else.
    """

    name: str
    bandwidth_gb_s: float
    gemv_gmac_s: float
    gemm_gmac_s: float
    tile_rows: int = 1
    overlap: float = 1.0
    attention_gmac_s: float = inf
    unpack_gweights_s: float = inf
    host_ms: float = 0.0
    bus_mhz: float | None = None
    clock_mhz: float | None = None
    cores: int | None = None

    def __post_init__(self) -> None:
        for name in (*_POSITIVE, *_CONDITIONS):
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value > 0):
                raise CostModelError(f"{name}: found {value}, expected a finite number > 0")
        for name in _MAYBE_INFINITE:
            if not getattr(self, name) > 0:
                raise CostModelError(f"{name}: found {getattr(self, name)}, expected a number > 0")
        if not 0 <= self.overlap <= 1:
            raise CostModelError(f"overlap: found {self.overlap}, expected a number from 0 to 1")
        if not (isfinite(self.host_ms) and self.host_ms >= 0):
            raise CostModelError(f"host_ms: found {self.host_ms}, expected a finite number >= 0")
        self._check_tile()

    def _check_tile(self) -> None:
        if self.tile_rows < 1:
            raise CostModelError(f"tile_rows: found {self.tile_rows}, expected a whole number >= 1")
        if self.gemm_gmac_s > self.tile_rows * self.gemv_gmac_s:
            expected = f"at most tile_rows times gemv_gmac_s, {self.tile_rows * self.gemv_gmac_s:g}"
            raise CostModelError(f"gemm_gmac_s: found {self.gemm_gmac_s:g}, expected {expected}")
