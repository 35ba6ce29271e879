"""Parallel values without padding (paper, Table 7)."""

from dataclasses import replace

from engine.request import Request
from engine.schedules.schemaweaver import schemaweaver
from engine.schedules.serial import Schedule


def parallel(request: Request) -> Schedule:
    """As `schemaweaver`, with passes as wide as there are unfinished values."""
    return schemaweaver(replace(request, tile_rows=1))
