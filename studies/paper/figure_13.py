"""Figure 13: latency and speedup with the Pixel 7's memory bus at lower clocks (section 7.3)."""

from collections.abc import Iterator

from cost_models.conditions import Conditions
from cost_models.protocol import FloatArray
from studies.chart_colours import SCHEDULE_COLOURS
from studies.paper.estimate import Estimate, over_draws
from studies.paper.exhibit import Cell, Exhibit, Role
from studies.paper.given import CALLS, LAID_OUT
from studies.paper.line_chart import CAPTION, Point, line_chart
from studies.paper.printed import printed, printed_number
from studies.paper.setting import BASE_MODEL, PIXEL, Setting
from studies.report import Figure

SCHEMES = ("constrained", "jump_forward", "schemaweaver")
FASTER = SCHEMES[1:]

LEVELS_MHZ = (3172.0, 2730.0, 2288.0, 2028.0, 1716.0, 1352.0, 1014.0, 845.0, 676.0)
"""Of the phone's own levels (its kernel's devfreq table); the paper measured at four, and prints which the ends are."""

NOTE = (
    "Each pass of Table 5's calls waits for the memory bus with a part of its time, which goes with one over the bus's "
    "clock, and with the rest it does not. Both parts come from the passes that section 7.3 prints at both ends; which "
    "passes a call makes comes from the schedules. Speedups are over constrained decoding at the same level. "
    f"{LAID_OUT}"
)
GIVEN = (
    "Tables 2 and 10 for the Pixel 7",
    "section 7.3: a serial step, a four-sequence pass and a skeleton's prefill at both ends, a prompt token's slowdown",
    *CALLS,
)
SERIAL_GIVEN = "Constrained decoding is serial steps, whose times at both ends were given."


def figure_13(setting: Setting) -> Exhibit:
    """Slowdowns from the highest level to the lowest, speedups at both, and latencies at every level."""
    return Exhibit(
        key="figure-13",
        title="Figure 13: the memory bus's clock",
        note=NOTE,
        given=GIVEN,
        cells=(*figure_13_ratios(setting), *_latency_cells(setting)),
        assumed=setting.device(PIXEL).cost(Conditions(bus_mhz=_ends()[1])).assumed,
        figures=(_latency_figure(setting), _speedup_figure(setting)),
    )


def figure_13_ratios(setting: Setting) -> tuple[Cell, ...]:
    """The numbers that are printed."""
    ends = _ends()
    return (*_slowdown_cells(setting, ends), *_speedup_cells(setting, ends))


def slowdown(setting: Setting, schedule: str, ends: tuple[float, float]) -> Estimate:
    """The lowest level's latency over the highest's."""
    fast, slow = (_starts_ms(setting, schedule, level) for level in ends)
    return over_draws(slow / fast)


def speedup(setting: Setting, schedule: str, bus_mhz: float) -> Estimate:
    """Over constrained decoding, draw by draw."""
    return over_draws(_starts_ms(setting, "constrained", bus_mhz) / _starts_ms(setting, schedule, bus_mhz))


def _ends() -> tuple[float, float]:
    highest, lowest = printed("figure_13", "bus_mhz").numbers()
    return highest, lowest


def _starts_ms(setting: Setting, schedule: str, bus_mhz: float) -> FloatArray:
    return setting.drawn_tool_starts(PIXEL, BASE_MODEL, schedule, bus_mhz)


def _slowdown_cells(setting: Setting, ends: tuple[float, float]) -> Iterator[Cell]:
    roles: dict[str, tuple[Role, str]] = {"constrained": ("given", SERIAL_GIVEN), "schemaweaver": ("predicted", "")}
    for schedule, (role, why) in roles.items():
        yield Cell(
            row=f"{schedule} slowdown",
            column=f"{ends[0]:.0f} to {ends[1]:.0f} MHz",
            unit="x",
            printed=printed_number("figure_13", f"{schedule}_slowdown"),
            ours=slowdown(setting, schedule, ends),
            role=role,
            why=why,
        )


def _speedup_cells(setting: Setting, ends: tuple[float, float]) -> Iterator[Cell]:
    for schedule in FASTER:
        for level, ratio in zip(ends, printed("figure_13", f"{schedule}_speedup").numbers(), strict=True):
            ours = speedup(setting, schedule, level)
            yield Cell(row=f"{schedule} speedup", column=f"{level:.0f} MHz", unit="x", printed=ratio, ours=ours)


def _latency_cells(setting: Setting) -> Iterator[Cell]:
    """The figure's latencies are not printed, but for Table 5's at the highest level, which that table has here too."""
    for schedule in SCHEMES:
        for level in LEVELS_MHZ:
            yield Cell(
                row=schedule,
                column=f"{level:.0f} MHz",
                unit="ms",
                printed=None,
                ours=setting.tool_start(PIXEL, BASE_MODEL, schedule, level),
            )


def _latency_figure(setting: Setting) -> Figure:
    points = [
        Point(schedule, level, setting.tool_start(PIXEL, BASE_MODEL, schedule, level))
        for schedule in SCHEMES
        for level in LEVELS_MHZ
    ]
    return _figure("latency to tool start (ms)", points, SCHEMES)


def _speedup_figure(setting: Setting) -> Figure:
    points = [Point(name, level, speedup(setting, name, level)) for name in FASTER for level in LEVELS_MHZ]
    for name in FASTER:
        ratios = printed("figure_13", f"{name}_speedup").numbers()
        points += [Point(name, level, printed=ratio) for level, ratio in zip(_ends(), ratios, strict=True)]
    return _figure("speedup over constrained decoding", points, FASTER)


def _figure(title: str, points: list[Point], schedules: tuple[str, ...]) -> Figure:
    colours = {name: SCHEDULE_COLOURS[name] for name in schedules}
    chart = line_chart(points, "clock of the memory bus (MHz)", title, colours)
    return Figure(f"Figure 13: {title}", chart, CAPTION, is_square=True)
