"""How far predictions are from the paper in the mean, as one number for each part of it."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from studies.paper.estimate import over_draws
from studies.paper.figure_13 import figure_13_ratios
from studies.paper.printed import printed, printed_number
from studies.paper.setting import BASE_MODEL, ONEPLUS, PHONES, Setting
from studies.paper.table_5 import latency_cells

BASELINE = "constrained"
TABLE_8: Mapping[str, Sequence[tuple[int, int]]] = {
    "name": ((6, 1),),
    "skeleton": ((19, 2),),
    "values": ((4, 4), (1, 1)),
    "write_back": ((18, 1),),
    "optional": ((1, 1), (1, 1), (1, 1), (4, 1)),
}
"""Rows and picks of each phase's passes, as the printed passes and tokens have them."""

TABLE_8_TOKENS = 280
"""The call's context: a prompt of 262 tokens by Qwen2.5's template, and 36 of call."""

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


def _table_5(setting: Setting, devices: Sequence[str]) -> list[float]:
    cells = latency_cells(setting, TABLE_5_SCHEMES, devices)
    return [cell.error for cell in cells if cell.counts and cell.error is not None]


def _mean(errors: Iterable[float]) -> float:
    return fmean(map(abs, errors))


def table_8_error(setting: Setting) -> float:
    """The mean absolute error of the phases of Table 8's call, by the rows and picks that fit its printed passes."""
    return _mean(
        _table_8_phase_ms(setting, sizes) / printed_number("table_8", name, "ms") - 1 for name, sizes in TABLE_8.items()
    )


def _table_8_phase_ms(setting: Setting, sizes: Sequence[tuple[int, int]]) -> float:
    cost = setting.cost(ONEPLUS)
    return sum(cost.pass_ms(rows, picks, TABLE_8_TOKENS) + cost.host_ms for rows, picks in sizes)
