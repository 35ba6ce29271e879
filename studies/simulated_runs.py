"""Runs schedules under a predicted clock: what recorded runs picked, or what a workload's answers say."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from cost_models import CostModel
from engine.capabilities import ATTENTION, Capabilities
from engine.commands import Phase
from engine.errors import InputError, ScheduleError
from engine.llamacpp import Preparer
from engine.records import SIMULATED, RunRecord
from engine.request import Request
from engine.schedules import schedule_named
from engine.tools import Tool
from engine.widths import Prices
from sim.backend import SimulatedBackend, Writer
from sim.head import Head, HeadWriter
from sim.memory import SequenceMemory
from sim.oracle import Oracle
from sim.replay import Replay
from sim.workload import WorkloadCall
from sim.world import Simulated, simulate
from studies.answer_writers import answer_oracle, answer_writer
from studies.judged_runs import judged
from studies.measured_runs import RunPlan, run_settings, workload_request


def replay_runs(
    preparer: Preparer,
    calls: Mapping[str, WorkloadCall],
    runs: Iterable[RunRecord],
    cost: CostModel,
    draft_cost: CostModel | None = None,
    prices: Prices | None = None,
) -> Iterator[RunRecord]:
    """A simulated run for each recorded first repeat: the same schedule, the model picking what it picked then.

    `draft_cost` prices the passes of a draft model; raises InputError where a run has them and there is none. `prices`
    are those that recorded runs decided by, None where that was `cost` itself.
    """
    firsts = sorted((run for run in runs if run.repeat == 0), key=_call_id)
    for call_id, runs_of_call in groupby(firsts, key=_call_id):
        if call_id not in calls:
            raise InputError(f"the workload has no call {call_id!r}, of which there is a recorded run")
        call = calls[call_id]
        request = workload_request(preparer, call, RunPlan(()))
        for run in runs_of_call:
            tool_ms = float(run.settings.get("tool_ms", 0.0))
            recorded = _as_recorded(request, run, prices or cost)
            draft = _replayed_draft(recorded, run, draft_cost)
            yield judged(_simulate(recorded, run.schedule, call_id, Replay(run), cost, tool_ms, draft), call)


def answer_runs(
    preparer: Preparer,
    calls: Sequence[WorkloadCall],
    plan: RunPlan,
    cost: CostModel,
    head: Head | None = None,
    seed: int = 0,
) -> Iterator[RunRecord]:
    """A simulated run of each call by each schedule, the model writing the first answer that the workload accepts.

    `head` drafts for `speculative`; `seed` decides which of its tokens are right. A call whose answer breaks its own
    tool's schema, as a few of BFCL's do, has no run: no schedule could write it.
    """
    for call, request in _requests(preparer, calls, plan):
        held = request.held()
        oracle = answer_oracle(call, request)
        for schedule in plan.schedules if _can_be_written(request, oracle) else ():
            asked, draft = _with_head(held, head, oracle, seed)
            writer = answer_writer(call, request, schedule, oracle)
            yield judged(_simulate(asked, schedule, call.call_id, writer, cost, plan.tool_ms, draft), call)


def _requests(
    preparer: Preparer, calls: Sequence[WorkloadCall], plan: RunPlan
) -> Iterator[tuple[WorkloadCall, Request]]:
    """Each call with its request; those behind one another with the same tools share what is compiled of these."""
    for tools, calls_with_these in groupby(calls, key=_tools):
        toolset = preparer.toolset(tools)
        for call in calls_with_these:
            yield call, workload_request(preparer, call, plan, toolset)


def _tools(call: WorkloadCall) -> tuple[Tool, ...]:
    return call.tools


def _call_id(run: RunRecord) -> str:
    return run.call_id


def _as_recorded(request: Request, run: RunRecord, prices: Prices) -> Request:
    """`request` with the limits and the reuse of a recorded run; raises InputError if the prompt is another.

    A run that followed prices has to be replayed under the profile that it had them from.
    """
    if len(request.prompt) != run.prompt_tokens:
        raise InputError(
            f"the prompt of {run.call_id!r} has {len(request.prompt)} tokens here and had {run.prompt_tokens} "
            "when it was recorded: the model or the workload is another"
        )
    settings = run.settings
    return replace(
        request,
        reused_tokens=run.reused_tokens,
        tile_rows=int(settings.get("tile_rows", request.tile_rows)),
        max_call_tokens=int(settings.get("max_call_tokens", request.max_call_tokens)),
        max_cells=int(settings.get("max_cells", request.max_cells)),
        prices=prices if settings.get("priced") else None,
        draft_tokens=int(settings.get("draft_tokens", request.draft_tokens)),
        draft_memory=Capabilities(**memory) if (memory := settings.get("draft_memory")) else None,
    )


def _replayed_draft(request: Request, run: RunRecord, draft_cost: CostModel | None) -> Simulated | None:
    """The draft model of a recorded run, where it was asked."""
    if request.draft_memory is None or all(record.command.phase is not Phase.DRAFT for record in run.passes):
        return None
    if draft_cost is None:
        raise InputError(f"{run.call_id!r} by {run.schedule!r} had a draft model: name its --draft-profile")
    memory = SequenceMemory(capabilities=request.draft_memory)
    return Simulated(SimulatedBackend(Replay(run, drafts=True), memory), draft_cost)


def _with_head(request: Request, head: Head | None, oracle: Oracle, seed: int) -> tuple[Request, Simulated | None]:
    """`request` with drafts of a head that knows the oracle's call."""
    if head is None:
        return request, None
    writer = HeadWriter(head, oracle.spellings[0], len(request.prompt), request.toolset.vocabulary.size, seed)
    asked = replace(request, draft_tokens=head.depth, draft_memory=ATTENTION)
    return asked, Simulated(SimulatedBackend(writer), head.cost)


def _simulate(
    request: Request,
    schedule: str,
    call_id: str,
    writer: Writer,
    cost: CostModel,
    tool_ms: float,
    draft: Simulated | None,
) -> RunRecord:
    backend = SimulatedBackend(writer, SequenceMemory(max_cells=request.max_cells, capabilities=request.capabilities))
    backend.memory.hold(request.prompt[: request.reused_tokens])
    outcome = simulate(schedule_named(schedule)(request), backend, cost, tool_ms, draft)
    return RunRecord(
        call_id=call_id,
        schedule=schedule,
        source=SIMULATED,
        repeat=0,
        prompt_tokens=len(request.prompt),
        reused_tokens=request.reused_tokens,
        passes=outcome.passes,
        emits=outcome.emits,
        tool_runs=outcome.tool_runs,
        settings=run_settings(request, tool_ms),
    )


def _can_be_written(request: Request, oracle: Oracle) -> bool:
    """Whether the tools' constraint lets the oracle's call pass."""
    constraint = request.toolset.call_constraint()
    try:
        constraint.advance_all(oracle.spellings[0])
    except ScheduleError:
        return False
    return constraint.is_finished
