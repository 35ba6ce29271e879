"""The Pixel 7 at other clocks of its memory bus, from the end points that a paper prints."""

import tomllib
from pathlib import Path

from calibration.bus import BusTiming
from cost_models.json_node import JsonNode
from cost_models.phones import read_phone

PAPER_BUS = Path(__file__).with_name("paper_bus.toml")


def bus_timings(path: Path = PAPER_BUS) -> tuple[BusTiming, ...]:
    """The printed end points; a prompt's by the phone's own table and the printed slowdown of a prompt token.

    Raises CostModelError naming file, path, value and what is valid.
    """
    at = _root(path)
    levels = at["bus_mhz"].numbers()
    assumed = at["assumed"].fields("context_tokens", "prompt_tokens")
    context = assumed["context_tokens"].whole()
    printed = [timing for item in at["passes"].items() for timing in _timings(item, levels, context)]
    prompt = assumed["prompt_tokens"].whole()
    fast_ms = read_phone(at["phone"].text()).table.pass_ms(prompt, 1, context)
    slow_ms = fast_ms * at["prompt_token_slowdown"].number()
    ends = zip(levels, (fast_ms, slow_ms), strict=True)
    return (*printed, *(BusTiming(prompt, 1, context, mhz, ms) for mhz, ms in ends))


def _timings(data: JsonNode, levels: tuple[float, ...], context: int) -> list[BusTiming]:
    at = data.fields("rows", "picks", "ms")
    ms = at["ms"].numbers()
    if len(ms) != len(levels):
        raise at["ms"].wrong(f"{len(levels)} numbers, one for each bus level")
    sizes = at["rows"].whole(), at["picks"].whole()
    return [BusTiming(*sizes, context, level, each) for level, each in zip(levels, ms, strict=True)]


def _root(path: Path) -> dict[str, JsonNode]:
    root = JsonNode(tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    return root.fields("phone", "bus_mhz", "prompt_token_slowdown", "passes", "assumed")
