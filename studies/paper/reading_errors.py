"""How far predictions are from the paper in the mean, as one number for each part of it."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from studies.paper.estimate import over_draws
from studies.paper.figure_13 import figure_13_ratios
from studies.paper.printed import printed
from studies.paper.setting import BASE_MODEL, ONEPLUS, PHONES, Setting
from studies.paper.table_5 import latency_cells, passes_cells
from studies.paper.table_6 import latency_cells as droidcall_cells
from studies.paper.table_8 import printed_pass_cells

BASELINE = "constrained"
TABLE_5_SCHEMES = (BASELINE, "schemaweaver")


def table_5_error(setting: Setting, devices: Sequence[str] = PHONES) -> float:
    """The mean absolute error of Table 5's constrained and SchemaWeaver latencies on `devices`, open ones left out."""
    return _mean(_table_5(setting, devices))


def table_5_bias(setting: Setting, devices: Sequence[str] = PHONES) -> float:
    """The same with the errors' signs."""
    return fmean(_table_5(setting, devices))


def table_7_error(setting: Setting) -> float:
    """The mean absolute error of what Table 7's variants gain over constrained decoding."""
    printed_ms = {name: node.number() for name, node in printed("table_7").members().items()}
    constrained = setting.drawn_tool_starts(ONEPLUS, BASE_MODEL, BASELINE)
    ours = {
        name: over_draws(constrained / setting.drawn_tool_starts(ONEPLUS, BASE_MODEL, name)).value
        for name in printed_ms
    }
    return _mean(ours[name] * ms / printed_ms[BASELINE] - 1 for name, ms in printed_ms.items() if name != BASELINE)


def bus_error(setting: Setting) -> float:
    """The mean absolute error of section 7.3's ratios that were not given."""
    return _mean(cell.error for cell in figure_13_ratios(setting) if cell.counts and cell.error is not None)


def passes_error(setting: Setting, scheme: str = "schemaweaver") -> float:
    """The mean absolute error of Table 5's passes by `scheme`."""
    return _mean(cell.error for cell in passes_cells(setting, (scheme,)) if cell.counts and cell.error is not None)


def droidcall_error(setting: Setting, scheme: str = "schemaweaver") -> float:
    """The mean absolute error of Table 6's latencies by `scheme`, on both phones."""
    return _mean(cell.error for cell in droidcall_cells(setting, (scheme,)) if cell.error is not None)


def _table_5(setting: Setting, devices: Sequence[str]) -> list[float]:
    cells = latency_cells(setting, TABLE_5_SCHEMES, devices)
    return [cell.error for cell in cells if cell.counts and cell.error is not None]


def _mean(errors: Iterable[float]) -> float:
    return fmean(map(abs, errors))


def table_8_error(setting: Setting) -> float:
    """The mean absolute error of the phases of Table 8's call, by the passes that it prints."""
    return _mean(cell.error for cell in printed_pass_cells(setting) if cell.counts and cell.error is not None)
