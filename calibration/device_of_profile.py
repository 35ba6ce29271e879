"""A device file for a machine that was measured: its profile's table, and a chip that costs about the same."""

from dataclasses import replace
from itertools import product
from math import inf, pi, sqrt

from calibration.chip import ChipFit, Timing, fit_chip
from calibration.chip_figures import FITTED, chip_figures, rounded
from calibration.tile import CANDIDATE_TILES
from cost_models.chip import Chip
from cost_models.device import Device
from cost_models.model_shape import ModelShape
from cost_models.profile import Profile
from cost_models.table import MeasuredTable

ATTENTION_GMAC_S = (5.0, 10.0, 20.0, 40.0, 80.0, inf)
"""Those that are tried."""
CONTEXT_ROWS = (1, 8, 64)
"""Passes by which costs are told to grow with context."""

ASSUMED = (
    "Matrices of all sizes are multiplied at the same two rates, and read at the same bandwidth.",
    "The chip is for what-ifs: as measured, costs are the table's.",
)


def device_of_profile(profile: Profile, shape: ModelShape, *, name: str, title: str, cores: str) -> Device:
    """The device of `profile`, which was measured with a model of `shape`.

    The chip is fitted to the table's own costs, with the tile and the rate of attention that leave the least error.
    What its table is off is what the profile's fit was on passes that it did not see. Raises InputError where the table
    holds too few row counts.
    """
    table, source = profile.table, profile.provenance
    fit = table_chip(table, shape, title, source.threads or None)
    found = f"fitted to the measured table's costs, {fit.sigma:.1%} off"
    sources = dict.fromkeys(FITTED, found)
    sources |= {"tile_rows": "the one of 1, 2, 4, 8 and 16 with the least error", "cores": "threads when measured"}
    sources |= {"attention_gmac_s": "the one of 5, 10, 20, 40, 80 and no limit with the least error"}
    return Device(
        name=name,
        title=title,
        processor="cpu",
        cores=cores,
        model=shape,
        figures=chip_figures(fit.roofline.chip, sources),
        measured=fit.roofline.measured,
        errors=rounded(replace(fit.errors(), table_sigma=table_sigma(profile))),
        table=table,
        date=source.date,
        assumed=ASSUMED,
        notes=f"{source.model_file_name}, {source.engine}, {source.threads} threads, {source.cpu}, {source.os}.",
    )


def table_chip(table: MeasuredTable, shape: ModelShape, name: str, cores: int | None) -> ChipFit:
    """The chip whose roofline is nearest to `table`."""
    timings = table_timings(table)
    rate = shape.parameters / (table.row_ms[0] * 1e6)
    like = Chip(
        name=name,
        bandwidth_gb_s=shape.weight_bytes_per_pass / (table.row_ms[0] * 1e6),
        gemv_gmac_s=2 * rate,
        gemm_gmac_s=2 * rate,
        host_ms=table.host_ms,
        cores=cores,
    )
    fits = (
        fit_chip(timings, shape, replace(like, tile_rows=tile, attention_gmac_s=attention))
        for tile, attention in product(CANDIDATE_TILES, ATTENTION_GMAC_S)
    )
    return min(fits, key=lambda fit: fit.sigma)


def table_timings(table: MeasuredTable) -> list[Timing]:
    """The table's row counts with one pick, with as many as were measured, and with the least and the most context."""
    reference = table.reference_tokens
    of_rows = [(rows, 1, reference) for rows in table.row_counts]
    of_picks = [(rows, rows, reference) for rows in table.row_counts if 1 < rows <= table.max_picks]
    of_context = [
        (rows, 1, context)
        for rows in CONTEXT_ROWS
        for context in table.context_range_tokens
        if rows <= min(context, table.row_counts[-1]) and context != reference
    ]
    return [Timing(*size, table.pass_ms(*size)) for size in (*of_rows, *of_picks, *of_context)]


def table_sigma(profile: Profile) -> float | None:
    """The standard deviation of a normal error whose mean absolute size is the fit's on cells that it did not see."""
    if profile.fit is None or not profile.fit.held_out.cells:
        return None
    return round(profile.fit.held_out.mean * sqrt(pi / 2), 4)
