"""The schedules: each one function from a request to a generator of commands."""

from collections.abc import Callable, Mapping

from engine.errors import InputError
from engine.request import Request
from engine.schedules.arguments_given import arguments_given
from engine.schedules.auto import auto
from engine.schedules.branched import branched
from engine.schedules.constrained import constrained
from engine.schedules.drafted import drafted
from engine.schedules.jump_drafted import jump_drafted
from engine.schedules.jump_forward import jump_forward
from engine.schedules.jump_forward_provisional import jump_forward_provisional
from engine.schedules.optional_all import optional_all
from engine.schedules.optional_first import optional_first
from engine.schedules.parallel import parallel
from engine.schedules.schemaweaver import schemaweaver
from engine.schedules.serial import Schedule
from engine.schedules.skeleton import skeleton
from engine.schedules.speculative import speculative
from engine.schedules.unconstrained import unconstrained
from engine.schedules.verified import verified

SCHEDULES: Mapping[str, Callable[[Request], Schedule]] = {
    "unconstrained": unconstrained,
    "constrained": constrained,
    "jump_forward": jump_forward,
    "jump_forward_provisional": jump_forward_provisional,
    "jump_drafted": jump_drafted,
    "speculative": speculative,
    "skeleton": skeleton,
    "parallel": parallel,
    "schemaweaver": schemaweaver,
    "arguments_given": arguments_given,
    "optional_first": optional_first,
    "optional_all": optional_all,
    "verified": verified,
    "branched": branched,
    "drafted": drafted,
    "auto": auto,
}

EXACT = (
    *("constrained", "jump_forward", "jump_forward_provisional", "jump_drafted", "speculative"),
    *("verified", "branched", "drafted", "auto"),
)
"""Those that write what constrained decoding writes, whatever the model (law 2)."""

BASIC = ("constrained", "jump_forward", "schemaweaver")
"""The paper's comparison in short: its baseline, the nearest rival, and its own."""


def schedule_named(name: str) -> Callable[[Request], Schedule]:
    """The schedule called `name`; raises InputError that lists the names."""
    if name not in SCHEDULES:
        raise InputError(f"unknown schedule {name!r}; choose one of: {', '.join(SCHEDULES)}")
    return SCHEDULES[name]
