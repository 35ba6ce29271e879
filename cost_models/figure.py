"""The figures of a device, each with its source."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cost_models.chip import Chip
from cost_models.energy import Power
from cost_models.errors import CostModelError
from cost_models.json_node import JsonNode

CHIP_FIGURES = tuple(name for name in Chip.__dataclass_fields__ if name != "name")
POWER_FIGURES = tuple(Power.__dataclass_fields__)
MEMORY_FIGURES = ("memory_bytes", "buffer_bytes")
FIGURES = (*CHIP_FIGURES, *POWER_FIGURES, *MEMORY_FIGURES)
"""What a device can have: a chip's, its power's, and bytes of memory: in all, and those of an engine's buffers."""

_WHOLES = ("tile_rows", "cores")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number called `name` (of FIGURES, with its unit) and where it comes from."""

    name: str
    value: float
    source: str

    def __post_init__(self) -> None:
        if self.name in MEMORY_FIGURES and not self.value >= 0:
            raise CostModelError(f"{self.name}: found {self.value:g}, expected a number >= 0")
        if self.name in _WHOLES and self.value != int(self.value):
            raise CostModelError(f"{self.name}: found {self.value:g}, expected a whole number")
        if not self.source:
            raise CostModelError(f"{self.name}: has no source; expected a sentence that says where it comes from")


def chip_of(name: str, figures: Iterable[Figure]) -> Chip:
    """The chip with these figures; raises CostModelError, starting with a figure's name, where they make none."""
    found: dict[str, Any] = {each.name: _value(each) for each in figures if each.name in CHIP_FIGURES}
    for needed in ("bandwidth_gb_s", "gemv_gmac_s", "gemm_gmac_s"):
        if needed not in found:
            raise CostModelError(f"{needed}: is missing; a device's costs follow from it")
    return Chip(name=name, **found)


def power_of(figures: Iterable[Figure]) -> Power | None:
    """The power with these figures, None where none is given; raises CostModelError where only one is."""
    found = {each.name: each.value for each in figures if each.name in POWER_FIGURES}
    if not found:
        return None
    for needed in POWER_FIGURES:
        if needed not in found:
            raise CostModelError(f"{needed}: is missing; expected {' and '.join(POWER_FIGURES)}, or neither")
    return Power(**found)


def read_figures(data: JsonNode) -> tuple[Figure, ...]:
    """The figures of an object of names; raises CostModelError naming file, path, value and what is valid."""
    return tuple(_read(name, node, data) for name, node in data.members().items())


def _read(name: str, node: JsonNode, parent: JsonNode) -> Figure:
    if name not in FIGURES:
        raise node.wrong(f"one of the figures {', '.join(FIGURES)}")
    at = node.fields("value", "source")
    return parent.built(Figure, name=name, value=at["value"].number(), source=at["source"].text())


def _value(figure: Figure) -> float:
    return int(figure.value) if figure.name in _WHOLES else figure.value
