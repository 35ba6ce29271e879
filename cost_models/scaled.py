"""A model of something that was not measured, with what had to be assumed for it."""

from dataclasses import dataclass
from typing import Generic, TypeVar

Model = TypeVar("Model", covariant=True)


@dataclass(frozen=True, slots=True)
class Scaled(Generic[Model]):
    """`model` for other conditions than its origin's; `assumed` are sentences, one for each condition that changed."""

    model: Model
    assumed: tuple[str, ...]
