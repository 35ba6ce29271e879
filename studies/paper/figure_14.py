"""Figure 14: energy of a call on the Pixel 7 (section 7.7)."""

from collections.abc import Iterator, Mapping

import altair as alt

from cost_models.energy import Energy
from cost_models.protocol import FloatArray
from studies.chart_colours import named_colours
from studies.chart_style import INK, Row, inline_data, name_axis, styled, tip, x_axis
from studies.paper.estimate import Estimate, means, over_draws
from studies.paper.exhibit import Cell, Exhibit, Role
from studies.paper.given import CALLS, LAID_OUT
from studies.paper.pass_sums import behind_prompt
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, PIXEL, Setting
from studies.report import Figure

SCHEMES = ("constrained", "jump_forward", "schemaweaver")
RAIL_COLOURS = {"cores": "#4e79a7", "memory": "#f28e2b"}

NOTE = (
    "Cores draw power for as long as passes last, memory by the bytes that passes move; both rates come from what "
    "section 7.7 prints of constrained and of jump-forward decoding. The passes of a call are the schedules', those "
    "behind the tool's start included; the mean is over hundred calls drawn evenly over their number of arguments. "
    f"{LAID_OUT}"
)
GIVEN = (
    "section 7.7's 12.8 J of constrained decoding, and jump-forward decoding's 1.97 (energy), 2.3 (memory rails) and "
    "1.85 (time)",
    "Table 5's 44.3 passes in 3,561 ms of constrained decoding",
    "Tables 2 and 10 and section 7.3 for the Pixel 7",
    *CALLS,
)
RATES = "The rates of cores and memory were found by this number; the calls drawn here have passes of their own."


def figure_14(setting: Setting) -> Exhibit:
    """Energies, and how many times less than constrained decoding, whole and of the memory rails."""
    energies = {schedule: call_energy(setting, schedule) for schedule in SCHEMES}
    draws = setting.draws(BASE_MODEL)
    totals = {name: means(each.total_j, draws) for name, each in energies.items()}
    memory = {name: means(each.memory_j, draws) for name, each in energies.items()}
    return Exhibit(
        key="figure-14",
        title="Figure 14: energy of a call",
        note=NOTE,
        given=GIVEN,
        cells=(*_joule_cells(totals), *_ratio_cells(totals, memory)),
        figures=(_figure(energies, setting),),
    )


def call_energy(setting: Setting, schedule: str) -> Energy:
    """Joules of every call behind the prompt, shape (calls,).

    Raises CostModelError where what the Pixel draws is unknown.
    """
    table = setting.passes(BASE_MODEL, schedule)
    energy = setting.device(PIXEL).energy(table.rows, table.picks, table.context_tokens)
    return Energy(cpu_j=behind_prompt(table, energy.cpu_j), memory_j=behind_prompt(table, energy.memory_j))


def _joule_cells(totals: Mapping[str, FloatArray]) -> Iterator[Cell]:
    roles: dict[str, tuple[Role, str]] = {"constrained": ("given", RATES), "schemaweaver": ("predicted", "")}
    for name, (role, why) in roles.items():
        yield Cell(
            row=name,
            column="energy",
            unit="J",
            printed=printed_number("figure_14", f"{name}_j"),
            ours=over_draws(totals[name]),
            role=role,
            why=why,
        )


def _ratio_cells(totals: Mapping[str, FloatArray], memory: Mapping[str, FloatArray]) -> Iterator[Cell]:
    for name in SCHEMES[1:]:
        role, why = _ratio_role(name)
        numbers = {
            "saving": (totals, printed_number("figure_14", f"{name}_ratio")),
            "saving on the memory rails": (memory, printed_number("figure_14", "memory_ratio", name)),
        }
        for column, (energy, ratio) in numbers.items():
            ours = _ratio(energy, name)
            yield Cell(row=name, column=column, unit="x", printed=ratio, ours=ours, role=role, why=why)


def _ratio_role(name: str) -> tuple[Role, str]:
    return ("given", RATES) if name == "jump_forward" else ("predicted", "")


def _ratio(energy: Mapping[str, FloatArray], name: str) -> Estimate:
    return over_draws(energy["constrained"] / energy[name])


def _figure(energies: Mapping[str, Energy], setting: Setting) -> Figure:
    rows = [row for name, energy in energies.items() for row in _bar_rows(name, energy, setting)]
    bars = alt.Chart(inline_data(rows)).encode(y=alt.Y("schedule:N", title=None, sort=None, axis=name_axis()))
    tips = [tip("schedule", "schedule"), tip("rails", "rails"), tip("joules", "energy (J)", ".2f")]
    colour = named_colours("rails", RAIL_COLOURS)
    stacks = bars.mark_bar().encode(
        x=x_axis("joules", "energy of a call (J)"), color=colour, order="order:Q", tooltip=tips
    )
    prints = alt.Chart(inline_data(list(_printed_rows()))).mark_tick(color=INK, thickness=3, size=34)
    prints = prints.encode(
        y=alt.Y("schedule:N", sort=None),
        x="joules:Q",
        tooltip=[tip("schedule", "schedule"), tip("joules", "printed (J)", ".2f")],
    )
    caption = "Bars are ours, the median over draws of calls; strokes are what the paper prints."
    return Figure("Figure 14: energy of a call", styled([stacks, prints], 60 * len(SCHEMES)), caption)


def _bar_rows(name: str, energy: Energy, setting: Setting) -> Iterator[Row]:
    draws = setting.draws(BASE_MODEL)
    for order, (rails, joules) in enumerate((("cores", energy.cpu_j), ("memory", energy.memory_j))):
        value = over_draws(means(joules, draws)).value
        yield {"schedule": name.replace("_", " "), "rails": rails, "order": order, "joules": value}


def _printed_rows() -> Iterator[Row]:
    """Jump-forward decoding's joules are those of constrained decoding over the printed ratio."""
    constrained_j = printed_number("figure_14", "constrained_j")
    yield {"schedule": "constrained", "joules": constrained_j}
    for name in SCHEMES[1:]:
        yield {
            "schedule": name.replace("_", " "),
            "joules": constrained_j / printed_number("figure_14", f"{name}_ratio"),
        }
