"""How many bytes a weight takes in a GGUF file, by the name of the file's quantisation.

Blocks are those of llama.cpp's `ggml-common.h`: 32 or 256 weights with their scales.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cost_models.errors import CostModelError
from cost_models.model_shape import ModelShape


@dataclass(frozen=True, slots=True)
class Quantisation:
    """Bytes per weight of the layers, and of an output layer."""

    name: str
    body_bytes_per_weight: float
    output_bytes_per_weight: float


_Q6_K = 210 / 256

QUANTISATIONS: Mapping[str, Quantisation] = {
    each.name: each
    for each in (
        Quantisation("F32", 4.0, 4.0),
        Quantisation("F16", 2.0, 2.0),
        Quantisation("BF16", 2.0, 2.0),
        Quantisation("Q8_0", 34 / 32, 34 / 32),
        # llama-quantize gives the output layer, and an embedding that is tied to it, 6 bits in these
        # (`llama_tensor_get_type_impl` in llama-quant.cpp).
        Quantisation("Q4_0", 18 / 32, _Q6_K),
        Quantisation("Q5_0", 22 / 32, _Q6_K),
        Quantisation("Q6_K", _Q6_K, _Q6_K),
    )
}
"""Those in which all layers are alike; a file of mixed ones says its bytes itself (`calibration.gguf_shape`)."""


def quantisation_named(name: str) -> Quantisation:
    """The quantisation called `name`; raises CostModelError that lists the names."""
    if name not in QUANTISATIONS:
        raise CostModelError(f"unknown quantisation {name!r}; choose one of: {', '.join(QUANTISATIONS)}")
    return QUANTISATIONS[name]


def quantised(shape: ModelShape, name: str) -> ModelShape:
    """`shape` with its weights in the quantisation called `name`; its name stays."""
    found = quantisation_named(name)
    return replace(
        shape,
        body_bytes_per_weight=found.body_bytes_per_weight,
        output_bytes_per_weight=found.output_bytes_per_weight,
    )
