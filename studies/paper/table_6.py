"""Table 6: latency of DroidCall's requests by three models, on both phones."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from cost_models.protocol import FloatArray
from engine.commands import Phase
from sim.pass_data import read_pass_data
from sim.pass_prices import extrapolated, price
from sim.pass_table import PassTable
from studies.families import family
from studies.paper.cell_chart import CAPTION, cell_chart
from studies.paper.estimate import Estimate, exact
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import LAID_OUT, LAYOUT
from studies.paper.layout import Layout, laid_out
from studies.paper.phase_sums import of_phase
from studies.paper.printed import printed
from studies.paper.setting import PHONES, Setting
from studies.report import Figure

SCHEMES = ("constrained", "jump_forward", "schemaweaver")
SPEEDUPS = SCHEMES[1:]

NOTE = (
    "Each schedule ran over the accepted calls of DroidCall's 154 requests of one call, optional arguments among them; "
    "they are all there are, so that none are drawn. Which tools are read-only is told by the words of their "
    "descriptions, as the paper does for tools without annotations. Latencies are geometric means; speedups are those "
    f"of the same table's rows. {LAID_OUT}"
)
GIVEN = (
    "Tables 2 and 10 for Qwen3-1.7B-Q8_0",
    "Table 8's constrained decoding (OnePlus 12R)",
    "section 7.3's passes at both ends of the bus (Pixel 7)",
    *LAYOUT,
)


def table_6(setting: Setting) -> Exhibit:
    """Latencies, and what the table's own rows make of speedups over constrained decoding."""
    latencies = tuple(latency_cells(setting))
    return Exhibit(
        key="table-6",
        title="Table 6: DroidCall by model",
        note=NOTE,
        given=GIVEN,
        cells=(*latencies, *_speedup_cells(setting)),
        figures=tuple(_figure(latencies, device) for device in PHONES),
    )


def models() -> tuple[str, ...]:
    """The table's models, in its order."""
    return tuple(item.text() for item in printed("table_6", "models").items())


def droidcall_ms(setting: Setting, device: str, model: str, scheme: str) -> float:
    """The geometric mean over DroidCall's calls until the tool starts."""
    return _geometric_mean(price(droidcall_passes(setting, model, scheme), setting.cost(device, model)).tool_start_ms)


def droidcall_passes(setting: Setting, model: str, scheme: str) -> PassTable:
    """The passes of DroidCall's calls by one schedule, in the reading's layout."""
    return _laid_out(family(model), scheme, setting.reading.layout)


@cache
def _laid_out(vocabulary: str, scheme: str, layout: Layout) -> PassTable:
    whole = read_pass_data(f"droidcall-{vocabulary}").table
    deciding = whole.of_schedule("schemaweaver")
    decided = np.unique(deciding.runs[of_phase(deciding, Phase.OPTIONAL)])
    return laid_out(whole.of_schedule(scheme), layout, np.isin(np.arange(deciding.run_count), decided))


def latency_cells(setting: Setting, schemes: Sequence[str] = SCHEMES) -> Iterator[Cell]:
    """The latencies of `schemes`, by all models on both phones."""
    for device, model, place in _columns():
        for scheme in schemes:
            past = extrapolated(droidcall_passes(setting, model, scheme), setting.cost(device, model))
            yield Cell(
                row=f"{scheme}, {device}",
                column=model,
                unit="ms",
                printed=_printed_ms(device, scheme, place),
                ours=_latency(setting, device, model, scheme),
                extrapolated=bool(past.mean() > 0.5),
            )


def _speedup_cells(setting: Setting) -> Iterator[Cell]:
    for device, model, place in _columns():
        for scheme in SPEEDUPS:
            ours = droidcall_ms(setting, device, model, "constrained") / droidcall_ms(setting, device, model, scheme)
            ratio = _printed_ms(device, "constrained", place) / _printed_ms(device, scheme, place)
            yield Cell(row=f"{scheme}, {device}", column=model, unit="x", printed=ratio, ours=exact(ours))


def _columns() -> Iterator[tuple[str, str, int]]:
    for device in PHONES:
        for place, model in enumerate(models()):
            yield device, model, place


def _printed_ms(device: str, scheme: str, place: int) -> float:
    return printed("table_6", "latency_ms", device, scheme).numbers()[place]


def _latency(setting: Setting, device: str, model: str, scheme: str) -> Estimate:
    return exact(droidcall_ms(setting, device, model, scheme))


def _figure(cells: tuple[Cell, ...], device: str) -> Figure:
    shown = [cell for cell in cells if cell.row.endswith(device)]
    title = f"latency on the {device} (ms)"
    return Figure(f"Table 6: {title}", cell_chart(shown, title), CAPTION)


def _geometric_mean(latency_ms: FloatArray) -> float:
    return float(np.exp(np.log(latency_ms).mean()))
