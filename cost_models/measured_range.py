"""The pass sizes that were measured."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from cost_models.errors import CostModelError
from cost_models.json_node import JsonNode
from cost_models.pass_size import PassSize
from cost_models.protocol import BoolArray


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRange:
    """Up to so many rows and picks, with context tokens from `context_tokens[0]` to `context_tokens[1]`."""

    rows: int
    picks: int
    context_tokens: tuple[int, int]

    def __post_init__(self) -> None:
        lowest, highest = self.context_tokens
        if not 1 <= lowest <= highest:
            raise CostModelError(f"context_tokens: found {[lowest, highest]}, expected 1 <= lowest <= highest")
        for name in ("rows", "picks"):
            if getattr(self, name) < 1:
                raise CostModelError(f"{name}: found {getattr(self, name)}, expected a whole number >= 1")

    def holds(self, size: PassSize) -> BoolArray:
        """Whether each pass lies within, in their common shape."""
        lowest, highest = self.context_tokens
        within = (size.context_tokens >= lowest) & (size.context_tokens <= highest)
        return np.asarray(within & (size.rows <= self.rows) & (size.picks <= self.picks))

    def to_json(self) -> dict[str, Any]:
        """The range as plain JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonNode) -> "MeasuredRange":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__)
        context = at["context_tokens"].wholes()
        if len(context) != 2:
            raise at["context_tokens"].wrong("two whole numbers, lowest and highest")
        tokens = (context[0], context[1])
        return data.built(cls, rows=at["rows"].whole(), picks=at["picks"].whole(), context_tokens=tokens)
