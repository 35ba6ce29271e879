"""What a calibration run measured, as a value and as a JSON file."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from math import isfinite
from pathlib import Path
from typing import Any

from cost_models.errors import CostModelError
from cost_models.files import write_whole
from cost_models.json_node import JsonNode, json_text, read_json
from cost_models.provenance import Provenance
from engine.errors import InputError

MEASUREMENT_FORMAT = "schemaweaver-measurement-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One timed pass: its cell, the number of its sweep, its place within that, and its milliseconds.

    Raises CostModelError, starting with the field's name, where no pass is like this.
    """

    rows: int
    picks: int
    context_tokens: int
    held_out: bool
    sweep: int
    order: int
    ms: float

    def __post_init__(self) -> None:
        self._check("rows", self.rows >= 1, "a whole number >= 1")
        self._check("picks", 0 <= self.picks <= self.rows, f"0 to {self.rows}, the rows")
        self._check("context_tokens", self.context_tokens >= self.rows, f"{self.rows} or more, the rows")
        self._check("sweep", self.sweep >= 0, "a whole number >= 0")
        self._check("order", self.order >= 0, "a whole number >= 0")
        self._check("ms", isfinite(self.ms) and self.ms > 0, "a finite number > 0")

    @classmethod
    def from_json(cls, data: JsonNode) -> "Sample":
        """Raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__)
        wholes = {name: at[name].whole() for name in ("rows", "picks", "context_tokens", "sweep", "order")}
        return data.built(cls, **wholes, held_out=at["held_out"].truth(), ms=at["ms"].number())

    def _check(self, name: str, valid: bool, expected: str) -> None:
        if not valid:
            raise CostModelError(f"{name}: found {getattr(self, name)}, expected {expected}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """All samples of a run in the order they were taken, with where they come from.

    `host_samples_ms` holds the time that real decoding spent outside a pass, one value per pass; it is not
    measured with the samples, so whoever decodes fills it in. `seed` set the order of the cells.
    """

    provenance: Provenance
    samples: tuple[Sample, ...]
    host_samples_ms: tuple[float, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for i, value in enumerate(self.host_samples_ms):
            if not isfinite(value) or value < 0:
                raise CostModelError(f"host_samples_ms[{i}]: found {value}, expected a finite number >= 0")

    @property
    def sweeps(self) -> int:
        """How many times the plan was gone through."""
        return len({sample.sweep for sample in self.samples})

    def to_json(self) -> dict[str, Any]:
        """The measurement as plain JSON data, with its format's version first."""
        return {"format": MEASUREMENT_FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, data: JsonNode) -> "Measurement":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields("format", *cls.__dataclass_fields__)
        at["format"].exactly(MEASUREMENT_FORMAT)
        return data.built(
            cls,
            provenance=Provenance.from_json(at["provenance"]),
            samples=tuple(Sample.from_json(item) for item in at["samples"].items()),
            host_samples_ms=at["host_samples_ms"].numbers(),
            seed=at["seed"].whole(),
        )


def join(measurements: Sequence[Measurement]) -> Measurement:
    """One measurement of the sweeps of all, in their order; provenance and seed are the first one's.

    Raises InputError where there is none, or where they are of different provenance.
    """
    if not measurements or any(each.provenance != measurements[0].provenance for each in measurements):
        raise InputError(f"{len(measurements)} measurements to join: needs one or more, all of one provenance")
    starts = accumulate((each.sweeps for each in measurements), initial=0)
    samples = (
        replace(sample, sweep=start + sample.sweep)
        for start, each in zip(starts, measurements, strict=False)
        for sample in each.samples
    )
    host = tuple(ms for each in measurements for ms in each.host_samples_ms)
    return replace(measurements[0], samples=tuple(samples), host_samples_ms=host)


def read_measurement(path: Path) -> Measurement:
    """The measurement in a file; raises InputError naming file, JSON path, value and what is valid."""
    try:
        return Measurement.from_json(read_json(path))
    except CostModelError as error:
        raise InputError(str(error)) from error


def write_measurement(measurement: Measurement, path: Path) -> None:
    """Write `measurement` to `path`, whole or not at all; equal measurements give equal bytes."""
    write_whole(path, json_text(measurement.to_json()))
