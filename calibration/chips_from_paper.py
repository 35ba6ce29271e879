"""The paper's two phones as chips: bandwidth, rates and overlap from the same few numbers as their profiles."""

from calibration.bus_from_paper import bus_timings
from calibration.chip import ChipFit, Timing, fit_chip
from calibration.from_paper import host_ms, sequence_steps_ms
from calibration.paper_numbers import PaperNumbers, PaperPhone, read_paper_numbers
from cost_models.chip import Chip
from cost_models.models import read_model
from engine.errors import InputError

MODEL = "Qwen3-1.7B-Q8_0"
BUS_PHONE = "pixel-7"
CONDITIONS: dict[str, dict[str, float]] = {"oneplus-12r": {"clock_mhz": 1790}, "pixel-7": {"bus_mhz": 3172}}
"""Appendix A: the OnePlus's four cores share a clock, the Pixel's do not. Section 7.3: the Pixel's bus."""
ALIKE_CORES = frozenset({"oneplus-12r"})
"""Appendix A: the Pixel's are two of one kind and two of another, so that their number alone says nothing."""


ATTENTION_GMAC_S = 20.0
"""Assumed, since the paper prints costs at one context only. Of 10, 20, 40 and no limit this leaves the least error of
the timings that are fitted: 2.5 and 4.5 %, against 2.8 and 6.0 % without a limit."""


def chip_phone(key: str, *, bus_levels: bool = True) -> ChipFit:
    """The phone called `key`, fitted to Tables 2 and 10; raises InputError that lists the names.

    The Pixel's to section 7.3's end points besides, unless not `bus_levels`: the tables alone do not tell how much of
    its serial pass is reading.
    """
    numbers = read_paper_numbers()
    phones = {phone.key: phone for phone in numbers.phones}
    if key not in phones:
        raise InputError(f"unknown phone {key!r}; choose one of: {', '.join(phones)}")
    like = _like(numbers, phones[key])
    at_levels = _bus_level_timings(numbers, like) if bus_levels and key == BUS_PHONE else ()
    return fit_chip((*phone_timings(numbers, phones[key]), *at_levels), read_model(MODEL), like)


def phone_timings(numbers: PaperNumbers, phone: PaperPhone) -> tuple[Timing, ...]:
    """The printed passes: 1 to 8 sequences, one row and one pick each, and a prompt."""
    steps = sequence_steps_ms(phone).items()
    prompt = Timing(numbers.prompt_tokens, 1, numbers.prompt_tokens, phone.prefill_ms_per_token * numbers.prompt_tokens)
    return (*(Timing(n, n, numbers.context_tokens, ms) for n, ms in steps), prompt)


def _bus_level_timings(numbers: PaperNumbers, like: Chip) -> tuple[Timing, ...]:
    """Section 7.3's passes without the host's time; a prompt's time is Table 10's, its slowdown alone is printed."""
    return tuple(
        Timing(each.rows, each.picks, each.context_tokens, each.ms - like.host_ms, each.bus_mhz)
        for each in bus_timings()
        if each.rows < numbers.prompt_tokens
    )


def _like(numbers: PaperNumbers, phone: PaperPhone) -> Chip:
    """What is known of the chip, with figures to start the search from: all of a serial pass is traffic."""
    shape = read_model(MODEL)
    rate = shape.parameters / (phone.serial_ms * 1e6)
    known = CONDITIONS[phone.key]
    return Chip(
        name=f"{phone.name}: {phone.cpu}",
        bandwidth_gb_s=shape.weight_bytes_per_pass / (phone.serial_ms * 1e6),
        gemv_gmac_s=2 * rate,
        gemm_gmac_s=4 * rate,
        tile_rows=numbers.tile_rows,
        attention_gmac_s=ATTENTION_GMAC_S,
        host_ms=host_ms(numbers, phone),
        cores=numbers.threads if phone.key in ALIKE_CORES else None,
        bus_mhz=known.get("bus_mhz"),
        clock_mhz=known.get("clock_mhz"),
    )
