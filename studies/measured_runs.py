"""Runs a workload on llama.cpp, each call by each schedule, several times."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import Any

from engine.calls import ToolCall
from engine.commands import TRUNK, Drop, Fork, Pass, Phase, Row
from engine.driver import run_blocking
from engine.llamacpp import Decoder, LlamaBackend, Preparer
from engine.records import MEASURED, RunRecord
from engine.request import Request
from engine.schedules import schedule_named
from engine.toolset import Toolset
from engine.widths import Prices
from sim.workload import WorkloadCall
from studies.judged_runs import judged

SERIAL_PASSES = 3
"""Passes of one row before each run: with three, one that was disturbed does not count."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What to run each call with. `tool_ms` is how long the pretended tool takes."""

    schedules: tuple[str, ...]
    repeats: int = 3
    tile_rows: int = 4
    tool_ms: float = 100.0
    max_call_tokens: int = 512
    prices: Prices | None = None
    draft_tokens: int = 4

    def __post_init__(self) -> None:
        for name in self.schedules:
            schedule_named(name)


def run_workload(
    decoder: Decoder, calls: Sequence[WorkloadCall], plan: RunPlan, first_repeat: int = 0
) -> Iterator[RunRecord]:
    """The runs, call by call; the schedules of a call take turns, so that a machine that slows down slows all alike.

    A call's prompt is prefilled once, kept in a sequence of its own and forked for each run: the latency starts
    behind the prompt. Grammars are compiled before, as tools are known before the user speaks. A few passes of one row
    before each run tell how fast the machine was just then.
    """
    for call in calls:
        request = workload_request(decoder.preparer, call, plan)
        request.toolset.compile()
        held = request.held()
        keep_prompt(decoder.backend, held)
        for repeat in range(first_repeat, first_repeat + plan.repeats):
            for schedule in _rotated(plan.schedules, repeat):
                serial_ms = serial_pass_ms(decoder.backend, held)
                drafting = decoder.drafting(held)
                run = run_once(decoder.backend, drafting, call.call_id, schedule, repeat, plan.tool_ms, decoder.draft)
                yield judged(replace(run, serial_ms=serial_ms), call)


def workload_request(preparer: Preparer, call: WorkloadCall, plan: RunPlan, toolset: Toolset | None = None) -> Request:
    """The request of a call, with the arguments of its accepted answer for the schedule that is given them.

    `toolset` is one of the call's tools, where there is one from another call.
    """
    known = toolset or preparer.toolset(call.tools)
    request = preparer.request(call.messages, known, plan.max_call_tokens, plan.tile_rows)
    return replace(request, given_arguments=tuple(call.answer), prices=plan.prices, draft_tokens=plan.draft_tokens)


def run_settings(request: Request, tool_ms: float) -> dict[str, Any]:
    """What a record keeps of how its run was asked for."""
    return {
        "tile_rows": request.tile_rows,
        "tool_ms": tool_ms,
        "max_call_tokens": request.max_call_tokens,
        "max_cells": request.max_cells,
        "priced": request.prices is not None,
        "draft_tokens": request.draft_tokens,
        "draft_memory": None if request.draft_memory is None else asdict(request.draft_memory),
    }


def run_once(
    backend: LlamaBackend,
    request: Request,
    call_id: str,
    schedule: str,
    repeat: int,
    tool_ms: float,
    draft: LlamaBackend | None = None,
) -> RunRecord:
    """One run on the prompt that `keep_prompt` left."""
    fork_prompt(backend)
    steps = schedule_named(schedule)(request)
    outcome = run_blocking(steps, backend, lambda call: _pretend(call, tool_ms), draft=draft)
    return RunRecord(
        call_id=call_id,
        schedule=schedule,
        source=MEASURED,
        repeat=repeat,
        prompt_tokens=len(request.prompt),
        reused_tokens=request.reused_tokens,
        passes=outcome.passes,
        emits=outcome.emits,
        tool_runs=outcome.tool_runs,
        settings=run_settings(request, tool_ms),
    )


def serial_pass_ms(backend: LlamaBackend, request: Request) -> float:
    """The median time of a few passes of one row on the prompt that `keep_prompt` left, in milliseconds."""
    fork_prompt(backend)
    start = request.reused_tokens
    times_ms = []
    for position in range(start, min(start + SERIAL_PASSES, backend.options.context_tokens)):
        start_s = time.perf_counter()
        backend.run(Pass(Phase.SERIAL, (Row(request.prompt[-1], position, pick=True),)))
        times_ms.append((time.perf_counter() - start_s) * 1e3)
    return median(times_ms)


def keep_prompt(backend: LlamaBackend, request: Request) -> None:
    """Forget everything and prefill what `request` reuses of its prompt into the context's last sequence."""
    backend.clear()
    sequence, prompt = _kept(backend), request.prompt[: request.reused_tokens]
    for start in range(0, len(prompt), request.max_rows):
        chunk = enumerate(prompt[start : start + request.max_rows], start)
        backend.run(Pass(Phase.PROMPT, tuple(Row(token, position, (sequence,)) for position, token in chunk)))


def fork_prompt(backend: LlamaBackend) -> None:
    """Make the trunk hold the prompt that `keep_prompt` left, and nothing else."""
    backend.drop(Drop(TRUNK))
    backend.fork(Fork(_kept(backend), (TRUNK,)))


def _kept(backend: LlamaBackend) -> int:
    return backend.options.max_sequences - 1


def _rotated(names: Sequence[str], by: int) -> Sequence[str]:
    start = by % len(names)
    return [*names[start:], *names[:start]]


def _pretend(call: ToolCall, tool_ms: float) -> None:
    time.sleep(tool_ms / 1e3)
