"""The set of arguments given: the upper bound of what deciding them could gain (paper, Table 7)."""

from collections.abc import Generator

from engine.backend import Readout
from engine.commands import Command
from engine.errors import InputError
from engine.request import Request
from engine.schedules.parallel_values import decode_side_by_side
from engine.schedules.schemaweaver import decode_as_the_paper
from engine.schedules.serial import Schedule
from engine.tools import Tool
from engine.trunk import Trunk


def arguments_given(request: Request) -> Schedule:
    """As `schemaweaver`, with the arguments that the request says the call has: all of them side by side, no others."""
    return decode_as_the_paper(request, decode_side_by_side, _given)


def _given(request: Request, trunk: Trunk, tool: Tool) -> Generator[Command, Readout, tuple[str, ...]]:
    if request.given_arguments is None:
        raise InputError("arguments_given needs a request that says which arguments the call has")
    yield from ()
    return (*tool.required, *request.given_arguments)
