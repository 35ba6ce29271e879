"""Other cores of the paper's phones, of which Table 10 prints three numbers each, and Table 1 two."""

from dataclasses import replace
from math import inf

import numpy as np

from calibration.chip import ChipFit, Timing, fit_chip
from calibration.chip_figures import FITTED, chip_figures, rounded
from calibration.chips_from_paper import chip_phone
from calibration.known import Known
from calibration.paper_devices import CoreSet
from calibration.paper_numbers import PaperNumbers
from cost_models.device import Device
from cost_models.figure import Figure
from cost_models.measured_range import MeasuredRange

SPREAD = 0.3
"""How far, as a standard deviation of logarithms, cores of a phone are from its protocol's in the bandwidth that they
draw and in how much faster whole tiles are multiplied than single rows.

Assumed. Three numbers leave both open: the OnePlus's protocol cores by Table 10's three alone, with the overlap given,
miss Table 2 by 9 % in the mean and up to 20 %; with this by 3 % and up to 7 %. Two Cortex-X1 would draw 94 GB/s, twice
what the Pixel's memory moves."""

ASSUMED = (
    "The overlap of reading and multiplying is that of the protocol's cores of the same phone, within its own error.",
    "They draw about the bandwidth of the protocol's cores, and multiply whole tiles faster than single rows by about "
    "the same factor: each within 1.35, unless their numbers say otherwise.",
    "What one pass size may be off by itself is as on the protocol's cores.",
    "Steps and prompt of the paper's benchmark had 512 tokens of context; the paper does not print it.",
)


def core_set_device(numbers: PaperNumbers, cores: CoreSet, memory: Figure, date: str) -> Device:
    """The phone with these of its cores."""
    protocol = chip_phone(cores.phone)
    fit = core_set_fit(numbers, cores, protocol)
    sources = dict.fromkeys(FITTED, f"fitted to {cores.source}, and to the protocol's cores; see what is assumed")
    sources |= {
        "tile_rows": "section 2.3, footnote 2",
        "attention_gmac_s": "assumed as for the protocol's cores",
        "host_ms": "as for the protocol's cores",
        "bus_mhz": "section 7.3: the highest of four levels",
        "clock_mhz": "Appendix A",
        "cores": "Table 10",
    }
    return Device(
        name=cores.name,
        title=next(phone.name for phone in numbers.phones if phone.key == cores.phone),
        processor="cpu",
        cores=cores.cores,
        model=fit.roofline.shape,
        figures=(*chip_figures(fit.roofline.chip, sources), memory),
        measured=_measured(numbers, cores),
        errors=rounded(fit.errors()),
        date=date,
        source=f"{numbers.paper}: {cores.source}",
        assumed=ASSUMED,
    )


def core_set_fit(numbers: PaperNumbers, cores: CoreSet, protocol: ChipFit) -> ChipFit:
    """What the printed passes tell, and for the rest what is known of the `protocol` cores of the same phone."""
    chip = protocol.roofline.chip
    like = replace(chip, name=f"{cores.phone}: {cores.cores}", clock_mhz=cores.clock_mhz, cores=cores.like_cores)
    overlap_spread = float(np.sqrt(protocol.covariance[3, 3]))
    known = Known(
        solution=tuple(protocol.solution.tolist()),
        spread=(SPREAD, inf, SPREAD, overlap_spread),
        sigma=protocol.sigma,
        freedom=protocol.freedom,
    )
    return fit_chip(core_set_timings(numbers, cores), protocol.roofline.shape, like, known)


def core_set_timings(numbers: PaperNumbers, cores: CoreSet) -> tuple[Timing, ...]:
    """The printed passes: one sequence, four where they were measured, and a prompt."""
    steps = ((1, cores.serial_ms), (4, cores.four_sequence_ms))
    prompt_ms = cores.prefill_ms_per_token * numbers.prompt_tokens
    return (
        *(Timing(n, n, numbers.context_tokens, ms) for n, ms in steps if ms is not None),
        Timing(numbers.prompt_tokens, 1, numbers.prompt_tokens, prompt_ms),
    )


def _measured(numbers: PaperNumbers, cores: CoreSet) -> MeasuredRange:
    """As wide as the protocol's cores' profiles have it: attention is a small part of a pass at any shorter context."""
    picks = 1 if cores.four_sequence_ms is None else 4
    return MeasuredRange(rows=numbers.prompt_tokens, picks=picks, context_tokens=(1, numbers.prompt_tokens))
