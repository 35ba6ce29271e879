"""Measured costs taken to conditions that were not measured, by what a roofline says of the difference."""

from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from cost_models.as_asked import as_asked
from cost_models.conditions import Conditions
from cost_models.pass_size import pass_size
from cost_models.protocol import BoolArray, CostModel, FloatArray, NumberArray, Numbers
from cost_models.roofline import Roofline
from cost_models.scaled import Scaled


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescaled:
    """`measured` times what `target` costs over what `origin` does, pass by pass.

    `origin` is the roofline of what was measured, so that only its error in the ratio counts. As long as it is the
    target, costs are the measured ones. More bandwidth, a faster bus, a higher clock and more cores are never slower;
    over rows, picks and context costs go as the measured ones and the ratio do, together.
    """

    measured: CostModel
    origin: Roofline
    target: Roofline

    @property
    def host_ms(self) -> float:
        """Time per pass outside the forward pass: the measured one, as much longer as the target's is."""
        before, after = self.origin.host_ms, self.target.host_ms
        return self.measured.host_ms * (after / before if before else 1.0)

    @overload
    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...

    @overload
    def pass_ms(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> FloatArray: ...

    def pass_ms(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> float | FloatArray:
        """Milliseconds of the pass; see CostModel."""
        size = pass_size(rows, picks, context_tokens)
        measured, after, before = (
            np.asarray(model.pass_ms(size.rows, size.picks, size.context_tokens))
            for model in (self.measured, self.target, self.origin)
        )
        cost = measured * (after / before)
        return as_asked(cost)

    @overload
    def covers(self, rows: float, picks: float, context_tokens: float) -> bool: ...

    @overload
    def covers(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> BoolArray: ...

    def covers(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> bool | BoolArray:
        """What was measured, as long as nothing is scaled."""
        size = pass_size(rows, picks, context_tokens)
        covered = np.asarray(self.measured.covers(size.rows, size.picks, size.context_tokens))
        same = np.asarray(covered & (self.origin == self.target))
        return as_asked(same)

    def at(self, conditions: Conditions) -> "Scaled[Rescaled]":
        """These costs under other conditions, with what is assumed; see `Roofline.at`."""
        target = self.target.at(conditions)
        scaled = replace(self, target=target.model)
        ratio = "Measured costs change in the ratio in which a roofline's do."
        return Scaled(scaled, (ratio, *target.assumed) if target.assumed else ())
