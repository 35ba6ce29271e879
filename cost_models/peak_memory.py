"""What running a model takes of a device's memory at its highest."""

from dataclasses import dataclass

from cost_models.errors import CostModelError
from cost_models.model_shape import ModelShape


@dataclass(frozen=True, slots=True, kw_only=True)
class PeakMemory:
    """Bytes by what they hold."""

    weight_bytes: float
    repacked_bytes: float
    cache_bytes: float
    buffer_bytes: float

    @property
    def total_bytes(self) -> float:
        return self.weight_bytes + self.repacked_bytes + self.cache_bytes + self.buffer_bytes


def peak_memory(
    shape: ModelShape, context_tokens: int, *, repacked: bool = True, buffer_bytes: float = 0.0
) -> PeakMemory:
    """The peak with room for `context_tokens` of context, all of whose cells are there from the start.

    Where the engine interleaves the weights for its kernels (`repacked`: llama.cpp's CPU_REPACK buffer), they are there
    twice, since the mapped file stays resident too. `buffer_bytes` are the engine's own. Raises CostModelError on a
    negative number.
    """
    for name, value in (("context_tokens", context_tokens), ("buffer_bytes", buffer_bytes)):
        if not value >= 0:
            raise CostModelError(f"{name}: found {value}, expected a number >= 0")
    return PeakMemory(
        weight_bytes=shape.resident_weight_bytes,
        repacked_bytes=shape.weight_bytes_per_pass if repacked else 0.0,
        cache_bytes=context_tokens * shape.cache_bytes_per_token,
        buffer_bytes=buffer_bytes,
    )
