"""Runs as a Chrome trace: open it at ui.perfetto.dev or chrome://tracing."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cost_models.files import write_whole
from engine.commands import TRUNK, Pass, Phase
from engine.records import MEASURED, SIMULATED, EmitRecord, PassRecord, RunRecord, ToolRun
from studies.frames import check_run

PROCESSES = {MEASURED: 1, SIMULATED: 2}
"""The trace's process of each source."""

# Viewers take a track with its process's number for the main thread, so tracks start well above.
RUN_TRACK = 10
PASS_TRACK = 11
TOOL_TRACK = 12
DISCARDED_TRACK = 13
DRAFT_TRACK = 14
SEQUENCE_TRACK = 20
"""The track of sequence 0; sequence n has the n-th track after it."""

GAP_MS = 100.0
"""Empty time between one run and the next."""

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A run and where its time zero lies in the trace, in microseconds."""

    run: RunRecord
    offset_us: int

    def event(self, kind: str, name: str, track: int, at_ms: float, **fields: Any) -> Event:
        place = {"pid": PROCESSES[self.run.source], "tid": track, "ts": self.at_us(at_ms)}
        return {"ph": kind, "name": name, **place, **fields}

    def slice(self, name: str, track: int, span_ms: tuple[float, float], args: Event) -> Event:
        start_us, end_us = self.at_us(span_ms[0]), self.at_us(span_ms[1])
        return self.event("X", name, track, span_ms[0], dur=end_us - start_us, args=args)

    def at_us(self, at_ms: float) -> int:
        # Whole microseconds, so that the end of one slice and the start of the next cannot cross by rounding.
        return self.offset_us + round(at_ms * 1000)


def trace(runs: Iterable[RunRecord], gap_ms: float = GAP_MS) -> dict[str, Any]:
    """The Chrome trace (JSON object format) of `runs`, one run after another on the same tracks.

    Process 1 is "measured", process 2 "simulated". In both a track holds the runs, one all passes, one the
    tool's runs (one more those that a correction threw away), one a draft model's passes, and one each
    sequence's passes. Times are microseconds. The measured and the simulated runs of the same call and schedule
    start at the same time.
    Raises InputError on a run of another source, or without a pass or an emission.
    """
    placed = list(_placed(runs, gap_ms))
    events = [*_metadata(placed), *(event for item in placed for event in _run_events(item))]
    return {"traceEvents": events, "displayTimeUnit": "ms"}


def trace_text(runs: Iterable[RunRecord], gap_ms: float = GAP_MS) -> str:
    """`trace` as JSON text; the same runs give the same text."""
    return json.dumps(trace(runs, gap_ms), ensure_ascii=False, separators=(",", ":"))


def write_trace(path: Path, runs: Iterable[RunRecord], gap_ms: float = GAP_MS) -> None:
    """Write `trace_text` to `path` as one whole file, or leave `path` as it was."""
    write_whole(path, trace_text(runs, gap_ms))


def _placed(runs: Iterable[RunRecord], gap_ms: float) -> Iterator[_Placed]:
    together: dict[tuple[str, str], dict[str, list[RunRecord]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        together[run.call_id, run.schedule][check_run(run).source].append(run)
    start_us, gap_us = 0, round(gap_ms * 1000)
    for by_source in together.values():
        lanes = [_in_line(by_source[source], start_us, gap_us) for source in PROCESSES if source in by_source]
        yield from (item for lane in lanes for item in lane)
        start_us = max(_end_us(lane[-1]) for lane in lanes) + gap_us


def _in_line(runs: Sequence[RunRecord], start_us: int, gap_us: int) -> list[_Placed]:
    lane: list[_Placed] = []
    for run in sorted(runs, key=lambda run: run.repeat):
        lane.append(_Placed(run, _end_us(lane[-1]) + gap_us if lane else start_us))
    return lane


def _end_us(item: _Placed) -> int:
    return item.at_us(_end_ms(item.run))


def _end_ms(run: RunRecord) -> float:
    passes_ms = [record.end_ms for record in run.passes]
    emits_ms = [record.at_ms for record in run.emits]
    return max(passes_ms + emits_ms + [tool_run.end_ms for tool_run in run.tool_runs])


def _run_events(item: _Placed) -> Iterator[Event]:
    run = item.run
    yield item.slice(f"{run.call_id} · {run.schedule}", RUN_TRACK, (0.0, _end_ms(run)), _run_args(run))
    scratch = _scratch_sequences(run)
    for index, record in enumerate(run.passes):
        yield from _pass_events(item, index, record, scratch)
    yield from (_emit_event(item, emit) for emit in run.emits)
    yield from (_tool_event(item, tool_run) for tool_run in run.tool_runs)


def _run_args(run: RunRecord) -> Event:
    return {
        "repeat": run.repeat,
        "prompt_tokens": run.prompt_tokens,
        "reused_tokens": run.reused_tokens,
        "tool_start_ms": run.tool_start_ms,
        "final_ms": run.final_ms,
        "call": run.call.text,
        "settings": dict(run.settings),
    }


def _scratch_sequences(run: RunRecord) -> frozenset[int]:
    """The sequences that only hold padding: beside the trunk and never picked from."""
    used: Counter[int] = Counter()
    for record in _own_passes(run):
        for row in record.command.rows:
            used.update(dict.fromkeys(row.sequences, int(row.pick)))
    return frozenset(sequence for sequence, picks in used.items() if picks == 0 and sequence != TRUNK)


def _own_passes(run: RunRecord) -> tuple[PassRecord, ...]:
    """The passes without those of a draft model, whose sequences are its own."""
    return tuple(record for record in run.passes if record.command.phase is not Phase.DRAFT)


def _pass_events(item: _Placed, index: int, record: PassRecord, scratch: frozenset[int]) -> Iterator[Event]:
    command, span_ms = record.command, (record.start_ms, record.end_ms)
    args = {
        "index": index,
        "rows": command.width,
        "picks": command.pick_count,
        "context_tokens": command.context_tokens,
        "padding_rows": sum(scratch.issuperset(row.sequences) for row in command.rows),
    }
    if command.phase is Phase.DRAFT:
        yield item.slice(str(command.phase), DRAFT_TRACK, span_ms, args)
        return
    yield item.slice(str(command.phase), PASS_TRACK, span_ms, args)
    for sequence, tokens in sorted(_tokens_by_sequence(command).items()):
        track_args = {**args, "tokens": tokens, "padding": sequence in scratch}
        yield item.slice(str(command.phase), SEQUENCE_TRACK + sequence, span_ms, track_args)


def _tokens_by_sequence(command: Pass) -> Counter[int]:
    return Counter(sequence for row in command.rows for sequence in row.sequences)


def _emit_event(item: _Placed, emit: EmitRecord) -> Event:
    args = {"tool": emit.call.name, "call": emit.call.text}
    return item.event("i", f"emit {emit.status}", TOOL_TRACK, emit.at_ms, s="t", args=args)


def _tool_event(item: _Placed, tool_run: ToolRun) -> Event:
    name = f"tool, {tool_run.status}" if tool_run.kept else f"tool, {tool_run.status}, discarded"
    track = TOOL_TRACK if tool_run.kept else DISCARDED_TRACK
    return item.slice(name, track, (tool_run.start_ms, tool_run.end_ms), {"kept": tool_run.kept})


def _metadata(placed: Sequence[_Placed]) -> Iterator[Event]:
    for source, process in PROCESSES.items():
        runs = [item.run for item in placed if item.run.source == source]
        if runs:
            yield _label(process, 0, "process_name", {"name": source})
            yield _label(process, 0, "process_sort_index", {"sort_index": process})
            yield from _track_labels(process, _track_names(runs))


def _track_labels(process: int, names: Mapping[int, str]) -> Iterator[Event]:
    for track, name in sorted(names.items()):
        yield _label(process, track, "thread_name", {"name": name})
        yield _label(process, track, "thread_sort_index", {"sort_index": track})


def _track_names(runs: Iterable[RunRecord]) -> dict[int, str]:
    names = {RUN_TRACK: "run", PASS_TRACK: "engine passes", TOOL_TRACK: "tool"}
    for run in runs:
        if not all(tool_run.kept for tool_run in run.tool_runs):
            names[DISCARDED_TRACK] = "tool, discarded"
        if len(_own_passes(run)) < len(run.passes):
            names[DRAFT_TRACK] = "draft model"
        for record in _own_passes(run):
            for row in record.command.rows:
                names |= {SEQUENCE_TRACK + sequence: _sequence_name(sequence) for sequence in row.sequences}
    return names


def _sequence_name(sequence: int) -> str:
    return "trunk (sequence 0)" if sequence == TRUNK else f"branch {sequence}"


def _label(process: int, track: int, kind: str, args: Event) -> Event:
    return {"ph": "M", "name": kind, "pid": process, "tid": track, "args": args}
