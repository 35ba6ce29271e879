"""All optional arguments in the skeleton: a choice that the paper refuses (Table 4)."""

from collections.abc import Generator

from engine.backend import Readout
from engine.commands import Command
from engine.request import Request
from engine.schedules.parallel_values import decode_side_by_side
from engine.schedules.schemaweaver import decode_as_the_paper
from engine.schedules.serial import Schedule
from engine.tools import Tool
from engine.trunk import Trunk


def optional_all(request: Request) -> Schedule:
    """As `schemaweaver`, with every optional argument decoded as if it were required; none is ever left out."""
    return decode_as_the_paper(request, decode_side_by_side, _all)


def _all(request: Request, trunk: Trunk, tool: Tool) -> Generator[Command, Readout, tuple[str, ...]]:
    yield from ()
    return tuple(tool.properties)
