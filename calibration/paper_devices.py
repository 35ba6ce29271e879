"""What a paper prints of cores and processors beside its protocol's, as read from the file beside this one."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibration.unpacking_from_paper import LighterStep
from cost_models.json_node import JsonNode

PAPER_DEVICES = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreSet:
    """Cores of the phone called `phone` (a key) and what passes cost on them.

    `like_cores` is their number where all are alike, `clock_mhz` their clock; None where unknown or not alike. So is
    `four_sequence_ms` where it was not measured.
    """

    name: str
    phone: str
    cores: str
    like_cores: int | None
    clock_mhz: float | None
    serial_ms: float
    four_sequence_ms: float | None
    prefill_ms_per_token: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """A GPU or NPU. `serial_ms` is a serial step, `four_sequence_steps` a pass of four sequences over it.

    With `pick_on_cpu` the output layer runs on the CPU.
    """

    name: str
    processor: str
    cores: str
    serial_ms: float
    four_sequence_steps: float
    prefill_ms_per_token: float
    pick_on_cpu: bool
    source: str
    notes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperDevices:
    """All of them. `published` is a month; `memory_bytes` is by phone.

    `peak_bytes` were resident on `peak_phone`, with room for `peak_context_tokens` of context, as is assumed.
    `tile_rows` and `overlap` of accelerators are assumed too.
    """

    published: str
    memory_bytes: Mapping[str, float]
    memory_source: str
    peak_phone: str
    peak_bytes: float
    peak_context_tokens: int
    peak_source: str
    lighter_step: LighterStep
    core_sets: tuple[CoreSet, ...]
    accelerators: tuple[Accelerator, ...]
    tile_rows: int
    overlap: float


def read_paper_devices(protocol_serial_ms: float, path: Path = PAPER_DEVICES) -> PaperDevices:
    """The numbers in a TOML file; `protocol_serial_ms` is the step that section 9 compares accelerators' with.

    Raises CostModelError naming file, path, value and what is valid.
    """
    root = JsonNode(tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    at = root.fields(
        *("published", "memory", "peak", "lighter_step", "core_sets", "table_1_cpu", "accelerators"),
        "accelerators_assumed",
    )
    memory = at["memory"].fields("section", "bytes")
    peak = at["peak"].fields("section", "phone", "bytes", "context_tokens")
    assumed = at["accelerators_assumed"].fields("tile_rows", "overlap")
    sets = (*(_core_set(node) for node in at["core_sets"].items()), _table_1(at["table_1_cpu"]))
    return PaperDevices(
        published=at["published"].text(),
        memory_bytes={phone: node.number() for phone, node in memory["bytes"].members().items()},
        memory_source=memory["section"].text(),
        peak_phone=peak["phone"].text(),
        peak_bytes=peak["bytes"].number(),
        peak_context_tokens=peak["context_tokens"].whole(),
        peak_source=peak["section"].text(),
        lighter_step=_lighter_step(at["lighter_step"]),
        core_sets=sets,
        accelerators=tuple(_accelerator(node, protocol_serial_ms) for node in at["accelerators"].items()),
        tile_rows=assumed["tile_rows"].whole(),
        overlap=assumed["overlap"].number(),
    )


def _lighter_step(data: JsonNode) -> LighterStep:
    at = data.fields("section", "phone", "quantisation", "times_faster")
    return LighterStep(
        phone=at["phone"].text(),
        quantisation=at["quantisation"].text(),
        times_faster=at["times_faster"].number(),
        source=at["section"].text(),
    )


def _core_set(data: JsonNode) -> CoreSet:
    times = ("serial_ms", "four_sequence_ms", "prefill_ms_per_token")
    at = data.fields("name", "phone", "cores", "like_cores", "clock_mhz", *times, optional=("like_cores", "clock_mhz"))
    return CoreSet(
        name=at["name"].text(),
        phone=at["phone"].text(),
        cores=at["cores"].text(),
        like_cores=None if at["like_cores"].value is None else at["like_cores"].whole(),
        clock_mhz=None if at["clock_mhz"].value is None else at["clock_mhz"].number(),
        serial_ms=at["serial_ms"].number(),
        four_sequence_ms=at["four_sequence_ms"].number(),
        prefill_ms_per_token=at["prefill_ms_per_token"].number(),
        source="Table 10's serial step, four-sequence step and prefill",
    )


def _table_1(data: JsonNode) -> CoreSet:
    at = data.fields("name", "phone", "cores", "prefill_tokens_s", "decode_tokens_s")
    return CoreSet(
        name=at["name"].text(),
        phone=at["phone"].text(),
        cores=at["cores"].text(),
        like_cores=None,
        clock_mhz=None,
        serial_ms=1e3 / at["decode_tokens_s"].number(),
        four_sequence_ms=None,
        prefill_ms_per_token=1e3 / at["prefill_tokens_s"].number(),
        source="Table 1's throughputs of decode and prefill",
    )


def _accelerator(data: JsonNode, protocol_serial_ms: float) -> Accelerator:
    names = ("name", "processor", "cores", "four_sequence_steps", "prefill_tokens_s", "pick_on_cpu", "notes")
    serial = ("decode_tokens_s", "serial_over_cpu")
    at = data.fields(*names, *serial, optional=serial)
    by_table_1 = at["serial_over_cpu"].value is None
    step = at["decode_tokens_s"] if by_table_1 else at["serial_over_cpu"]
    return Accelerator(
        name=at["name"].text(),
        processor=at["processor"].text(),
        cores=at["cores"].text(),
        serial_ms=1e3 / step.number() if by_table_1 else step.number() * protocol_serial_ms,
        four_sequence_steps=at["four_sequence_steps"].number(),
        prefill_ms_per_token=1e3 / at["prefill_tokens_s"].number(),
        pick_on_cpu=at["pick_on_cpu"].truth(),
        source=f"Table 1's prefill, section 9's four-sequence pass, {'Table 1' if by_table_1 else 'section 9'}'s step",
        notes=at["notes"].text().strip(),
    )
