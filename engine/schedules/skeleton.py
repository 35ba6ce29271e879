"""The skeleton with serial values (paper, Table 7): what the paper's schedule is without parallel decoding."""

from engine.request import Request
from engine.schedules.parallel_values import decode_one_by_one
from engine.schedules.schemaweaver import decode_as_the_paper
from engine.schedules.serial import Schedule


def skeleton(request: Request) -> Schedule:
    """As `schemaweaver`, with the required values decoded one after the other, each in its own branch."""
    return decode_as_the_paper(request, decode_one_by_one)
