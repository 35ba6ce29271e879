"""Where measured costs come from, and whether a run is on the same ground."""

from dataclasses import asdict, dataclass
from typing import Any

from cost_models.errors import CostModelError
from cost_models.json_node import JsonNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The model file, engine and machine of a measurement or a run.

    `engine` is a name and version ("llama-cpp-python 0.3.36"), `engine_build` what the engine says about its
    own build, `date` an ISO date, `n_ctx` the context's size in tokens. An empty text or a zero means
    unknown. `source` says where the numbers were published; empty: they were measured by this software.
    `extra_buffers` says whether weights were laid out anew for the engine's fastest kernels, as they are unless
    those do not work on the machine: without, it is another machine.
    Raises CostModelError on a negative number.
    """

    model_file_name: str
    model_sha256: str
    model_bytes: int
    engine: str
    engine_build: str
    threads: int
    cpu: str
    os: str
    date: str
    n_ctx: int
    context_flags: str = ""
    source: str = ""
    extra_buffers: bool = True

    def __post_init__(self) -> None:
        for name in ("model_bytes", "threads", "n_ctx"):
            if getattr(self, name) < 0:
                raise CostModelError(f"{name}: found {getattr(self, name)}, expected a whole number >= 0")

    def to_json(self) -> dict[str, Any]:
        """The provenance as plain JSON data; of buffers it only says where they are not the usual ones."""
        data = asdict(self)
        if self.extra_buffers:
            del data["extra_buffers"]
        return data

    @classmethod
    def from_json(cls, data: JsonNode) -> "Provenance":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__, optional=("source", "extra_buffers"))
        return data.built(
            cls,
            model_file_name=at["model_file_name"].text(),
            model_sha256=at["model_sha256"].text(),
            model_bytes=at["model_bytes"].whole(),
            engine=at["engine"].text(),
            engine_build=at["engine_build"].text(),
            threads=at["threads"].whole(),
            cpu=at["cpu"].text(),
            os=at["os"].text(),
            date=at["date"].text(),
            n_ctx=at["n_ctx"].whole(),
            context_flags=at["context_flags"].text(),
            source="" if at["source"].value is None else at["source"].text(),
            extra_buffers=at["extra_buffers"].value is None or at["extra_buffers"].truth(),
        )


def mismatches(profile: Provenance, run: Provenance) -> tuple[str, ...]:
    """A sentence for each of model file, engine, threads, CPU and buffers in which a run differs from a profile.

    Empty where costs carry over. What either side does not know counts as a difference.
    """
    said = [_difference(subject, field, profile, run) for subject, field in _COMPARED]
    if profile.extra_buffers != run.extra_buffers:
        measured, running = _BUFFERS[profile.extra_buffers], _BUFFERS[run.extra_buffers]
        said.append(f"The profile was measured with weights {measured}; this run has them {running}.")
    return tuple(sentence for sentence in said if sentence)


_COMPARED = (
    ("model file", "model_sha256"),
    ("engine", "engine"),
    ("thread count", "threads"),
    ("CPU", "cpu"),
)

_BUFFERS = {True: "in extra buffers", False: "as they lie in the file"}


def _difference(subject: str, field: str, profile: Provenance, run: Provenance) -> str:
    if not getattr(profile, field):
        return f"The profile does not say which {subject} it was measured with."
    if getattr(profile, field) == getattr(run, field):
        return ""
    measured, running = _shown(profile, field), _shown(run, field)
    return f"The profile was measured with {subject} {measured}; this run has {running}."


def _shown(source: Provenance, field: str) -> str:
    value = getattr(source, field)
    if not value:
        return "an unknown one"
    return f"{source.model_file_name} (sha256 {value})" if field == "model_sha256" else str(value)
