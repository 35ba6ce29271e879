"""Table 9: peak memory of the decoding schemes."""

from cost_models.models import read_model
from cost_models.peak_memory import peak_memory
from cost_models.protocol import FloatArray
from engine.commands import Phase
from studies.paper.estimate import Estimate, exact, over_draws
from studies.paper.exhibit import Cell, Exhibit
from studies.paper.given import CALLS
from studies.paper.phase_sums import call_sums, of_phase
from studies.paper.printed import printed, printed_number
from studies.paper.setting import BASE_MODEL, Setting

CONTEXT_TOKENS = 8192
"""Assumed: the paper does not print the size of the context."""

BASELINE, OURS, UNPADDED = "constrained", "schemaweaver", "parallel"
CONTEXT = f"The size of the context is not printed; {CONTEXT_TOKENS:,} tokens are assumed, and no buffers."
NO_HEAD = "The file of the draft head, its cache and its buffers are not printed."
DIFFERENCE = "of it, over constrained decoding"


def table_9(setting: Setting) -> Exhibit:
    """Peak memory, and what schemes take over constrained decoding."""
    rows = tuple(printed("table_9").members())
    return Exhibit(
        key="table-9",
        title="Table 9: peak memory, OnePlus 12R",
        note=(
            "Weights twice, since llama.cpp interleaves them for its kernels in a copy while the mapped file stays "
            "resident, and the keys and values of a context. Over constrained decoding, schemaweaver holds what its "
            "sequences side by side keep: the rows of skeleton and values, at most over a draw's calls; rows of "
            "padding are given back after each pass. Others keep nothing more."
        ),
        given=CALLS,
        cells=(
            *map(_peak_cell, rows),
            *(_extra_cell(setting, row) for row in rows if row not in (BASELINE, "eagle_3")),
        ),
        assumed=(CONTEXT,),
    )


def _peak_cell(row: str) -> Cell:
    is_known = row != "eagle_3"
    total = peak_memory(read_model(BASE_MODEL), CONTEXT_TOKENS).total_bytes
    return Cell(
        row=row,
        column="peak",
        unit="GB",
        printed=printed_number("table_9", row),
        ours=exact(total / 1e9) if is_known else None,
        role="open",
        why=CONTEXT if is_known else NO_HEAD,
    )


def _extra_cell(setting: Setting, row: str) -> Cell:
    """Section 7.6 prints what Table 9 rounds: 8.9 MB, and less than 1 MB for the others."""
    is_ours = row == OURS
    return Cell(
        row=row,
        column=DIFFERENCE,
        unit="MB",
        printed=printed_number("section_7_6", "schemaweaver_more_mb") if is_ours else None,
        ours=branches_mb(setting) if is_ours else exact(0.0),
    )


def branches_mb(setting: Setting) -> Estimate:
    """The most keys and values that sequences side by side hold in a draw, in 10^6 bytes."""
    return over_draws(held_mb(setting)[setting.draws(BASE_MODEL)].max(axis=1))


def held_mb(setting: Setting, *, keeps_padding: bool = False, has_skeleton: bool = True) -> FloatArray:
    """What each call's sequences side by side come to hold, shape (calls,), in 10^6 bytes.

    Rows of padding give their cells back after each pass, unless it `keeps_padding`: those left are the rows of the
    schedule that pads none.
    """
    table = setting.passes(BASE_MODEL, OURS if keeps_padding else UNPADDED)
    held = of_phase(table, Phase.VALUES) | (has_skeleton & of_phase(table, Phase.SKELETON))
    return call_sums(table, held, table.rows) * read_model(BASE_MODEL).cache_bytes_per_token / 1e6
