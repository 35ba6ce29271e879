"""The colours of everything that is drawn, the same in every chart."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from engine.commands import Phase
from engine.records import MEASURED
from studies.call_parts import AFTERWARDS, OUTSIDE

PREDICTED = "predicted"

SOURCE_COLOURS = {MEASURED: "#33475b", PREDICTED: "#9dbcd6"}

PHASE_COLOURS: Mapping[str, str] = {
    Phase.PROMPT: "#bab0ac",
    Phase.NAME: "#4e79a7",
    Phase.SKELETON: "#76b7b2",
    Phase.VALUES: "#f28e2b",
    Phase.WRITE_BACK: "#9c755f",
    Phase.OPTIONAL: "#edc948",
    Phase.SERIAL: "#a0b4cc",
    Phase.JUMP: "#59a14f",
    Phase.VERIFY: "#b07aa1",
    Phase.DRAFT: "#ff9da7",
    OUTSIDE: "#d4d4d4",
    AFTERWARDS: "#efe6dd",
}
"""The colour of each phase, and of the time outside passes, wherever one is drawn."""

SCHEDULE_COLOURS: Mapping[str, str] = {
    "unconstrained": "#bab0ac",
    "constrained": "#4e79a7",
    "jump_forward": "#f28e2b",
    "jump_forward_provisional": "#ffbe7d",
    "jump_drafted": "#d37295",
    "speculative": "#fabfd2",
    "skeleton": "#8cd17d",
    "parallel": "#86bcb6",
    "schemaweaver": "#59a14f",
    "arguments_given": "#499894",
    "optional_first": "#d7b5a6",
    "optional_all": "#9d7660",
    "verified": "#b07aa1",
    "branched": "#d4a6c8",
    "drafted": "#79706e",
    "auto": "#e15759",
}
"""The colour of each schedule."""

OTHER_COLOUR = "#a0cbe8"
"""That of a schedule that only a file of records knows."""


LONGEST_OF_FOUR = 24
"""Characters of a legend's names of which four fit side by side."""


def schedule_colour(schedules: Sequence[str]) -> alt.Color:
    """A colour for each of `schedules`, with a legend."""
    return named_colours("schedule", {name: SCHEDULE_COLOURS.get(name, OTHER_COLOUR) for name in schedules})


def part_colour(rows: Sequence[Mapping[str, Any]]) -> alt.Color:
    """A colour for each part of a call's time that `rows` have, with a legend."""
    present = {row["part"] for row in rows}
    colours = {part_label(part): colour for part, colour in PHASE_COLOURS.items()}
    return named_colours("part", {part: colour for part, colour in colours.items() if part in present})


def part_label(part: str) -> str:
    """A phase's name in plain words."""
    return part.replace("_", " ")


def named_colours(field: str, colours: Mapping[str, str]) -> alt.Color:
    """Each name's colour by `field`, with a legend."""
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    columns = 4 if all(len(name) <= LONGEST_OF_FOUR for name in colours) else 2
    legend = alt.Legend(symbolType="square", symbolOpacity=1, symbolStrokeWidth=0, columns=columns, labelLimit=420)
    return alt.Color(f"{field}:N", title=None, scale=scale, legend=legend)
