"""The time of value passes by schedules that differ in nothing else: one by one, side by side, and padded."""

from dataclasses import dataclass, replace

import numpy as np

from cost_models.protocol import BoolArray, FloatArray
from engine.commands import Phase
from sim.distinct_passes import IntArray
from studies.paper.bfcl_calls import required_arguments
from studies.paper.phase_sums import call_sums, means_within, of_phase, passes_ms
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting

SERIAL, UNPADDED, PADDED = "skeleton", "parallel", "schemaweaver"


@dataclass(frozen=True, slots=True, eq=False)
class ValueTimes:
    """Mean milliseconds per call in each draw, shape (draws,).

    Of the value passes one by one, side by side, and padded; `padded_read` is of padded ones whose padding rows are
    picked from too. `first_tokens` is of a serial pass for each value, `one_pass` of one for all.
    """

    serial: FloatArray
    unpadded: FloatArray
    padded: FloatArray
    padded_read: FloatArray
    first_tokens: FloatArray
    one_pass: FloatArray


def value_times(setting: Setting, within: BoolArray) -> ValueTimes:
    """Over those of each draw's calls that are `within`, shape (calls,), on the OnePlus 12R."""
    draws, table = setting.draws(BASE_MODEL), setting.passes(BASE_MODEL, PADDED)
    required = required_arguments(table)
    serial_ms = _serial_pass_ms(setting, table.prompt_tokens)
    return ValueTimes(
        serial=means_within(_values_ms(setting, SERIAL), within, draws),
        unpadded=means_within(_values_ms(setting, UNPADDED), within, draws),
        padded=means_within(_values_ms(setting, PADDED), within, draws),
        padded_read=means_within(_values_ms(setting, PADDED, reads_padding=True), within, draws),
        first_tokens=means_within(required * serial_ms, within, draws),
        one_pass=means_within(np.minimum(required, 1) * serial_ms, within, draws),
    )


def is_padded(setting: Setting) -> BoolArray:
    """Which passes of the padded schedule have padding, shape (passes,): those with more rows than without it."""
    before, after = (setting.passes(BASE_MODEL, schedule) for schedule in (UNPADDED, PADDED))
    return np.asarray(after.rows > before.rows)


def _serial_pass_ms(setting: Setting, context_tokens: IntArray) -> FloatArray:
    cost = setting.cost(ONEPLUS)
    return cost.pass_ms(np.ones_like(context_tokens), 1, context_tokens) + cost.host_ms


def _values_ms(setting: Setting, schedule: str, reads_padding: bool = False) -> FloatArray:
    """By call, shape (calls,)."""
    table = setting.passes(BASE_MODEL, schedule)
    if reads_padding:
        table = replace(table, picks=np.where(is_padded(setting), table.rows, table.picks))
    return call_sums(table, of_phase(table, Phase.VALUES), passes_ms(table, setting.cost(ONEPLUS)))
