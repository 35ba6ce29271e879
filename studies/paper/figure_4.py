"""Figure 4: prefill and decode with the memory bus at lower clocks (section 2.3)."""

from collections.abc import Iterator

from cost_models.conditions import Conditions
from studies.paper.estimate import exact
from studies.paper.exhibit import Cell, Exhibit, Role
from studies.paper.figure_13 import LEVELS_MHZ
from studies.paper.line_chart import Point, line_chart
from studies.paper.printed import printed, printed_number
from studies.paper.setting import BASE_MODEL, PIXEL, Setting
from studies.report import Figure

STEP = (1, 1)
PROMPT = (512, 1)
"""Rows and picks of what the throughputs are reckoned by, as for Table 10."""

CONTEXT_TOKENS = 512

THROUGHPUTS = {"decode": STEP, "prefill": PROMPT}
COLOURS = {"decode": "#4e79a7", "prefill": "#f28e2b"}
SHOWN_MHZ = {3172.0: "#08306b", 2028.0: "#2171b5", 1352.0: "#6baed6", 676.0: "#e6550d"}
"""The levels of the chart of relative costs, from dark blue to orange."""

NOTE = (
    "Passes of the benchmark's sizes, without the host's time, with the part that waits for the Pixel 7's memory bus "
    "stretched: one row for decoding, a prompt of 512 rows for prefill. The paper does not say on which phone it "
    "measured the figure; its sweep in section 7.3 is the Pixel's."
)
GIVEN = (
    "Tables 2 and 10 for the Pixel 7",
    "section 7.3: a serial step, a four-sequence pass and a skeleton's prefill at both ends, a prompt token's slowdown",
)
STEP_GIVEN = "The serial step at both ends was given."
TABLE_GIVEN = "Table 2 was given."
CONTRADICTION = (
    "Section 7.3 has a prompt token 1.12 times slower at the lowest level, a drop by 11 %, and was given; the figure's "
    "17 % would be another prompt."
)


def figure_4(setting: Setting) -> Exhibit:
    """Drops in throughput, and the cost of several sequences over one at each level."""
    return Exhibit(
        key="figure-4",
        title="Figure 4: prefill, decode and the memory bus",
        note=NOTE,
        given=GIVEN,
        cells=(*_drop_cells(setting), *_relative_cells(setting)),
        assumed=setting.device(PIXEL).cost(Conditions(bus_mhz=min(LEVELS_MHZ))).assumed,
        figures=(_throughput_figure(setting), _relative_figure(setting)),
    )


def throughput_drop(setting: Setting, rows: int, picks: int) -> float:
    """The share of its tokens per second that a pass loses from the highest level to the lowest."""
    fast, slow = (pass_ms(setting, rows, picks, level) for level in (max(LEVELS_MHZ), min(LEVELS_MHZ)))
    return 1 - fast / slow


def pass_ms(setting: Setting, rows: int, picks: int, bus_mhz: float) -> float:
    """The benchmark's time of a pass, which has no host's time."""
    return setting.cost(PIXEL, BASE_MODEL, bus_mhz).pass_ms(rows, picks, CONTEXT_TOKENS)


def _drop_cells(setting: Setting) -> Iterator[Cell]:
    roles: dict[str, tuple[Role, str]] = {"decode": ("given", STEP_GIVEN), "prefill": ("open", CONTRADICTION)}
    for name, (role, why) in roles.items():
        yield Cell(
            row=f"{name} throughput drop",
            column="3172 to 676 MHz",
            unit="",
            printed=printed_number("figure_4", f"{name}_throughput_drop"),
            ours=exact(throughput_drop(setting, *THROUGHPUTS[name])),
            role=role,
            why=why,
        )


def _relative_cells(setting: Setting) -> Iterator[Cell]:
    for level in SHOWN_MHZ:
        for sequences, ratio in list(_table_2())[1:]:
            is_given = level == max(SHOWN_MHZ)
            yield Cell(
                row=f"pass of {sequences} sequences over one",
                column=f"{level:.0f} MHz",
                unit="x",
                printed=ratio if is_given else None,
                ours=exact(_relative(setting, sequences, level)),
                role="given" if is_given else "predicted",
                why=TABLE_GIVEN if is_given else "",
            )


def _relative(setting: Setting, sequences: int, bus_mhz: float) -> float:
    return pass_ms(setting, sequences, sequences, bus_mhz) / pass_ms(setting, *STEP, bus_mhz)


def _table_2() -> Iterator[tuple[int, float]]:
    return zip(printed("table_2", "sequences").wholes(), printed("table_2", PIXEL).numbers(), strict=True)


def _throughput_figure(setting: Setting) -> Figure:
    points = [
        Point(name, level, exact(100 * pass_ms(setting, *size, max(LEVELS_MHZ)) / pass_ms(setting, *size, level)))
        for name, size in THROUGHPUTS.items()
        for level in LEVELS_MHZ
    ]
    for name in THROUGHPUTS:
        drop = printed_number("figure_4", f"{name}_throughput_drop")
        points.append(Point(name, min(LEVELS_MHZ), printed=100 * (1 - drop)))
    title = "throughput (% of that at 3,172 MHz)"
    chart = line_chart(points, "clock of the memory bus (MHz)", title, COLOURS)
    return Figure("Figure 4(a): throughput", chart, "Lines are ours, diamonds are printed.", is_square=True)


def _relative_figure(setting: Setting) -> Figure:
    points = [
        Point(_level_name(level), sequences, exact(_relative(setting, sequences, level)))
        for level in SHOWN_MHZ
        for sequences, _ in _table_2()
    ]
    highest = _level_name(max(SHOWN_MHZ))
    points += [Point(highest, sequences, printed=ratio) for sequences, ratio in _table_2()]
    colours = {_level_name(level): colour for level, colour in SHOWN_MHZ.items()}
    chart = line_chart(points, "sequences in a pass", "cost over a pass of one", colours)
    return Figure(
        "Figure 4(b): cost of several sequences", chart, "Lines are ours, diamonds are Table 2.", is_square=True
    )


def _level_name(bus_mhz: float) -> str:
    return f"{bus_mhz:.0f} MHz"
