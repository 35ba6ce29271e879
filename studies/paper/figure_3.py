"""Figure 3: where the time of a turn goes, prompt or decoding (section 2.2)."""

from collections.abc import Iterator

import altair as alt
import numpy as np

from cost_models.protocol import FloatArray
from studies.chart_colours import named_colours
from studies.chart_style import Row, inline_data, name_axis, styled, tip, x_axis
from studies.paper.estimate import Estimate, means, over_draws
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import ONEPLUS_CALLS
from studies.paper.printed import printed_number
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting
from studies.report import Figure

SCHEMES = ("unconstrained", "constrained", "jump_forward", "schemaweaver")
BASELINE = "constrained"
READ_TOKENS = (64, 128, 256)
"""Of the prompt that are not in memory yet, where its beginning is kept from call to call."""

WHOLE = "whole prompt read"
COLOURS = {"prompt": "#bab0ac", "decoding": "#4e79a7"}

NOTE = (
    "The prompt's prefill and the call's passes are priced alike; the share is that of all passes behind the prompt. "
    "How much of its prompt the paper's phone had to read is not printed, nor are the final answer's lengths, so that "
    "the share is given for the whole prompt and for the last tokens of it alone."
)
WHY = "The paper gives one number for both turns, at most 81 %, without their lengths."


def figure_3(setting: Setting) -> Exhibit:
    """The share of decoding in the turn that writes the call, by what of the prompt has to be read."""
    return Exhibit(
        key="figure-3",
        title="Figure 3: prompt and decoding in the turn of the call",
        note=NOTE,
        given=ONEPLUS_CALLS,
        cells=(*_share_cells(setting), _tokens_cell(setting)),
        figures=(_figure(setting),),
    )


def prompt_ms(setting: Setting, read_tokens: int | None = None) -> FloatArray:
    """Of every call, shape (calls,): its prompt in one prefill, or its last `read_tokens` behind the rest in memory."""
    prompts = setting.passes(BASE_MODEL, BASELINE).prompt_tokens
    rows = prompts if read_tokens is None else np.minimum(prompts, read_tokens)
    cost = setting.cost(ONEPLUS)
    return np.asarray(cost.pass_ms(rows, 1, prompts) + cost.host_ms)


def decode_share(setting: Setting, schedule: str, read_tokens: int | None = None) -> Estimate:
    """Decoding's part of the mean turn, draw by draw."""
    draws = setting.draws(BASE_MODEL)
    decode = means(setting.latencies(ONEPLUS, BASE_MODEL, schedule).final_ms, draws)
    return over_draws(decode / (decode + means(prompt_ms(setting, read_tokens), draws)))


def tokens_for_share(setting: Setting, share: float) -> Estimate:
    """How long a prompt at Table 10's cost of a token would leave constrained decoding that share of the turn."""
    decode = means(setting.latencies(ONEPLUS, BASE_MODEL, BASELINE).final_ms, setting.draws(BASE_MODEL))
    token_ms = setting.cost(ONEPLUS).pass_ms(512, 1, 512) / 512
    return over_draws(decode * (1 / share - 1) / token_ms)


def _share_cells(setting: Setting) -> Iterator[Cell]:
    printed = printed_number("section_2_2", "decode_share_at_most")
    for schedule in SCHEMES:
        for tokens in (None, *READ_TOKENS):
            is_baseline = schedule == BASELINE
            yield Cell(
                row=f"decoding's share, {schedule}",
                column=_column(tokens),
                unit="",
                printed=printed if is_baseline else None,
                ours=decode_share(setting, schedule, tokens),
                role="open",
                why=WHY,
            )


def _tokens_cell(setting: Setting) -> Cell:
    share = printed_number("section_2_2", "decode_share_at_most")
    return Cell(
        row=f"tokens read where decoding takes {share:.0%}, {BASELINE}",
        column=WHOLE,
        unit="tokens",
        printed=None,
        ours=tokens_for_share(setting, share),
        role="open",
        why=WHY,
    )


def _column(read_tokens: int | None) -> str:
    return WHOLE if read_tokens is None else f"{read_tokens} tokens read"


def _figure(setting: Setting) -> Figure:
    rows = [row for schedule in SCHEMES for row in _bar_rows(setting, schedule)]
    bars = alt.Chart(inline_data(rows)).mark_bar()
    bars = bars.encode(
        y=alt.Y("schedule:N", title=None, sort=None, axis=name_axis()),
        x=x_axis("ms", "mean time of the turn, the whole prompt read (ms)"),
        color=named_colours("part", COLOURS),
        order="order:Q",
        tooltip=[tip("schedule", "schedule"), tip("part", "part"), tip("ms", "mean time (ms)", ",.0f")],
    )
    caption = "Both parts are ours; the paper's picture has no numbers."
    return Figure("Figure 3: prompt and decoding", styled([bars], 40 * len(SCHEMES)), caption)


def _bar_rows(setting: Setting, schedule: str) -> Iterator[Row]:
    parts = {
        "prompt": prompt_ms(setting),
        "decoding": setting.latencies(ONEPLUS, BASE_MODEL, schedule).final_ms,
    }
    for order, (part, numbers) in enumerate(parts.items()):
        ms = over_draws(means(numbers, setting.draws(BASE_MODEL))).value
        yield {"schedule": schedule.replace("_", " "), "part": part, "order": order, "ms": ms}
