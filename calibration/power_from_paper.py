"""The Pixel 7's supply rails, from the energies that a paper prints."""

from calibration.chips_from_paper import chip_phone
from calibration.power import SchemeEnergy, fit_power
from cost_models.energy import Power

PHONE = "pixel-7"
CALL_J = {"constrained": 12.8, "schemaweaver": 6.1}
"""arXiv:2610.17436v1, section 7.7."""
MEMORY_SAVING = {"jump_forward": 2.3, "schemaweaver": 2.8}
"""Section 7.7: the memory rails' energy under constrained decoding, over this scheme's."""
JUMP_FORWARD_ENERGY_RATIO = 1.97
"""Section 7.7."""
JUMP_FORWARD_TIME_RATIO = 1.85
"""Sections 7.3 and 7.7. Table 5 has 3,561 ms over 2,723 ms, 1.31: cores would draw 0.8 W, memory 10 J of the 12.8."""
CONSTRAINED_S = 3.561
"""Table 5, with `CONSTRAINED_PASSES`."""
CONSTRAINED_PASSES = 44.3
CONTEXT_TOKENS = 512
"""Assumed: the paper does not print a call's context."""


def paper_scheme() -> SchemeEnergy:
    """Constrained against jump-forward decoding; bytes are those that the phone's roofline moves."""
    pass_bytes = float(chip_phone(PHONE).roofline.bytes_moved(1, 1, CONTEXT_TOKENS))
    return SchemeEnergy(
        call_j=CALL_J["constrained"],
        call_s=CONSTRAINED_S,
        call_bytes=CONSTRAINED_PASSES * pass_bytes,
        energy_ratio=JUMP_FORWARD_ENERGY_RATIO,
        memory_ratio=MEMORY_SAVING["jump_forward"],
        time_ratio=JUMP_FORWARD_TIME_RATIO,
    )


def paper_power() -> Power:
    """What the phone's cores draw, and what a byte of its memory costs."""
    return fit_power(paper_scheme())
