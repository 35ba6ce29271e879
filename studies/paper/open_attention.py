"""Why SmolLM2's passes of many rows cost more than predicted: what a row's attention reads, its picks, its text."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from statistics import fmean

from cost_models import CostModel, Roofline
from cost_models.conditions import Conditions
from cost_models.model_shape import ModelShape
from cost_models.models import read_model
from cost_models.rescaled import Rescaled
from studies.paper.changed_device import table_of
from studies.paper.exhibit import Cell
from studies.paper.layout import TABLE_8
from studies.paper.open_point import Measure, OpenPoint, Outcome
from studies.paper.reading_errors import table_5_error
from studies.paper.setting import BASE_MODEL, PHONES, Setting
from studies.paper.table_3 import COSTS, fixed_text_cell, table_3_models
from studies.paper.table_5 import latency_cells, models

MODEL = "SmolLM2-1.7B"
SCHEMES = ("constrained", "schemaweaver")
MORE_ROWS = 2

QUESTION = (
    "SmolLM2-1.7B stays below Table 3 by 26 % in jump-forward's prefills and by 19 % in the skeleton pass, and below "
    "Table 5 by 12 to 16 % with SchemaWeaver, while its serial passes are met. Alone among the models it has as many "
    "heads of keys and values as of queries: a token's are 197 kB, where Qwen3-1.7B's are 115. Its output layer is a "
    "third of Qwen3's. By Table 3's serial column its skeletons have the rows that ours have; by section 2.2 at most "
    "63 % of its tokens are fixed, of ours 73 %. Here one of these is varied at a time."
)
ANSWER = (
    "Most of it is explained where each row reads from memory the keys and values that it attends to, in place of one "
    "reading for all rows: then SmolLM2's skeleton is nearer than Qwen3's own, and SchemaWeaver's latency is met "
    "within 3 % on the OnePlus 12R and 8 % on the Pixel 7. By Table 5 the other models hardly come nearer, and in "
    "Table 3 they get farther, above all Qwen3-0.6B, which has the cache of the larger Qwen3 beside a third of its "
    "weights. So it is not taken. Attention for nothing and dearer picks do less, and rows more per prefill miss the "
    "serial column. Jump-forward's prefills stay low under every reading."
)
MEASURES = (
    *(Measure(f"Table 3, {column}", is_share=True, is_signed=True) for column in COSTS),
    *(Measure(f"Table 5, {scheme}, {phone}", is_share=True, is_signed=True) for phone in PHONES for scheme in SCHEMES),
    Measure("mean error of Table 3, other models", is_share=True),
    Measure("mean error of Table 5, other models", is_share=True),
    Measure("mean error of Table 5, all models", is_share=True),
)
"""Errors of SmolLM2's numbers, then of those of models that are read alike."""

Changed = Callable[[Roofline], Roofline]


def attention_of_rows(setting: Setting) -> OpenPoint:
    """SmolLM2's errors by what rows read, what picks cost and how much text there is."""
    readings = {
        "as given": setting,
        "each row reads what it attends to from memory": with_rooflines(setting, reading_rows),
        "attention takes no time but the reading": with_rooflines(setting, without_attention),
        "its picks cost what Qwen3's do": with_shape(setting, wide_output(read_model(MODEL))),
        f"{MORE_ROWS} rows more in each prefill of fixed text": with_longer_text(setting),
    }
    return OpenPoint(
        key="attention-of-rows",
        title="SmolLM2's passes of many rows",
        question=QUESTION,
        answer=ANSWER,
        measures=MEASURES,
        outcomes=tuple(Outcome(name, _errors(each)) for name, each in readings.items()),
    )


def with_rooflines(setting: Setting, changed: Changed) -> Setting:
    """Models that were not measured priced by `changed` rooflines, the measured model's too, on both phones."""
    shapes = [read_model(model) for model in models() if model != BASE_MODEL]
    costs = {(phone, shape.name): _rescaled(setting, phone, shape, changed) for phone in PHONES for shape in shapes}
    return replace(setting, costs=costs)


def with_shape(setting: Setting, shape: ModelShape) -> Setting:
    """SmolLM2 with another shape."""
    costs = {(phone, MODEL): _rescaled(setting, phone, shape, lambda roofline: roofline) for phone in PHONES}
    return replace(setting, costs=costs)


def with_longer_text(setting: Setting) -> Setting:
    """Skeletons and jump-forward's prefills of more rows."""
    longer = replace(TABLE_8, skeleton_rows=TABLE_8.skeleton_rows + MORE_ROWS, jump_rows=MORE_ROWS)
    return setting.read(layout=longer)


def reading_rows(roofline: Roofline) -> Roofline:
    """Attention at the pace at which memory gives each row the keys and values that it attends to."""
    shape = roofline.shape
    per_byte = shape.multiply_adds_per_row_and_token / shape.cache_bytes_per_token
    return _with_attention(roofline, roofline.chip.bandwidth_gb_s * per_byte)


def without_attention(roofline: Roofline) -> Roofline:
    """Attention that multiplies in no time."""
    return _with_attention(roofline, inf)


def wide_output(shape: ModelShape) -> ModelShape:
    """The shape with an output layer of the measured model's size."""
    return replace(shape, vocabulary_size=read_model(BASE_MODEL).output_weights // shape.width)


def _with_attention(roofline: Roofline, gmac_s: float) -> Roofline:
    return replace(roofline, chip=replace(roofline.chip, attention_gmac_s=gmac_s))


def _rescaled(setting: Setting, phone: str, shape: ModelShape, changed: Changed) -> CostModel:
    """Measured costs in the ratio of two changed rooflines."""
    device = setting.device(phone)
    target = device.roofline.at(Conditions(model=shape)).model
    return Rescaled(measured=table_of(setting, phone), origin=changed(device.roofline), target=changed(target))


def _errors(setting: Setting) -> tuple[float | None, ...]:
    cells = [cell for cell in latency_cells(setting, SCHEMES) if cell.counts]
    fixed = [fixed_text_cell(setting, model, column) for model in table_3_models() for column in COSTS]
    own = (cell.error for cell in (*fixed, *cells) if cell.column == MODEL)
    return (*own, _mean_of_others(fixed), _mean_of_others(cells), table_5_error(setting))


def _mean_of_others(cells: Sequence[Cell]) -> float:
    return fmean(abs(cell.error) for cell in cells if cell.column != MODEL and cell.error is not None)
