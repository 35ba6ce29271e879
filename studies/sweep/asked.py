"""What a sweep was asked for: values by axis, and what has to be run or read for them."""

from collections.abc import Mapping, Sequence

from engine.errors import InputError
from engine.schedules import schedule_named
from studies.pass_runs import PRICED
from studies.sweep.axes import AXES, Value, read_axis, read_values

BUS_DEVICE = "pixel-7"
DEFAULT_DEVICE = "oneplus-12r"
DEFAULT_SCHEDULES = ("jump_forward", "schemaweaver")
HEADED = "speculative"
"""The schedule that a draft head drafts for."""

Values = Mapping[str, Sequence[Value]]
"""Values by the name of their axis."""


def asked_values(options: Mapping[str, str | None], more: Sequence[str]) -> Values:
    """The values of each axis that has an option, and of those in `more`, as `bus=676:3172:8`.

    Devices and schedules are always among them. Raises InputError for an axis that is unknown (with all there are) or
    comes twice, for values that are none, an unknown schedule, and an acceptance that no schedule asks for.
    """
    values = {name: read_values(AXES[name], text) for name, text in options.items() if text is not None}
    for text in more:
        name, stated = read_axis(text)
        if name in values:
            raise InputError(f"--axis {text}: {name} has values already; give them once")
        values[name] = stated
    values.setdefault("device", (BUS_DEVICE if "bus" in values else DEFAULT_DEVICE,))
    values.setdefault("schedule", (HEADED,) if "acceptance" in values else DEFAULT_SCHEDULES)
    for schedule in values["schedule"]:
        schedule_named(str(schedule))
    if "acceptance" in values and HEADED not in values["schedule"]:
        raise InputError(f"--acceptance: only {HEADED} has a draft head; add it to --schedule")
    return values


def why_run(values: Values) -> str | None:
    """What of `values` changes passes, so that schedules have to run; None where kept passes will do."""
    if priced := [str(name) for name in values["schedule"] if name in PRICED]:
        return f"--schedule {','.join(priced)}"
    return next((f"--{name}" for name in values if AXES[name].runs_schedules), None)


def check_shape(values: Values, workload: str | None) -> None:
    """Raise InputError where the calls of a workload are asked to have another shape."""
    shaped = [name for name in ("arguments", "optional", "value-tokens", "prompt-tokens") if name in values]
    if workload is not None and shaped:
        raise InputError(f"--{shaped[0]}: the calls of --workload {workload} are as they are; leave one of them out")
