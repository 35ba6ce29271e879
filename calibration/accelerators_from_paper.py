"""The GPU and NPU of one of the paper's phones, by Table 1's throughputs and section 9's ratios."""

from math import inf

from calibration.chip import Timing, fit_chip
from calibration.chip_figures import FITTED, chip_figures
from calibration.from_paper import cache_token_ms_at, host_ms
from calibration.known import Known
from calibration.paper_devices import Accelerator, PaperDevices
from calibration.paper_numbers import PaperNumbers, PaperPhone
from cost_models.chip import Chip
from cost_models.device import Device
from cost_models.figure import Figure
from cost_models.model_shape import ModelShape
from cost_models.table import MeasuredTable

FOUR = 4
EXACT = 1e-3
"""How far an assumed overlap may be off."""

ASSUMED = (
    "Between one row, four and a prompt of 512 costs lie on straight lines.",
    "A pick costs the output layer's 17 % of a serial step of the processor that it runs on.",
    "The host's time is as with the CPU, and steps and prompt had 512 tokens of context.",
    "For what-ifs: products take 32 rows at once, each row over by itself, and a serial step is all traffic.",
)


def accelerator_device(
    numbers: PaperNumbers,
    devices: PaperDevices,
    phone: PaperPhone,
    found: Accelerator,
    shape: ModelShape,
    memory: Figure,
) -> Device:
    """The processor `found` of `phone`: a table of costs, and a chip for what-ifs whose errors nobody knows."""
    sources = dict.fromkeys(FITTED, f"what meets {found.source}; see what is assumed")
    sources |= {"tile_rows": "assumed", "overlap": "assumed"}
    chip = accelerator_chip(numbers, devices, phone, found, shape)
    return Device(
        name=found.name,
        title=phone.name,
        processor=found.processor,
        cores=found.cores,
        model=shape,
        figures=(*chip_figures(chip, sources), memory),
        table=accelerator_table(numbers, phone, found),
        date=devices.published,
        source=f"{numbers.paper}: {found.source}",
        assumed=ASSUMED,
        notes=found.notes,
    )


def accelerator_table(numbers: PaperNumbers, phone: PaperPhone, found: Accelerator) -> MeasuredTable:
    """What passes cost on it, rounded to what the printed numbers can tell."""
    pick_ms = numbers.model.output_layer_share * (phone.serial_ms if found.pick_on_cpu else found.serial_ms)
    four_ms = found.four_sequence_steps * found.serial_ms - (FOUR - 1) * pick_ms
    prompt_ms = found.prefill_ms_per_token * numbers.prompt_tokens
    return MeasuredTable(
        row_counts=(1, FOUR, numbers.prompt_tokens),
        row_ms=tuple(round(ms, 2) for ms in (found.serial_ms, four_ms, prompt_ms)),
        reference_tokens=numbers.context_tokens,
        context_range_tokens=(1, numbers.context_tokens),
        max_picks=FOUR,
        pick_ms=round(pick_ms, 2),
        row_context_ms=round(cache_token_ms_at(numbers, found.serial_ms), 5),
        host_ms=round(host_ms(numbers, phone), 2),
    )


def accelerator_chip(
    numbers: PaperNumbers, devices: PaperDevices, phone: PaperPhone, found: Accelerator, shape: ModelShape
) -> Chip:
    """A chip that takes as long for one, four and a prompt's rows."""
    table = accelerator_table(numbers, phone, found)
    sizes = ((1, 1), (FOUR, FOUR), (numbers.prompt_tokens, 1))
    timings = [
        Timing(rows, picks, numbers.context_tokens, table.pass_ms(rows, picks, numbers.context_tokens))
        for rows, picks in sizes
    ]
    rate = shape.parameters / (found.serial_ms * 1e6)
    like = Chip(
        name=found.name,
        bandwidth_gb_s=shape.weight_bytes_per_pass / (found.serial_ms * 1e6),
        gemv_gmac_s=2 * rate,
        gemm_gmac_s=4 * rate,
        tile_rows=devices.tile_rows,
    )
    known = Known(solution=(0.0, 0.0, 0.0, devices.overlap), spread=(inf, inf, inf, EXACT), sigma=1.0, freedom=1)
    return fit_chip(timings, shape, like, known).roofline.chip
