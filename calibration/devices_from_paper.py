"""Device files of what a paper prints of its phones; `python -m calibration.devices_from_paper` writes them."""

from collections.abc import Iterator
from pathlib import Path

from calibration.bus import bus_range_mhz, fit_bus_part
from calibration.bus_from_paper import bus_timings
from calibration.chip_figures import chip_figures, rounded
from calibration.chips_from_paper import BUS_PHONE, MODEL, chip_phone
from calibration.paper_numbers import PaperNumbers, PaperPhone, read_paper_numbers
from calibration.power_from_paper import PHONE as POWER_PHONE
from calibration.power_from_paper import paper_power
from cost_models import devices as devices_package
from cost_models.device import Device, write_device
from cost_models.figure import Figure
from cost_models.models import read_model
from cost_models.phones import read_phone

PUBLISHED = "2026-10"
"""The month of arXiv:2610.17436v1."""
MEMORY_BYTES = {"oneplus-12r": 16e9, "pixel-7": 8e9}
"""Section 6."""

FITTED = {
    "oneplus-12r": "fitted to Table 2's passes of 1 to 8 sequences and Table 10's prefill",
    "pixel-7": "fitted to Table 2's passes of 1 to 8 sequences, Table 10's prefill and section 7.3's two bus levels",
}
SOURCES = {
    "tile_rows": "section 2.3, footnote 2",
    "attention_gmac_s": "assumed: of 10, 20, 40 and no limit the one with the least error of the fitted timings",
    "bus_mhz": "section 7.3: the highest of four levels",
    "clock_mhz": "Appendix A",
    "cores": "Table 10",
}
ASSUMED = (
    "Steps and prompt of the paper's benchmark had 512 tokens of context; the paper does not print it.",
    "Two figures of reading and two of multiplying, the second shared by all sizes of matrices, make up a pass.",
)


def phone_device(numbers: PaperNumbers, phone: PaperPhone) -> Device:
    """The phone called `phone.key` with the cores of the paper's protocol."""
    fit = chip_phone(phone.key)
    levels = bus_timings() if phone.key == BUS_PHONE else ()
    fitted = dict.fromkeys(("bandwidth_gb_s", "gemv_gmac_s", "gemm_gmac_s", "overlap"), FITTED[phone.key])
    return Device(
        name=phone.key,
        title=phone.name,
        processor="cpu",
        cores=phone.cpu,
        model=read_model(MODEL),
        figures=(*chip_figures(fit.roofline.chip, fitted | SOURCES), *_power(phone.key), _memory(phone.key)),
        measured=fit.roofline.measured,
        errors=rounded(fit.errors()),
        table=read_phone(phone.key).table,
        phone=phone.key,
        bus_part=fit_bus_part(levels) if levels else None,
        measured_mhz=bus_range_mhz(levels) if levels else None,
        date=PUBLISHED,
        source=numbers.paper,
        assumed=ASSUMED,
        notes=read_phone(phone.key).notes,
    )


def paper_devices() -> Iterator[Device]:
    """All of them."""
    numbers = read_paper_numbers()
    yield from (phone_device(numbers, phone) for phone in numbers.phones)


def write_devices(folder: Path) -> None:
    """Write each device to `folder`."""
    for device in paper_devices():
        write_device(device, folder / f"{device.name}.json")


def _power(key: str) -> Iterator[Figure]:
    if key == POWER_PHONE:
        source = "section 7.7: both schemes' energies and the memory rails' saving"
        power = paper_power()
        for name in ("cpu_watts", "memory_nj_per_byte"):
            yield Figure(name=name, value=round(getattr(power, name), 5), source=source)


def _memory(key: str) -> Figure:
    return Figure(name="memory_bytes", value=MEMORY_BYTES[key], source="section 6")


if __name__ == "__main__":
    write_devices(Path(devices_package.__file__).parent)
