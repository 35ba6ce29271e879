"""The numbers that a paper prints of its phones, as read from the file beside this one."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from cost_models.json_node import JsonNode

PAPER_NUMBERS = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperModel:
    """The model that was measured; `output_layer_share` is the part of its weights that a pick reads."""

    file_name: str
    weight_bytes: int
    cache_bytes_per_token: int
    output_layer_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPhone:
    """What is printed of one phone.

    A pass of `sequences[i]` sequences, one row and one pick each, costs `relative_cost[i]` times a pass of one.
    `serial_ms`, `four_sequence_ms` and `prefill_ms_per_token` are a benchmark's, `serial_in_engine_ms` is a serial
    pass of the schedules under study, at `in_engine_context_tokens`. `sources` says where in the paper they stand.
    """

    key: str
    name: str
    cpu: str
    os: str
    sequences: tuple[int, ...]
    relative_cost: tuple[float, ...]
    serial_ms: float
    four_sequence_ms: float
    prefill_ms_per_token: float
    serial_in_engine_ms: float
    in_engine_context_tokens: int
    sources: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperNumbers:
    """All phones of the paper, with what they have in common.

    `context_tokens` and `prompt_tokens` are assumed: the context of the benchmark's steps and its prompt's length.
    """

    paper: str
    engine: str
    engine_build: str
    threads: int
    tile_rows: int
    model: PaperModel
    context_tokens: int
    prompt_tokens: int
    phones: tuple[PaperPhone, ...]


def read_paper_numbers(path: Path = PAPER_NUMBERS) -> PaperNumbers:
    """The numbers in a TOML file; raises CostModelError naming file, path, value and what is valid."""
    root = JsonNode(tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    at = root.fields("paper", "engine", "engine_build", "threads", "tile_rows", "model", "assumed", "phones")
    assumed = at["assumed"].fields("context_tokens", "prompt_tokens")
    return PaperNumbers(
        paper=at["paper"].text(),
        engine=at["engine"].text(),
        engine_build=at["engine_build"].text(),
        threads=at["threads"].whole(),
        tile_rows=at["tile_rows"].whole(),
        model=_model(at["model"]),
        context_tokens=assumed["context_tokens"].whole(),
        prompt_tokens=assumed["prompt_tokens"].whole(),
        phones=tuple(_phone(key, node) for key, node in at["phones"].members().items()),
    )


def _model(data: JsonNode) -> PaperModel:
    at = data.fields(*PaperModel.__dataclass_fields__)
    return PaperModel(
        file_name=at["file_name"].text(),
        weight_bytes=at["weight_bytes"].whole(),
        cache_bytes_per_token=at["cache_bytes_per_token"].whole(),
        output_layer_share=at["output_layer_share"].number(),
    )


def _phone(key: str, data: JsonNode) -> PaperPhone:
    at = data.fields(*(name for name in PaperPhone.__dataclass_fields__ if name != "key"))
    return PaperPhone(
        key=key,
        name=at["name"].text(),
        cpu=at["cpu"].text(),
        os=at["os"].text(),
        sequences=at["sequences"].wholes(),
        relative_cost=at["relative_cost"].numbers(),
        serial_ms=at["serial_ms"].number(),
        four_sequence_ms=at["four_sequence_ms"].number(),
        prefill_ms_per_token=at["prefill_ms_per_token"].number(),
        serial_in_engine_ms=at["serial_in_engine_ms"].number(),
        in_engine_context_tokens=at["in_engine_context_tokens"].whole(),
        sources=at["sources"].text(),
    )
