"""Which calls the paper drew, what its model wrote, and which of its tools were read-only."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from studies.paper.estimate import means, over_draws
from studies.paper.open_point import Measure, OpenPoint, Outcome
from studies.paper.reading_errors import bus_error, table_5_bias, table_5_error, table_7_error
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting

MEASURES = (
    Measure("passes, constrained"),
    Measure("passes, schemaweaver"),
    Measure("mean error of Table 5", is_share=True),
    Measure("bias of Table 5", is_share=True, is_signed=True),
    Measure("mean error of Table 7's ratios", is_share=True),
    Measure("mean error of section 7.3's ratios", is_share=True),
)
"""Table 5's are constrained and SchemaWeaver by all models on both phones, Qwen3-4B on the Pixel aside."""

READ_ONLY_MEASURES = (
    Measure("speedup, OnePlus 12R", 2),
    Measure("its lowest in 95 % of draws", 2),
    Measure("its highest", 2),
    Measure("mean error of Table 7's ratios", is_share=True),
    Measure("mean error of section 7.3's ratios", is_share=True),
)
"""Of Qwen3-1.7B: by words, passes with an optional argument more come with its vocabulary alone."""

CALLS: Mapping[str, Mapping[str, Any]] = {
    "evenly over 1, 2, 3, 4 and 5 or more": {"most_arguments": 5},
    "evenly over 1, 2, 3 and 4 or more, as Figure 12": {"most_arguments": 4},
    "evenly over 1 to 5 and 6 or more": {"most_arguments": 6},
    "evenly over 1 to 9": {"most_arguments": None},
    "all calls alike": {"most_arguments": 1},
}
ANSWERS: Mapping[str, Mapping[str, Any]] = {
    "optional arguments in 72 % of three-argument calls, in half of the others": {
        "optional_share": 0.5,
        "three_optional_share": 0.72,
    },
    "only those that no accepted answer leaves out": {"optional_share": None, "three_optional_share": None},
}
READ_ONLY: Mapping[str, Mapping[str, Any]] = {
    "every tool": {"all_read_only": True},
    "those whose names and descriptions tell so": {"all_read_only": False},
}


def which_calls(setting: Setting) -> OpenPoint:
    """How the hundred are spread over the number of arguments."""
    return OpenPoint(
        key="which-calls",
        title="which hundred calls",
        question=(
            "Section 7 draws 100 calls uniformly over their number of arguments, of which BFCL's calls have up to 9; "
            "only 8 calls have more than 6. Figure 12 takes four or more together. Table 5 prints 44.3 passes by "
            "constrained decoding and 13.1 by SchemaWeaver with Qwen3-1.7B."
        ),
        answer=(
            "Passes by constrained decoding are nearest the printed 44.3 where 5 or more arguments are one group, and "
            "that reading is taken throughout. Table 7's ratios change by less than a point with it. Section 7.3's go "
            "from 1.0 to 5.0 %: they are nearest where calls have more arguments, by which Table 5 is far off."
        ),
        measures=MEASURES,
        outcomes=_outcomes(setting, CALLS),
    )


def which_answers(setting: Setting) -> OpenPoint:
    """What the model writes: how many optional arguments."""
    return OpenPoint(
        key="which-answers",
        title="optional arguments",
        question=(
            "BFCL accepts answers that leave optional arguments out; section 7.4 says that the model adds one in 72 % "
            "of three-argument calls and in about half of the others."
        ),
        answer="They are taken as the paper says, which brings Table 5 and the ratios nearer.",
        measures=MEASURES,
        outcomes=_outcomes(setting, ANSWERS),
    )


def which_read_only(setting: Setting) -> OpenPoint:
    """Which tools may be called provisionally."""
    return OpenPoint(
        key="which-read-only",
        title="which tools are read-only",
        question=(
            "Provisional calls go to read-only tools alone, told by annotations or by name and description (section "
            "5). BFCL's tools have no annotations, and the paper does not say how many of them were taken for "
            "read-only."
        ),
        answer="The two readings differ by less than draws of calls do, so that the numbers cannot tell them apart.",
        measures=READ_ONLY_MEASURES,
        outcomes=tuple(
            Outcome(name, _read_only_numbers(_read(setting, changes))) for name, changes in READ_ONLY.items()
        ),
    )


def _outcomes(setting: Setting, readings: Mapping[str, Mapping[str, Any]]) -> tuple[Outcome, ...]:
    return tuple(Outcome(name, _numbers(_read(setting, changes))) for name, changes in readings.items())


def _read(setting: Setting, changes: Mapping[str, Any]) -> Setting:
    return replace(setting, reading=replace(setting.reading, **changes))


def _numbers(setting: Setting) -> tuple[float, ...]:
    return (
        _passes(setting, "constrained"),
        _passes(setting, "schemaweaver"),
        table_5_error(setting),
        table_5_bias(setting),
        table_7_error(setting),
        bus_error(setting),
    )


def _read_only_numbers(setting: Setting) -> tuple[float, ...]:
    constrained, ours = (
        setting.drawn_tool_starts(ONEPLUS, BASE_MODEL, schedule) for schedule in ("constrained", "schemaweaver")
    )
    speedup = over_draws(constrained / ours)
    return speedup.value, speedup.low, speedup.high, table_7_error(setting), bus_error(setting)


def _passes(setting: Setting, schedule: str) -> float:
    table = setting.passes(BASE_MODEL, schedule)
    return over_draws(means((table.final_passes - table.prompt_passes).astype(float), setting.draws(BASE_MODEL))).value
