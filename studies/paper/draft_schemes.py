"""What speculative decoding with a draft head (EAGLE-3) or a block of drafts (DFlash-2) would take on a phone.

The paper prints their latencies, not the head's precision, depth, or how it reads the prompt; each is assumed here.
"""

from functools import cache

import numpy as np

from cost_models import AffineCost, CostModel, ModelShape
from cost_models.models import read_model
from cost_models.protocol import FloatArray
from engine.commands import Phase
from sim.distinct_passes import IntArray
from sim.pass_data import read_pass_data
from sim.pass_prices import by_phase, price
from sim.pass_table import PHASES, PassTable
from studies.families import family
from studies.paper.printed import printed, printed_number
from studies.paper.setting import Setting

DEPTH = 8
"""Assumed: tokens that EAGLE-3's head drafts ahead of each check."""

ACCEPTANCE = 0.62
"""How often each is right where the one before was: this makes HEAD_PASSES save what Table 5's passes do."""

DRAFT_VOCABULARY = 32_000
"""Assumed: what the head chooses from, as in the heads that EAGLE-3's authors published (`draft_vocab_size`)."""

DRAFT_BYTES_PER_WEIGHT = 2.0
"""Assumed: 16-bit weights, as those heads are published."""

BLOCK_WEIGHT_BYTES = 1.0e9
"""DFlash-2's draft model (section 7)."""

PROMPT_TOKENS = 512
"""The prompt by which a prompt token's cost is reckoned, as for Table 10."""

HEAD_PASSES = "bfcl-head-qwen"

ASSUMED = (
    f"EAGLE-3 drafts {DEPTH} tokens one by one ahead of each check, each of which is right at a rate of {ACCEPTANCE} "
    "where the one before was. Its head has 16-bit weights that each drafted token reads once at the phone's "
    "bandwidth, and every prompt token costs 50.8 / 11.4 of what it costs without the head.",
    "DFlash-2 checks blocks of 16 drafted tokens, of which 4.5 are right each time; a block reads the draft model's "
    "1.0 GB once.",
)


def eagle_3_weights(shape: ModelShape) -> int:
    """Numbers that the head of a model has: one layer, what it reads the model's states with, and its output layer.

    The layer takes the token's embedding beside the state, so its queries, keys and values are twice as wide; three
    states are fused into one (Li et al., 2025). For the paper's models 56 to 243 million; it prints 59 to 247.
    """
    width = shape.width
    attention = 2 * width * (shape.heads + 2 * shape.kv_heads) * shape.head_width
    output = shape.heads * shape.head_width * width
    feed_forward = 3 * width * shape.feed_forward_width
    return attention + output + feed_forward + 3 * width * width + DRAFT_VOCABULARY * width


def eagle_3_ms(setting: Setting, device: str, model: str, prompt_tokens: float | None = None) -> FloatArray:
    """Latencies of all calls, shape (calls,), the head's reading of the prompt included.

    The prompt is each call's own, or one of `prompt_tokens` for all.
    """
    passes = head_passes()
    cost = setting.cost(device, model)
    drafted = price(passes, cost, head_cost(setting, device, model)).final_ms
    tokens = passes.prompt_tokens if prompt_tokens is None else prompt_tokens
    return np.asarray(drafted + tokens * prompt_token_ms(cost))[_places(setting, model)]


def eagle_3_full_ms(setting: Setting, device: str, model: str, prompt_tokens: float) -> FloatArray:
    """As `eagle_3_ms`, with DEPTH tokens drafted and checked each time, also where the schema refuses one before."""
    cost, draft_ms = setting.cost(device, model), head_cost(setting, device, model).base_ms
    rows = 1 + DEPTH
    context = setting.passes(model, "constrained").prompt_tokens + rows
    check_ms = cost.pass_ms(np.full(context.shape, rows), rows, context) + cost.host_ms
    decoded_ms = head_checks(setting, model) * (check_ms + DEPTH * draft_ms)
    return np.asarray(decoded_ms + prompt_tokens * prompt_token_ms(cost))


def head_cost(setting: Setting, device: str, model: str) -> AffineCost:
    """A drafted token's: the head's weights at the phone's bandwidth."""
    size_bytes = eagle_3_weights(read_model(model)) * DRAFT_BYTES_PER_WEIGHT
    return AffineCost(base_ms=size_bytes / (setting.device(device).chip.bandwidth_gb_s * 1e6), row_ms=0.0)


def prompt_token_ms(cost: CostModel) -> float:
    """What the head adds to each prompt token, in the ratio that section 7.1 prints for one model and phone."""
    without, with_head = printed("eagle_3", "prompt_ms_per_token").numbers()
    return cost.pass_ms(PROMPT_TOKENS, 1, PROMPT_TOKENS) / PROMPT_TOKENS * (with_head / without - 1)


@cache
def head_passes() -> PassTable:
    """Of BFCL's calls by `speculative` with a head of DEPTH and of the acceptance that saves the printed passes.

    They were made with the shortest accepted answers only.
    """
    return read_pass_data(HEAD_PASSES).table.of_schedule("speculative")


def head_checks(setting: Setting, model: str) -> FloatArray:
    """Passes of the model itself by `head_passes`, the prompt's left out, shape (calls,)."""
    passes = head_passes()
    counts = by_phase(passes, np.ones(len(passes.runs)))
    is_check = [phase not in (Phase.PROMPT, Phase.DRAFT) for phase in PHASES]
    return np.asarray(counts[is_check].sum(axis=0))[_places(setting, model)]


def has_head_passes(model: str) -> bool:
    """Whether passes with a head were made in the model's vocabulary."""
    return HEAD_PASSES.endswith(family(model))


def dflash_2_ms(setting: Setting, device: str, model: str) -> FloatArray:
    """Latencies of all calls, shape (calls,): as many checks of a block as their serial passes need."""
    serial = setting.passes(model, "constrained")
    cost = setting.cost(device, model)
    context = serial.prompt_tokens + dflash_2_block()
    check_ms = cost.pass_ms(np.full(serial.run_count, dflash_2_block()), dflash_2_block(), context) + cost.host_ms
    draft_ms = BLOCK_WEIGHT_BYTES / (setting.device(device).chip.bandwidth_gb_s * 1e6)
    return np.asarray(dflash_2_passes(serial) * (check_ms + draft_ms))


def dflash_2_passes(serial: PassTable) -> FloatArray:
    """Checks of each call, shape (calls,): one for each 4.5 right tokens and the one that the check itself picks."""
    tokens = serial.final_passes - serial.prompt_passes
    return np.asarray(np.ceil(tokens / (1 + printed_number("dflash_2", "accepted_tokens"))))


def dflash_2_block() -> int:
    """Rows of a check: the last token and those drafted behind it."""
    return 1 + printed("dflash_2", "drafted_tokens").whole()


def _places(setting: Setting, model: str) -> IntArray:
    """Where `head_passes` has each of the setting's calls, shape (calls,)."""
    places = {call_id: place for place, call_id in enumerate(head_passes().call_ids.tolist())}
    return np.array([places[call_id] for call_id in setting.passes(model, "constrained").call_ids.tolist()])
