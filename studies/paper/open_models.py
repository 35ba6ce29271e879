"""Models whose latencies on the phones need more than their shape: 4-bit weights, and weights that do not fit."""

from collections.abc import Mapping
from math import inf

import numpy as np

from cost_models import CostModel, peak_memory
from cost_models.figure import Figure
from cost_models.models import read_model
from engine.errors import InputError
from studies.paper.changed_device import with_figure
from studies.paper.open_point import Measure, OpenPoint, Outcome
from studies.paper.pass_sums import until_tool_start
from studies.paper.printed import printed
from studies.paper.setting import BASE_MODEL, ONEPLUS, PHONES, PIXEL, Setting
from studies.paper.table_5 import models
from studies.text_table import number_cell

FOUR_BIT = "Qwen3-1.7B-Q4_0"
SCHEDULES = ("constrained", "schemaweaver")
SWAPPED = "Qwen3-4B"
SWAPPED_BYTES = 1.5e9
"""Section 7.2: up to so much of the model was in compressed swap."""

CONTEXT_TOKENS = 512
RATE = "unpack_gweights_s"
FREE = "unpacking takes no time"
AS_A_BUS = "no time, and lighter weights as a faster bus"

FOUR_BIT_UNPACKING_QUESTION = (
    "Section 7.2 has Qwen3-1.7B's step by only 13 % faster with 4-bit weights, because of their unpacking. By Table "
    "5's latencies over its passes a step takes 0.89 of the 8-bit model's on the OnePlus 12R and 0.73 on the Pixel 7."
)
FOUR_BIT_UNPACKING_ANSWER = (
    "On the OnePlus 12R the rate that section 7.2's 13 % gives brings SchemaWeaver's latency, which no fit saw, to "
    "the printed one; it is taken there. On the Pixel 7 unpacking must be free, and the step is what section 7.3's "
    "parts give: what waits for the bus shrinks with the bytes, and the rest stays. Latencies stay above the printed "
    "ones, since the paper's 4-bit model writes shorter calls (Table 5's passes)."
)
SWAPPED_MEASURES = (
    Measure("printed (ms)", 0),
    Measure("ours (ms)", 0),
    Measure("rows in a pass of ours", 2),
    Measure("missing per printed pass (ms)", 0),
    Measure("GB/s if 1.5 GB come back in each", 1),
)
SWAPPED_MODEL_QUESTION = (
    "The model takes {once:.1f} GB, and {twice:.1f} GB where the engine keeps its weights interleaved beside the "
    "file's, of the phone's {memory:.0f} GB. The paper has up to 1.5 GB of it in compressed swap, and prints latencies "
    "several times ours."
)
SWAPPED_MODEL_ANSWER = (
    "What is missing per pass is neither the same nor does it go with the rows of a pass: jump-forward's lack the "
    "most, with half as many rows as SchemaWeaver's. No single rate of swapping explains the three, and none is "
    "modelled."
)


def four_bit_unpacking(setting: Setting) -> OpenPoint:
    """What unpacking 4-bit weights costs, on either phone."""
    rate = setting.device(ONEPLUS).value(RATE) or inf
    unpacked = f"{number_cell(rate, 0)} x 10^9 weights unpacked per second in each product, by section 7.2's 13 %"
    outcomes = {
        "printed": (*map(_printed_step_ratio, PHONES), None, None, None, None),
        FREE: _four_bit_numbers(with_unpacking(setting, inf)),
        unpacked: _four_bit_numbers(with_unpacking(setting, rate)),
        AS_A_BUS: _as_a_bus_numbers(setting),
    }
    return OpenPoint(
        key="four-bit-unpacking",
        title="what unpacking 4-bit weights costs",
        question=FOUR_BIT_UNPACKING_QUESTION,
        answer=FOUR_BIT_UNPACKING_ANSWER,
        measures=(
            *(Measure(f"step over the 8-bit one, {phone}", 2) for phone in PHONES),
            *(
                Measure(f"error of Table 5's {schedule}, {phone}", is_share=True, is_signed=True)
                for phone in PHONES
                for schedule in SCHEDULES
            ),
        ),
        outcomes=tuple(Outcome(name, numbers) for name, numbers in outcomes.items()),
    )


def swapped_model(setting: Setting) -> OpenPoint:
    """Qwen3-4B on the Pixel 7."""
    memory = setting.device(PIXEL).memory_bytes or inf
    shape = read_model(SWAPPED)
    once, twice = (
        peak_memory(shape, CONTEXT_TOKENS, repacked=repacked).total_bytes / 1e9 for repacked in (False, True)
    )
    return OpenPoint(
        key="swapped-model",
        title="Qwen3-4B on the Pixel 7",
        question=SWAPPED_MODEL_QUESTION.format(once=once, twice=twice, memory=memory / 1e9),
        answer=SWAPPED_MODEL_ANSWER,
        measures=SWAPPED_MEASURES,
        outcomes=tuple(
            Outcome(schedule, _swap_numbers(setting, schedule))
            for schedule in ("constrained", "jump_forward", "schemaweaver")
        ),
    )


def with_unpacking(setting: Setting, rate_gweights_s: float) -> Setting:
    """The phones with such a rate."""
    for phone in PHONES:
        setting = with_figure(setting, phone, Figure(name=RATE, value=rate_gweights_s, source="varied"))
    return setting


def _four_bit_numbers(setting: Setting) -> tuple[float | None, ...]:
    errors = (_error(setting, phone, FOUR_BIT, schedule) for phone in PHONES for schedule in SCHEDULES)
    return (*(_step_ratio(setting, phone) for phone in PHONES), *errors)


def _as_a_bus_numbers(setting: Setting) -> tuple[float | None, ...]:
    """The 8-bit model with the bus as many times faster as the 4-bit model has fewer bytes to read."""
    device = setting.device(PIXEL)
    if device.chip.bus_mhz is None:
        raise InputError(f"{PIXEL}: the clock of its memory bus is unknown")
    bus_mhz = device.chip.bus_mhz * device.model.weight_bytes_per_pass / read_model(FOUR_BIT).weight_bytes_per_pass
    faster, plain = (_step_ms(setting.cost(PIXEL, BASE_MODEL, mhz)) for mhz in (bus_mhz, None))
    errors = (_error(setting, PIXEL, BASE_MODEL, schedule, bus_mhz) for schedule in SCHEDULES)
    return (None, faster / plain, None, None, *errors)


def _error(setting: Setting, device: str, model: str, schedule: str, bus_mhz: float | None = None) -> float:
    """Of `model`'s latency, held against the printed one of the 4-bit model."""
    ours_ms = setting.tool_start(device, model, schedule, bus_mhz).value
    return ours_ms / _printed_ms(device, FOUR_BIT, schedule) - 1


def _step_ratio(setting: Setting, device: str) -> float:
    return _step_ms(setting.cost(device, FOUR_BIT)) / _step_ms(setting.cost(device, BASE_MODEL))


def _step_ms(cost: CostModel) -> float:
    return cost.pass_ms(1, 1, CONTEXT_TOKENS) + cost.host_ms


def _printed_step_ratio(device: str) -> float:
    four_bit, eight_bit = (
        _printed_ms(device, model, "constrained") / _printed_passes(model, "constrained")
        for model in (FOUR_BIT, BASE_MODEL)
    )
    return four_bit / eight_bit


def _swap_numbers(setting: Setting, schedule: str) -> tuple[float, ...]:
    printed_ms, ours_ms = _printed_ms(PIXEL, SWAPPED, schedule), setting.tool_start(PIXEL, SWAPPED, schedule).value
    missing_ms = (printed_ms - ours_ms) / _printed_passes(SWAPPED, schedule)
    return printed_ms, ours_ms, _rows_per_pass(setting, schedule), missing_ms, SWAPPED_BYTES / (missing_ms * 1e6)


def _rows_per_pass(setting: Setting, schedule: str) -> float:
    """Of the passes that the tool's start waits for, over all calls of all draws."""
    table, draws = setting.passes(SWAPPED, schedule), setting.draws(SWAPPED)
    rows, passes = (until_tool_start(table, each)[draws].sum() for each in (table.rows, np.ones(len(table.runs))))
    return float(rows / passes)


def _printed_ms(device: str, model: str, scheme: str) -> float:
    return _of_models(*printed("table_5", "latency_ms", device, scheme).numbers())[model]


def _printed_passes(model: str, scheme: str) -> float:
    return _of_models(*printed("table_5", "passes", scheme).numbers())[model]


def _of_models(*numbers: float) -> Mapping[str, float]:
    return dict(zip(models(), numbers, strict=True))
