"""How far predictions are from the paper in the mean, as one number for each part of it."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

from studies.paper.exhibit import Cell
from studies.paper.figure_13 import figure_13_ratios
from studies.paper.latency_cells import BASELINE, table_cells
from studies.paper.setting import PHONES, Setting
from studies.paper.table_5 import latency_cells, passes_cells
from studies.paper.table_6 import latency_cells as droidcall_cells
from studies.paper.table_8 import printed_pass_cells

TABLE_5_SCHEMES = (BASELINE, "schemaweaver")


def table_5_error(setting: Setting, devices: Sequence[str] = PHONES) -> float:
    """The mean absolute error of Table 5's constrained and SchemaWeaver latencies on `devices`, open ones left out."""
    return _mean_error(_table_5(setting, devices))


def table_5_bias(setting: Setting, devices: Sequence[str] = PHONES) -> float:
    """The same with the errors' signs."""
    return fmean(errors_of(_table_5(setting, devices)))


def table_7_error(setting: Setting) -> float:
    """The mean absolute error of what Table 7's variants gain over constrained decoding."""
    _, speedups = table_cells(setting, "table_7")
    return _mean_error(speedups)


def bus_error(setting: Setting) -> float:
    """The mean absolute error of section 7.3's ratios that were not given."""
    return _mean_error(figure_13_ratios(setting))


def passes_error(setting: Setting, scheme: str = "schemaweaver") -> float:
    """The mean absolute error of Table 5's passes by `scheme`."""
    return _mean_error(passes_cells(setting, (scheme,)))


def droidcall_error(setting: Setting, scheme: str = "schemaweaver") -> float:
    """The mean absolute error of Table 6's latencies by `scheme`, on both phones."""
    return _mean_error(droidcall_cells(setting, (scheme,)))


def table_8_error(setting: Setting) -> float:
    """The mean absolute error of the phases of Table 8's call, by the passes that it prints."""
    return _mean_error(printed_pass_cells(setting))


def errors_of(cells: Iterable[Cell]) -> list[float]:
    """Of those that count as predictions, with their signs."""
    return [cell.error for cell in cells if cell.counts and cell.error is not None]


def _table_5(setting: Setting, devices: Sequence[str]) -> Iterator[Cell]:
    return latency_cells(setting, TABLE_5_SCHEMES, devices)


def _mean_error(cells: Iterable[Cell]) -> float:
    return fmean(map(abs, errors_of(cells)))
