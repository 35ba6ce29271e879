"""Device files of what a paper prints of its phones; `python -m calibration.devices_from_paper` writes them."""

from collections.abc import Iterator
from pathlib import Path

from calibration.accelerators_from_paper import accelerator_device
from calibration.bus import bus_range_mhz, fit_bus_part
from calibration.bus_from_paper import bus_timings
from calibration.chip import ChipFit
from calibration.chip_figures import FITTED, chip_figures, rounded
from calibration.chips_from_paper import BUS_PHONE, MODEL, chip_phone
from calibration.core_sets_from_paper import core_set_device
from calibration.paper_devices import PaperDevices, read_paper_devices
from calibration.paper_numbers import PaperNumbers, PaperPhone, read_paper_numbers
from calibration.power_from_paper import PHONE as POWER_PHONE
from calibration.power_from_paper import paper_power
from calibration.unpacking_from_paper import unpacking_gweights_s
from cost_models import devices as devices_package
from cost_models.device import Device, write_device
from cost_models.figure import POWER_FIGURES, Figure
from cost_models.models import read_model
from cost_models.peak_memory import peak_memory
from cost_models.phones import read_phone

FITTED_TO = {
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
    "Matrices of all sizes are multiplied at the same two rates, and read at the same bandwidth.",
)


def paper_devices() -> Iterator[Device]:
    """Both phones with the protocol's cores, their other core sets, and one's GPU and NPU."""
    numbers = read_paper_numbers()
    phones = {phone.key: phone for phone in numbers.phones}
    devices = read_paper_devices(phones["oneplus-12r"].serial_ms)
    for phone in numbers.phones:
        yield phone_device(numbers, devices, phone)
    for cores in devices.core_sets:
        yield core_set_device(numbers, cores, _memory(devices, cores.phone), devices.published)
    phone, shape = phones["oneplus-12r"], read_model(MODEL)
    for found in devices.accelerators:
        yield accelerator_device(numbers, devices, phone, found, shape, _memory(devices, phone.key))


def phone_device(numbers: PaperNumbers, devices: PaperDevices, phone: PaperPhone) -> Device:
    """The phone with the cores of the paper's protocol; its table is its profile's."""
    fit = chip_phone(phone.key)
    levels = bus_timings() if phone.key == BUS_PHONE else ()
    sources = dict.fromkeys(FITTED, FITTED_TO[phone.key]) | SOURCES
    return Device(
        name=phone.key,
        title=phone.name,
        processor="cpu",
        cores=phone.cpu,
        model=fit.roofline.shape,
        figures=(
            *chip_figures(fit.roofline.chip, sources),
            *_unpacking(devices, fit, phone.key),
            *_power(phone.key),
            _memory(devices, phone.key),
            _buffers(devices),
        ),
        measured=fit.roofline.measured,
        errors=rounded(fit.errors()),
        table=read_phone(phone.key).table,
        phone=phone.key,
        bus_part=fit_bus_part(levels) if levels else None,
        measured_mhz=bus_range_mhz(levels) if levels else None,
        date=devices.published,
        source=f"{numbers.paper}: {phone.sources}",
        assumed=ASSUMED,
        notes=read_phone(phone.key).notes,
    )


def write_devices(folder: Path) -> None:
    """Write each device to `folder`."""
    for device in paper_devices():
        write_device(device, folder / f"{device.name}.json")


def _unpacking(devices: PaperDevices, fit: ChipFit, key: str) -> Iterator[Figure]:
    step = devices.lighter_step
    if key == step.phone:
        rate = unpacking_gweights_s(step, read_phone(key).table, fit.roofline.shape, fit.roofline.chip)
        source = f"{step.source}: a step is {step.times_faster:g} times faster with weights in {step.quantisation}"
        yield Figure(name="unpack_gweights_s", value=float(f"{rate:.4g}"), source=source)


def _power(key: str) -> Iterator[Figure]:
    if key == POWER_PHONE:
        power, source = paper_power(), "section 7.7: two schemes' energies, and what they save on the memory's rails"
        yield from (Figure(name=name, value=round(getattr(power, name), 5), source=source) for name in POWER_FIGURES)


def _memory(devices: PaperDevices, key: str) -> Figure:
    return Figure(name="memory_bytes", value=devices.memory_bytes[key], source=devices.memory_source)


def _buffers(devices: PaperDevices) -> Figure:
    without = peak_memory(read_model(MODEL), devices.peak_context_tokens).total_bytes
    source = (
        f"{devices.peak_source}, on the {devices.peak_phone}: less the weights twice and a cache of "
        f"{devices.peak_context_tokens:,} tokens, which is assumed"
    )
    return Figure(name="buffer_bytes", value=round(devices.peak_bytes - without, -6), source=source)


if __name__ == "__main__":
    write_devices(Path(devices_package.__file__).parent)
