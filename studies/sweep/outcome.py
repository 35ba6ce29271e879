"""What comes out at one point of a sweep."""

from dataclasses import dataclass

from studies.sweep.bounds import Bounds
from studies.sweep.mean_energy import MeanEnergy
from studies.sweep.point import Point

ALL_PERCENT = 99.95
"""From this share on a point counts as extrapolated as a whole: so where its conditions were never measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Latencies at `point`, geometric means over its `runs`, in ms from the prompt's end.

    `result_ms` is where the call is final and the tool's result there. Speedups are over `constrained` at the same
    point. `outside_percent` is the share of the time to the final call in passes that nobody measured: of sizes or
    under conditions outside what the device's numbers come from. `assumed` says what is taken for granted there.

    `tool_start_energy` and `final_energy` are those of the passes up to there, None where nobody knows what the device
    draws; they have no bounds. `peak_memory_bytes` is what the model takes with the passes' longest context, `fits`
    whether the device has it, None where that is unknown.
    """

    point: Point
    runs: int
    tool_start_ms: Bounds
    final_ms: Bounds
    result_ms: Bounds
    tool_start_speedup: Bounds
    final_speedup: Bounds
    outside_percent: float
    tool_start_energy: MeanEnergy | None
    final_energy: MeanEnergy | None
    peak_memory_bytes: float
    fits: bool | None
    assumed: tuple[str, ...] = ()

    @property
    def is_extrapolated(self) -> bool:
        """Whether all of the time is in passes that nobody measured."""
        return self.outside_percent >= ALL_PERCENT
