"""Cells of the paper's latency, until the tool starts, and of speed-ups over constrained decoding."""

from studies.paper.estimate import over_draws
from studies.paper.exhibit import Cell
from studies.paper.printed import printed
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting

BASELINE = "constrained"
LATENCY, SPEEDUP = "latency", "speed-up over constrained"


def table_cells(setting: Setting, table: str) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """Of a table that prints a latency per schedule on the OnePlus 12R: latencies, and the others' speed-ups."""
    printed_ms = {schedule: node.number() for schedule, node in printed(table).members().items()}
    latencies = (latency_cell(setting, ONEPLUS, schedule, ms) for schedule, ms in printed_ms.items())
    speedups = (
        speedup_cell(setting, ONEPLUS, schedule, printed_ms[BASELINE] / ms)
        for schedule, ms in printed_ms.items()
        if schedule != BASELINE
    )
    return tuple(latencies), tuple(speedups)


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
