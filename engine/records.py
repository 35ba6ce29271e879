"""What happened in a run: the same records from llama.cpp and from the simulator.

Times are milliseconds since the start of the run. Everything here turns into plain JSON and back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.calls import ToolCall
from engine.commands import Pass, Phase, Row, Status

MEASURED = "measured"
"""The source of a run on llama.cpp."""

SIMULATED = "simulated"
"""The source of a run in the simulator."""


@dataclass(frozen=True, slots=True)
class PassRecord:
    """One pass: what was asked, when it ran, and what was picked from it (row number and token)."""

    command: Pass
    start_ms: float
    end_ms: float
    picks: tuple[tuple[int, int], ...] = ()

    @property
    def duration_ms(self) -> float:
        return self.end_ms - self.start_ms


@dataclass(frozen=True, slots=True)
class EmitRecord:
    """One emission: the call, its status, and when the tool got it."""

    call: ToolCall
    status: Status
    at_ms: float


@dataclass(frozen=True, slots=True)
class ToolRun:
    """One run of the tool beside the decode; `kept` is False where a corrected call replaced it."""

    status: Status
    start_ms: float
    end_ms: float
    kept: bool


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One call decoded by one schedule once.

    `source` is "measured" or "simulated", `repeat` counts runs of the same call. `reused_tokens` of the prompt were in
    memory before the run. `settings` holds what else was chosen, such as the tile's rows. `is_right` says whether the
    workload's answers accept the call, None where nobody asked; `why_wrong` says why not. `serial_ms` is what a pass of
    one row behind the prompt took right before the run, None where nobody measured: how fast the machine was just then.
    """

    call_id: str
    schedule: str
    source: str
    repeat: int
    prompt_tokens: int
    reused_tokens: int
    passes: tuple[PassRecord, ...]
    emits: tuple[EmitRecord, ...]
    tool_runs: tuple[ToolRun, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    is_right: bool | None = None
    why_wrong: str = ""
    serial_ms: float | None = None

    @property
    def call(self) -> ToolCall:
        """The call that the schedule ended with."""
        return self.emits[-1].call

    @property
    def prompt_end_ms(self) -> float:
        """When the prompt was in memory: where the paper (section 7, Metrics) starts a call's latency.

        A pass over the prompt's end and the call's start is all the call's: latencies start before it, if anything too
        long.
        """
        return max((p.end_ms for p in self.passes if p.command.phase is Phase.PROMPT), default=0.0)

    @property
    def tool_start_ms(self) -> float:
        """Latency to the emission whose run was kept: the provisional call where it stood, else the last one."""
        stands = self.emits[0] if self.emits[-1].status is Status.CONFIRMED else self.emits[-1]
        return stands.at_ms - self.prompt_end_ms

    @property
    def final_ms(self) -> float:
        """Latency to the emission that says what the call is."""
        return self.emits[-1].at_ms - self.prompt_end_ms

    @property
    def call_passes(self) -> tuple[PassRecord, ...]:
        """The model's passes after the prompt's; those of a draft model are left out."""
        return tuple(p for p in self.passes if p.command.phase not in (Phase.PROMPT, Phase.DRAFT))

    @property
    def host_ms(self) -> float:
        """Time of the run outside its passes, up to the end of the last pass."""
        return self.passes[-1].end_ms - sum(p.duration_ms for p in self.passes)


def run_to_json(run: RunRecord) -> dict[str, Any]:
    """`run` as plain JSON data; rows are `[token, position, [sequences], pick]`."""
    return {
        "call_id": run.call_id,
        "schedule": run.schedule,
        "source": run.source,
        "repeat": run.repeat,
        "prompt_tokens": run.prompt_tokens,
        "reused_tokens": run.reused_tokens,
        "passes": [_pass_to_json(record) for record in run.passes],
        "emits": [_emit_to_json(record) for record in run.emits],
        "tool_runs": [[str(t.status), t.start_ms, t.end_ms, t.kept] for t in run.tool_runs],
        "settings": dict(run.settings),
        **({} if run.is_right is None else {"is_right": run.is_right, "why_wrong": run.why_wrong}),
        **({} if run.serial_ms is None else {"serial_ms": run.serial_ms}),
    }


def run_from_json(data: Mapping[str, Any]) -> RunRecord:
    """The inverse of `run_to_json`; raises KeyError, TypeError or ValueError on other data.

    A call that nobody judged has no verdict.
    """
    return RunRecord(
        call_id=data["call_id"],
        schedule=data["schedule"],
        source=data["source"],
        repeat=data["repeat"],
        prompt_tokens=data["prompt_tokens"],
        reused_tokens=data["reused_tokens"],
        passes=tuple(_pass_from_json(item) for item in data["passes"]),
        emits=tuple(_emit_from_json(item) for item in data["emits"]),
        tool_runs=tuple(ToolRun(Status(s), start, end, kept) for s, start, end, kept in data["tool_runs"]),
        settings=data["settings"],
        is_right=data.get("is_right"),
        why_wrong=data.get("why_wrong", ""),
        serial_ms=data.get("serial_ms"),
    )


def _pass_to_json(record: PassRecord) -> dict[str, Any]:
    return {
        "phase": str(record.command.phase),
        "rows": [[r.token, r.position, list(r.sequences), r.pick] for r in record.command.rows],
        "start_ms": record.start_ms,
        "end_ms": record.end_ms,
        "picks": [list(pick) for pick in record.picks],
    }


def _pass_from_json(data: Mapping[str, Any]) -> PassRecord:
    rows = tuple(Row(token, position, tuple(seqs), pick) for token, position, seqs, pick in data["rows"])
    picks = tuple((row, token) for row, token in data["picks"])
    return PassRecord(Pass(Phase(data["phase"]), rows), data["start_ms"], data["end_ms"], picks)


def _emit_to_json(record: EmitRecord) -> dict[str, Any]:
    call = record.call
    return {
        "status": str(record.status),
        "at_ms": record.at_ms,
        "name": call.name,
        "arguments": None if call.arguments is None else dict(call.arguments),
        "text": call.text,
        "number_texts": dict(call.number_texts),
    }


def _emit_from_json(data: Mapping[str, Any]) -> EmitRecord:
    call = ToolCall(data["name"], data["arguments"], data["text"], data["number_texts"])
    return EmitRecord(call, Status(data["status"]), data["at_ms"])
