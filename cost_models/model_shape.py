"""The numbers of a language model that decide what a forward pass of it moves and multiplies."""

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from cost_models.errors import CostModelError
from cost_models.json_node import JsonNode

_WHOLES = ("layers", "width", "feed_forward_width", "heads", "kv_heads", "head_width", "vocabulary_size")
_BYTES = ("body_bytes_per_weight", "output_bytes_per_weight", "cache_bytes_per_number")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelShape:
    """A decoder of equal layers: attention with grouped key and value heads, then a gated feed-forward network.

    `width` is that of the residual stream, `head_width` that of one head; `heads` of them need not add up to the width
    (in Qwen3-0.6B they do not). The body are the matrices of all layers; the output layer is one matrix of vocabulary
    by width, the same as the embedding where `tied_output`. Bytes per weight are those of the file's blocks, scales
    included (`cost_models.quantisation`), and `cache_bytes_per_number` those of a key's or value's number. Vectors
    (norms) are left out: less than 0.02 % of the weights of the models this was checked with.

    Raises CostModelError, starting with the field's name, on anything that is no such model.
    """

    name: str
    layers: int
    width: int
    feed_forward_width: int
    heads: int
    kv_heads: int
    head_width: int
    vocabulary_size: int
    tied_output: bool
    body_bytes_per_weight: float
    output_bytes_per_weight: float
    cache_bytes_per_number: float = 2.0

    def __post_init__(self) -> None:
        for name in _WHOLES:
            if getattr(self, name) < 1:
                raise CostModelError(f"{name}: found {getattr(self, name)}, expected a whole number >= 1")
        if self.heads % self.kv_heads:
            raise CostModelError(f"kv_heads: found {self.kv_heads}, expected a divisor of heads, {self.heads}")
        for name in _BYTES:
            value = getattr(self, name)
            if not isfinite(value) or value <= 0:
                raise CostModelError(f"{name}: found {value}, expected a finite number > 0")

    @property
    def body_weights(self) -> int:
        """How many numbers the matrices of all layers hold: as many multiply-adds as a row takes, attention aside."""
        queries_and_output = 2 * self.width * self.heads * self.head_width
        keys_and_values = 2 * self.width * self.kv_heads * self.head_width
        return self.layers * (queries_and_output + keys_and_values + 3 * self.width * self.feed_forward_width)

    @property
    def output_weights(self) -> int:
        """How many numbers the output layer holds: as many multiply-adds as a pick takes."""
        return self.vocabulary_size * self.width

    @property
    def parameters(self) -> int:
        """How many numbers the model has, those of its vectors left out; a tied output layer counts once."""
        return self.body_weights + self.output_weights * (1 if self.tied_output else 2)

    @property
    def body_bytes(self) -> float:
        """What each pass reads of the weights, however many rows it has."""
        return self.body_weights * self.body_bytes_per_weight

    @property
    def output_bytes(self) -> float:
        """What a pass that is picked from reads besides, once for each product with the output layer."""
        return self.output_weights * self.output_bytes_per_weight

    @property
    def weight_bytes_per_pass(self) -> float:
        """What a pass with a pick reads of the weights; of the embedding it reads single rows only."""
        return self.body_bytes + self.output_bytes

    @property
    def resident_weight_bytes(self) -> float:
        """What the weights take: with a tied output layer as much as a pass reads."""
        embedding_bytes = 0.0 if self.tied_output else self.output_weights * self.body_bytes_per_weight
        return self.weight_bytes_per_pass + embedding_bytes

    @property
    def cache_bytes_per_token(self) -> float:
        """What the keys and values of one context token take."""
        return 2 * self.layers * self.kv_heads * self.head_width * self.cache_bytes_per_number

    @property
    def multiply_adds_per_row_and_token(self) -> int:
        """Of one row's attention to one context token: with its key, and with its value."""
        return 2 * self.layers * self.heads * self.head_width

    def to_json(self) -> dict[str, Any]:
        """The shape as plain JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonNode) -> "ModelShape":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__)
        numbers: dict[str, Any] = {
            **{name: at[name].whole() for name in _WHOLES},
            **{name: at[name].number() for name in _BYTES},
        }
        return data.built(cls, name=at["name"].text(), tied_output=at["tied_output"].truth(), **numbers)
