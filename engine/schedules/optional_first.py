"""Optional arguments decided before any value: a choice that the paper refuses (Table 4)."""

from collections.abc import Generator

from engine.backend import Readout
from engine.commands import TRUNK, Command, Drop, Fork, Phase
from engine.request import Request
from engine.schedules.parallel_values import decode_side_by_side
from engine.schedules.schemaweaver import decode_as_the_paper
from engine.schedules.serial import Schedule, decode_jumping, is_cut, take_forced
from engine.tools import Tool
from engine.trunk import Trunk

_ASIDE = 1
"""The sequence in which keys are tried."""


def optional_first(request: Request) -> Schedule:
    """As `schemaweaver`, but the model picks keys behind the head: optional ones join the skeleton, until another.

    The keys are picked in a sequence of their own, one after the other, before any value is there to go by.
    """
    return decode_as_the_paper(request, decode_side_by_side, _picked)


def _picked(request: Request, trunk: Trunk, tool: Tool) -> Generator[Command, Readout, tuple[str, ...]]:
    picked: list[str] = []
    while len(picked) < len(tool.optional):
        left = [name for name in tool.optional if name not in picked]
        name = yield from _pick_key(request, trunk, tool, left)
        if name not in left:
            break
        picked.append(name)
    return (*tool.required, *picked)


def _pick_key(
    request: Request, trunk: Trunk, tool: Tool, optional: list[str]
) -> Generator[Command, Readout, str | None]:
    """The key that the model would write first, of `optional` and the first required one; None for no key."""
    keys = request.toolset.key_constraint(tool, (*tool.required[:1], *optional))
    keys.advance_all(trunk.call_tokens)
    yield Fork(TRUNK, (_ASIDE,))
    aside = trunk.fork(_ASIDE)

    def is_done() -> bool:
        return keys.is_finished

    take_forced(request, aside, keys, is_done)
    yield from decode_jumping(request, aside, keys, is_done, Phase.OPTIONAL)
    yield Drop(_ASIDE)
    if is_cut(request, aside):
        return None
    text = request.toolset.vocabulary.decode(aside.call_tokens).decode()
    call_format = request.toolset.call_format
    written = {call_format.head(tool.name) + call_format.lead(name, is_first=True): name for name in tool.properties}
    return written.get(text)
