"""The schedules: each one function from a request to a generator of commands."""

from collections.abc import Callable, Mapping

from engine.errors import InputError
from engine.request import Request
from engine.schedules.constrained import constrained
from engine.schedules.jump_forward import jump_forward
from engine.schedules.schemaweaver import schemaweaver
from engine.schedules.serial import Schedule

SCHEDULES: Mapping[str, Callable[[Request], Schedule]] = {
    "constrained": constrained,
    "jump_forward": jump_forward,
    "schemaweaver": schemaweaver,
}


def schedule_named(name: str) -> Callable[[Request], Schedule]:
    """The schedule called `name`; raises InputError that lists the names."""
    if name not in SCHEDULES:
        raise InputError(f"unknown schedule {name!r}; choose one of: {', '.join(SCHEDULES)}")
    return SCHEDULES[name]
