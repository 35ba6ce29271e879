"""The device files that come with the project: what they are made of, and how near they are to the printed numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.chips_from_paper import chip_phone
from calibration.core_sets_from_paper import core_set_fit, core_set_timings
from calibration.device_of_profile import device_of_profile, table_sigma
from calibration.devices_from_paper import write_devices
from calibration.own_machine import own_device
from calibration.paper_devices import CoreSet, read_paper_devices
from calibration.paper_numbers import read_paper_numbers
from cost_models import devices, read_profile
from cost_models.devices import device_names, read_device
from cost_models.json_node import read_json
from cost_models.phones import read_phone

PROFILE = Path(__file__).parents[1] / "results" / "bench" / "profile.json"
NUMBERS = read_paper_numbers()
PAPER = read_paper_devices(54.2)
TABLE_2 = {
    "oneplus-12r": (1.00, 1.61, 2.15, 1.20, 1.91, 2.49, 2.26),
    "pixel-7": (1.00, 1.75, 2.34, 1.11, 1.88, 2.47, 2.06),
}
SEQUENCES = np.array([1, 2, 3, 4, 5, 6, 8])


def nearly(found: Any, expected: Any) -> bool:
    """The same but for the last digits of fitted numbers."""
    if isinstance(found, dict):
        return found.keys() == expected.keys() and all(nearly(found[key], expected[key]) for key in found)
    if isinstance(found, list | tuple):
        return len(found) == len(expected) and all(map(nearly, found, expected))
    return found == (pytest.approx(expected, rel=0.01, abs=1e-4) if isinstance(found, float) else expected)


def test_the_committed_files_are_what_the_printed_numbers_make(tmp_path: Path) -> None:
    write_devices(tmp_path)
    made = {path.stem: read_json(path).value for path in tmp_path.iterdir()}
    assert set(made) == set(device_names()) - {"epyc-2-cores"}
    for name, data in made.items():
        assert nearly(data, json_of(name)), name


def test_this_machines_file_is_what_its_profile_makes() -> None:
    assert nearly(own_device(PROFILE).to_json(), read_device("epyc-2-cores").to_json())
    assert read_device("epyc-2-cores").table == read_profile(PROFILE).table


def json_of(name: str) -> Any:
    return read_json(Path(devices.__file__).with_name(f"{name}.json")).value


@pytest.mark.parametrize("cores", PAPER.core_sets, ids=lambda cores: cores.name)
def test_a_core_sets_printed_numbers_are_met(cores: CoreSet) -> None:
    """Within 3 %; the little cores' within 7 %, since their bandwidth and rates are pulled towards the big ones'."""
    roofline = read_device(cores.name).roofline
    limit = 0.07 if cores.name == "pixel-7-4-a55" else 0.05 if cores.name == "pixel-7-2-x1" else 0.031
    for timing in core_set_timings(NUMBERS, cores):
        assert roofline.pass_ms(timing.rows, timing.picks, timing.context_tokens) == pytest.approx(timing.ms, rel=limit)


@pytest.mark.parametrize("phone", NUMBERS.phones, ids=lambda phone: phone.key)
def test_table_2_is_predicted_from_three_numbers_of_the_protocols_cores(phone: Any) -> None:
    """As if Table 2 had not been printed but for the overlap that it tells: the reason for what core sets assume."""
    three = CoreSet(
        name="",
        phone=phone.key,
        cores="",
        like_cores=None,
        clock_mhz=None,
        serial_ms=phone.serial_ms,
        four_sequence_ms=phone.four_sequence_ms,
        prefill_ms_per_token=phone.prefill_ms_per_token,
        source="",
    )
    roofline = core_set_fit(NUMBERS, three, chip_phone(phone.key)).roofline
    errors = roofline.pass_ms(SEQUENCES, SEQUENCES, 512) / phone.serial_ms / np.array(TABLE_2[phone.key]) - 1
    assert np.mean(np.abs(errors)) < 0.05
    assert np.max(np.abs(errors)) < 0.095


@pytest.mark.parametrize("found", PAPER.accelerators, ids=lambda found: found.name)
def test_an_accelerators_printed_numbers_are_met_by_its_table(found: Any) -> None:
    table = read_device(found.name).table
    assert table.pass_ms(1, 1, 512) == pytest.approx(found.serial_ms, rel=0.001)
    assert table.pass_ms(4, 4, 512) == pytest.approx(found.four_sequence_steps * found.serial_ms, rel=0.001)
    assert table.pass_ms(512, 1, 512) == pytest.approx(512 * found.prefill_ms_per_token, rel=0.001)


@pytest.mark.parametrize(
    ("name", "serial_over_cpu", "prefill_cheaper"),
    [("oneplus-12r-gpu", 1.7, 10), ("oneplus-12r-npu", 3.0, 70), ("oneplus-12r-npu-in-engine", 3.0, 70)],
)
def test_section_9_against_table_1(name: str, serial_over_cpu: float, prefill_cheaper: float) -> None:
    """Where they contradict each other, as each device's notes say."""
    table, cpu = read_device(name).table, read_phone("oneplus-12r").table
    step = table.pass_ms(1, 1, 512)
    ratio, cheaper = step / cpu.pass_ms(1, 1, 512), step / (table.pass_ms(512, 1, 512) / 512)
    if name == "oneplus-12r-npu":
        assert ratio < 0.4 * serial_over_cpu
        assert cheaper < 0.65 * prefill_cheaper
    else:
        assert ratio == pytest.approx(serial_over_cpu, rel=0.05)
        assert cheaper > 0.8 * prefill_cheaper
    assert "contradict each other" in read_device(name).notes


def test_a_profiles_device_costs_what_its_table_says() -> None:
    profile = read_profile(PROFILE)
    shape = read_device("epyc-2-cores").model
    device = device_of_profile(profile, shape, name="mine", title="mine", cores="two")
    assert device.cost().model == profile.table
    assert device.errors.table_sigma == table_sigma(profile) == pytest.approx(1.253 * profile.fit.held_out.mean, 0.01)
    rows = np.array(profile.table.row_counts)
    off = device.roofline.pass_ms(rows, 1, 650) / profile.table.pass_ms(rows, 1, 650) - 1
    assert np.mean(np.abs(off)) < 0.12


def test_a_profile_without_held_out_passes_tells_no_error_of_its_table() -> None:
    assert table_sigma(read_phone("oneplus-12r")) is None
