"""Which models are too large for the devices that a sweep prices them on."""

from collections.abc import Sequence

from studies.sweep.outcome import Outcome


def misfits(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """A sentence for each model that does not fit its device's memory, with the most that its points take."""
    peaks: dict[str, float] = {}
    for outcome in outcomes:
        if outcome.fits is False:
            name = _place(outcome)
            peaks[name] = max(outcome.peak_memory_bytes, peaks.get(name, 0.0))
    return tuple(
        f"{name}: {peak / 1e9:.2f} GB at its peak, more memory than the device has; swapping is not modelled"
        for name, peak in peaks.items()
    )


def _place(outcome: Outcome) -> str:
    point = outcome.point
    named = (f"{axis} {value}" for axis in ("device", "model", "quantisation") if (value := point.value(axis)))
    return ", ".join(named)
