"""Cells of the paper's latency, until the tool starts, and of speed-ups over constrained decoding."""

from studies.paper.estimate import over_draws
from studies.paper.exhibit import Cell
from studies.paper.setting import BASE_MODEL, Setting

BASELINE = "constrained"
LATENCY, SPEEDUP = "latency", "speed-up over constrained"


def latency_cell(setting: Setting, device: str, schedule: str, printed_ms: float, model: str = BASE_MODEL) -> Cell:
    """The geometric mean of the latency by `schedule`."""
    return Cell(
        row=schedule,
        column=LATENCY,
        unit="ms",
        printed=printed_ms,
        ours=setting.tool_start(device, model, schedule),
        extrapolated=setting.is_extrapolated(device, model, schedule),
    )


def speedup_cell(setting: Setting, device: str, schedule: str, printed: float, model: str = BASE_MODEL) -> Cell:
    """How many times sooner the tool starts than by constrained decoding, draw by draw."""
    before, after = (setting.drawn_tool_starts(device, model, name) for name in (BASELINE, schedule))
    return Cell(
        row=schedule,
        column=SPEEDUP,
        unit="x",
        printed=printed,
        ours=over_draws(before / after),
        extrapolated=setting.is_extrapolated(device, model, schedule),
    )
