"""What prefills of some dozen rows cost: more, by most of what the paper prints, than the given numbers tell."""

from dataclasses import replace

from studies.paper.changed_device import table_of, with_table
from studies.paper.open_point import Measure, OpenPoint, Outcome
from studies.paper.reading_errors import bus_error, table_5_error, table_7_error, table_8_error
from studies.paper.setting import ONEPLUS, PHONES, Setting

ROWS = 36
"""Nine tiles: about the 34.5 tokens of a write-back in section 4.3."""
ROW_MS = (12.0, 13.0, 14.0, 15.1)
"""Up to section 4.3's 522 ms for 34.5 tokens."""


def short_prefills(setting: Setting) -> OpenPoint:
    """Prefills between 8 rows and a prompt's 512, which no given number tells of."""
    readings = {f"{ROWS} rows at {row_ms} ms a row": with_short_prefills(setting, row_ms) for row_ms in ROW_MS}
    return OpenPoint(
        key="short-prefills",
        title="what a short prefill costs",
        question=(
            "Table 2 ends at 8 rows, 15.3 ms a row, and Table 10's prompt has 9.8. Between them a straight line "
            "is assumed, on which 36 rows come to 10.6 ms a row. Table 8's prefills of 18 and 19 tokens take 13 to "
            "14 ms a row, section 4.3's of 34.5 tokens 15.1. Here both phones are told what 36 rows cost."
        ),
        answer=(
            "Section 4.3 alone asks for 15 ms a row. At 12 ms Table 8's phases come nearer, while Table 5 and Table "
            "7's ratios get farther; above that all get farther. The line is kept; on this project's own x86 "
            "measurements a line from 8 to 512 rows is within 4 % of the passes between, in the mean "
            "(results/bench/profile.json)."
        ),
        measures=(
            Measure("mean error of Table 5, OnePlus 12R", is_share=True),
            Measure("mean error of Table 7's ratios", is_share=True),
            Measure("mean error of Table 8's phases", is_share=True),
            Measure("mean error of section 7.3's ratios", is_share=True),
        ),
        outcomes=tuple(_outcome(name, each) for name, each in {"as given": setting, **readings}.items()),
    )


def with_short_prefills(setting: Setting, row_ms: float) -> Setting:
    """`setting` with both phones told that a pass of `ROWS` rows, one pick, costs `row_ms` for each of them."""
    for name in PHONES:
        table = table_of(setting, name)
        costs = sorted([*zip(table.row_counts, table.row_ms, strict=True), (ROWS, ROWS * row_ms)])
        counts, times = zip(*costs, strict=True)
        setting = with_table(setting, name, replace(table, row_counts=counts, row_ms=times))
    return setting


def _outcome(name: str, setting: Setting) -> Outcome:
    errors = (table_5_error(setting, (ONEPLUS,)), table_7_error(setting), table_8_error(setting), bus_error(setting))
    return Outcome(name, errors)
