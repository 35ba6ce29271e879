"""Section 2.2: how much of a call its schema fixes, and how much of the time is decoding."""

import numpy as np

from cost_models.protocol import FloatArray
from engine.commands import Phase
from studies.paper.estimate import exact, means, over_draws
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import ONEPLUS_CALLS
from studies.paper.phase_sums import call_sums, of_phase
from studies.paper.printed import printed, printed_number
from studies.paper.setting import BASE_MODEL, ONEPLUS, Setting

MODELS = (BASE_MODEL, "Llama-3.2-1B", "SmolLM2-1.7B")
"""One of each vocabulary and call format."""

PROMPTS = "The prompts behind the paper's share are not printed, nor whether part of them was in the cache already."


def section_2_2(setting: Setting) -> Exhibit:
    """Fixed tokens in three formats, and decoding's share of a tool-call turn on the OnePlus 12R."""
    shares = {model: 100 * float(fixed_shares(setting, model).mean()) for model in MODELS}
    low, high = (100 * share for share in printed("section_2_2", "fixed_token_share").numbers())
    return Exhibit(
        key="section-2-2",
        title="Section 2.2: what is fixed, and what is decoded",
        note=(
            "A token is fixed where jump-forward decoding picks none for it: of those that constrained decoding "
            "picks, it picks the others. The share is the mean over all calls of BFCL, in each model's tokens and "
            "format; the paper prints the ends of its range. Decoding's share is of a turn that prefills its whole "
            "prompt in one pass."
        ),
        given=ONEPLUS_CALLS,
        cells=(
            _fixed_cell("fixed tokens, lowest", low, min(shares.values())),
            _fixed_cell("fixed tokens, highest", high, max(shares.values())),
            *(_fixed_cell(f"fixed tokens, {model}", None, share) for model, share in shares.items()),
            _decode_cell(setting),
        ),
    )


def fixed_shares(setting: Setting, model: str) -> FloatArray:
    """Of each call's picked tokens, shape (calls,), those that are fixed: each of BFCL's calls once."""
    constrained, jumping = (setting.passes(model, schedule) for schedule in ("constrained", "jump_forward"))
    picked = call_sums(constrained, of_phase(constrained, Phase.SERIAL), constrained.picks)
    chosen = call_sums(jumping, of_phase(jumping, Phase.JUMP), jumping.picks)
    _, firsts = np.unique(constrained.call_ids, return_index=True)
    return np.asarray((1 - chosen / picked)[firsts])


def _fixed_cell(row: str, printed_share: float | None, share: float) -> Cell:
    return Cell(row=row, column="share", unit="%", printed=printed_share, ours=exact(share))


def _decode_cell(setting: Setting) -> Cell:
    tokens = setting.passes(BASE_MODEL, "constrained").prompt_tokens
    cost = setting.cost(ONEPLUS)
    prompt_ms = cost.pass_ms(tokens, 1, tokens) + cost.host_ms
    decode_ms = setting.latencies(ONEPLUS, BASE_MODEL, "constrained").tool_start_ms
    draws = setting.draws(BASE_MODEL)
    decoded, prefilled = means(decode_ms, draws), means(prompt_ms, draws)
    return Cell(
        row="decoding, at most",
        column="share",
        unit="%",
        printed=100 * printed_number("section_2_2", "decode_share_at_most"),
        ours=over_draws(100 * decoded / (decoded + prefilled)),
        role="open",
        why=PROMPTS,
    )
