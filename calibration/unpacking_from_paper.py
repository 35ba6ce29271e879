"""How fast a phone's cores unpack 4-bit weights, from how much faster a paper prints a serial step with them."""

from dataclasses import dataclass, replace
from math import exp, log

from scipy.optimize import brentq

from cost_models import MeasuredTable
from cost_models.chip import Chip
from cost_models.conditions import Conditions
from cost_models.model_shape import ModelShape
from cost_models.rescaled import Rescaled
from cost_models.roofline import Roofline
from engine.errors import InputError

RATES_GWEIGHTS_S = (1.0, 1e4)
"""Between which the rate is looked for: a hundredth of what phones do, and hardly any time at all."""


@dataclass(frozen=True, slots=True)
class LighterStep:
    """On `phone` a serial step with weights in `quantisation` is `times_faster` than as measured, says `source`."""

    phone: str
    quantisation: str
    times_faster: float
    source: str


def unpacking_gweights_s(step: LighterStep, table: MeasuredTable, shape: ModelShape, chip: Chip) -> float:
    """10^9 weights a second, at which `table` under `step`'s quantisation has the step's time, the host's included.

    Raises InputError where no rate does.
    """
    tokens = table.reference_tokens
    wanted_ms = (table.pass_ms(1, 1, tokens) + table.host_ms) / step.times_faster
    origin, lighter = Roofline(shape=shape, chip=chip), Conditions(quantisation=step.quantisation)

    def excess_ms(log_rate: float) -> float:
        target = Roofline(shape=shape, chip=replace(chip, unpack_gweights_s=exp(log_rate)))
        cost = Rescaled(measured=table, origin=origin, target=target).at(lighter).model
        return cost.pass_ms(1, 1, tokens) + cost.host_ms - wanted_ms

    slowest, fastest = map(log, RATES_GWEIGHTS_S)
    if not excess_ms(slowest) > 0 > excess_ms(fastest):
        raise InputError(f"{step.phone}: no rate of unpacking makes a step {step.times_faster:g} times faster")
    return exp(float(brentq(excess_ms, slowest, fastest)))
