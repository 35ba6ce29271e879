"""When DroidCall's tools start."""

from collections.abc import Iterator

import numpy as np

from cost_models import CostModel
from cost_models.protocol import FloatArray
from engine.commands import Phase
from sim.pass_table import PHASES, PassTable
from studies.paper.open_point import Measure, OpenPoint, Outcome
from studies.paper.pass_sums import until_tool_start
from studies.paper.phase_sums import passes_ms
from studies.paper.printed import printed
from studies.paper.setting import PHONES, Setting
from studies.paper.table_6 import droidcall_passes, models

REQUIRED = frozenset({Phase.NAME, Phase.SKELETON, Phase.VALUES})
"""The phases of a call with its required arguments alone."""

DROIDCALL_START_QUESTION = (
    "SchemaWeaver's latency in Table 6 ends with the provisional call for the five read-only ones of 23 tools, and "
    "with the final call for the others. Ours is above the printed one, and far above it for Llama-3.2-1B, whose "
    "constrained and jump-forward latencies are near."
)
DROIDCALL_START_ANSWER = (
    "Llama-3.2-1B's printed latencies are nearly those of calls that start once their required values are there; the "
    "other models' lie between the two. The paper does not say why; its models may have written fewer optional "
    "arguments with SchemaWeaver, where ours write those of the accepted answers."
)


def droidcall_start(setting: Setting) -> OpenPoint:
    """With the final call, or as soon as the required values are there."""
    readings = {
        "with the final call, where a tool is not read-only or gets an optional argument": frozenset(Phase),
        "with the required values, in every call": REQUIRED,
    }
    return OpenPoint(
        key="droidcall-start",
        title="when DroidCall's tools start",
        question=DROIDCALL_START_QUESTION,
        answer=DROIDCALL_START_ANSWER,
        measures=tuple(
            Measure(f"error, {model}, {device}", is_share=True, is_signed=True)
            for device in PHONES
            for model in models()
        ),
        outcomes=tuple(Outcome(name, tuple(_errors(setting, phases))) for name, phases in readings.items()),
    )


def _errors(setting: Setting, phases: frozenset[Phase]) -> Iterator[float]:
    for device in PHONES:
        printed_ms = printed("table_6", "latency_ms", device, "schemaweaver").numbers()
        for model, ms in zip(models(), printed_ms, strict=True):
            table = droidcall_passes(setting, model, "schemaweaver")
            yield float(np.exp(np.log(phases_ms(table, setting.cost(device, model), phases)).mean())) / ms - 1


def phases_ms(table: PassTable, cost: CostModel, phases: frozenset[Phase]) -> FloatArray:
    """Of each run, shape (runs,), the time of the passes of `phases` that the tool's start waits for."""
    counted = np.isin(table.phases, [PHASES.index(phase) for phase in phases])
    return until_tool_start(table, passes_ms(table, cost) * counted)
