"""Which cells Table 9's 8.9 MB are."""

import numpy as np

from studies.paper.estimate import Estimate, over_draws
from studies.paper.layout import OURS
from studies.paper.open_point import Measure, OpenPoint, Outcome
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, Setting
from studies.paper.table_9 import held_mb

QUESTION = (
    "Section 7.6 has SchemaWeaver at 8.9 MB above constrained decoding, for the keys and values of its sequences and "
    "what constrains them. With 115 kB a token that is 78 tokens. The paper does not say of which calls it is the "
    "peak, nor whether padding's rows keep their cells."
)
ANSWER = (
    "The longest call of a draw holds a tenth more than what is printed, where padding's rows give their cells back "
    "after each pass, as they do here; the printed number is well among those of draws, since it hangs on one call. "
    "With padding kept it is half too much; by all but the longest calls, or without the skeleton, it is too little."
)
MEASURES = (
    Measure("MB"),
    Measure("its lowest in 95 % of draws"),
    Measure("its highest"),
    Measure("error", is_share=True, is_signed=True),
)


def held_cells(setting: Setting) -> OpenPoint:
    """What sequences side by side hold, by calls and by what is held."""
    draws = setting.draws(BASE_MODEL)
    unpadded, own = held_mb(setting)[draws], held_mb(setting.read(layout=OURS))[draws]
    readings = {
        "the longest call, padding's cells given back": unpadded.max(axis=1),
        "the longest call, padding's cells kept": held_mb(setting, keeps_padding=True)[draws].max(axis=1),
        "the longest call, in the rows of the schedules here": own.max(axis=1),
        "the longest call, its values alone": held_mb(setting, has_skeleton=False)[draws].max(axis=1),
        "longer than 95 % of calls": np.quantile(unpadded, 0.95, axis=1),
        "the mean call": unpadded.mean(axis=1),
    }
    return OpenPoint(
        key="held-cells",
        title="which cells Table 9's 8.9 MB are",
        question=QUESTION,
        answer=ANSWER,
        measures=MEASURES,
        outcomes=tuple(Outcome(name, _numbers(over_draws(mb))) for name, mb in readings.items()),
    )


def _numbers(estimate: Estimate) -> tuple[float, ...]:
    error = estimate.value / printed_number("section_7_6", "schemaweaver_more_mb") - 1
    return estimate.value, estimate.low, estimate.high, error
