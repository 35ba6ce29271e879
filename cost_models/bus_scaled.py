"""A cost of which a part goes with the memory bus's clock and the rest does not: A + B / f."""

from dataclasses import dataclass, replace
from math import isfinite
from typing import overload

import numpy as np

from cost_models.as_asked import as_asked
from cost_models.errors import CostModelError
from cost_models.pass_size import pass_size
from cost_models.protocol import BoolArray, CostModel, FloatArray, NumberArray, Numbers
from cost_models.scaled import Scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class BusScaled:
    """What `reference` costs at `reference_mhz`, with its part that waits for the bus stretched to `bus_mhz`.

    `bus_part` is that part at the reference clock (B / reference_mhz); A is what is left of `reference`. Where it
    would be more than the whole, the whole pass waits. `host_ms` is the reference's and stays. `measured_mhz` are the
    lowest and the highest level that the two parts were told apart by; beyond them nothing is covered.

    Laws: a faster bus is never slower. At or below `reference_mhz` more rows, picks or context are never cheaper where
    they are not in both parts. Raises CostModelError, starting with the field's name, on anything that is no such
    model.
    """

    reference: CostModel
    bus_part: CostModel
    reference_mhz: float
    bus_mhz: float
    measured_mhz: tuple[float, float]

    def __post_init__(self) -> None:
        for name in ("reference_mhz", "bus_mhz"):
            value = getattr(self, name)
            if not (isfinite(value) and value > 0):
                raise CostModelError(f"{name}: found {value}, expected a finite number > 0")
        lowest, highest = self.measured_mhz
        if not 0 < lowest <= highest:
            raise CostModelError(f"measured_mhz: found {[lowest, highest]}, expected 0 < lowest <= highest")

    @property
    def host_ms(self) -> float:
        """Time per pass outside the forward pass, in milliseconds."""
        return self.reference.host_ms

    @overload
    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...

    @overload
    def pass_ms(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> FloatArray: ...

    def pass_ms(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> float | FloatArray:
        """Milliseconds of the pass; see CostModel."""
        fixed_ms, bus_ms = self.parts_ms(rows, picks, context_tokens)
        return as_asked(fixed_ms + bus_ms)

    @overload
    def covers(self, rows: float, picks: float, context_tokens: float) -> bool: ...

    @overload
    def covers(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> BoolArray: ...

    def covers(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> bool | BoolArray:
        """False outside the measured bus levels, and where either part was not measured."""
        size = pass_size(rows, picks, context_tokens)
        lowest, highest = self.measured_mhz
        at_level = lowest <= self.bus_mhz <= highest
        in_both = np.asarray(self.reference.covers(size.rows, size.picks, size.context_tokens)) & np.asarray(
            self.bus_part.covers(size.rows, size.picks, size.context_tokens)
        )
        covered: BoolArray = np.asarray(in_both & at_level)
        return as_asked(covered)

    def parts_ms(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> tuple[FloatArray, FloatArray]:
        """Milliseconds that do not wait for the bus, and that do at `bus_mhz`, in the passes' common shape."""
        size = pass_size(rows, picks, context_tokens)
        whole = np.asarray(self.reference.pass_ms(size.rows, size.picks, size.context_tokens))
        waiting = np.minimum(self.bus_part.pass_ms(size.rows, size.picks, size.context_tokens), whole)
        return np.asarray(whole - waiting), np.asarray(waiting * (self.reference_mhz / self.bus_mhz))

    def at(self, *, bus_mhz: float) -> "Scaled[BusScaled]":
        """This model with the bus at another clock, with what is assumed."""
        scaled = replace(self, bus_mhz=bus_mhz)
        lowest, highest = self.measured_mhz
        sentence = "The part of a pass that waits for the memory bus goes with 1 / clock; all else keeps its pace."
        beyond = f"{bus_mhz:g} MHz lies outside the measured levels, {lowest:g} to {highest:g} MHz."
        return Scaled(scaled, (sentence,) if lowest <= bus_mhz <= highest else (sentence, beyond))
