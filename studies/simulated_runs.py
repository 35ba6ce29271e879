"""Runs schedules under a predicted clock: what recorded runs picked, or what a workload's answers say."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from cost_models import CostModel
from engine.errors import InputError, ScheduleError
from engine.llamacpp import Preparer
from engine.notation import write_value
from engine.records import SIMULATED, RunRecord
from engine.request import Request
from engine.schedules import schedule_named
from sim.backend import SimulatedBackend, Writer
from sim.memory import SequenceMemory
from sim.oracle import Oracle
from sim.replay import Replay
from sim.workload import WorkloadCall
from sim.world import simulate
from studies.judged_runs import judged
from studies.measured_runs import RunPlan, run_settings, workload_request


def replay_runs(
    preparer: Preparer, calls: Mapping[str, WorkloadCall], runs: Iterable[RunRecord], cost: CostModel
) -> Iterator[RunRecord]:
    """A simulated run for each recorded first repeat: the same schedule, the model picking what it picked then."""
    firsts = sorted((run for run in runs if run.repeat == 0), key=_call_id)
    for call_id, runs_of_call in groupby(firsts, key=_call_id):
        if call_id not in calls:
            raise InputError(f"the workload has no call {call_id!r}, of which there is a recorded run")
        call = calls[call_id]
        request = workload_request(preparer, call, RunPlan(()))
        for run in runs_of_call:
            tool_ms = float(run.settings.get("tool_ms", 0.0))
            recorded = _as_recorded(request, run, cost)
            yield judged(_simulate(recorded, run.schedule, call_id, Replay(run), cost, tool_ms), call)


def answer_runs(
    preparer: Preparer, calls: Sequence[WorkloadCall], plan: RunPlan, cost: CostModel
) -> Iterator[RunRecord]:
    """A simulated run of each call by each schedule, the model writing the first answer that the workload accepts.

    A call whose answer breaks its own tool's schema, as a few of BFCL's do, has no run: no schedule could write it.
    """
    for call in calls:
        request = workload_request(preparer, call, plan)
        held = request.held()
        oracle = _oracle(call, len(request.prompt), preparer)
        for schedule in plan.schedules if _can_be_written(request, oracle) else ():
            yield judged(_simulate(held, schedule, call.call_id, oracle, cost, plan.tool_ms), call)


def _call_id(run: RunRecord) -> str:
    return run.call_id


def _as_recorded(request: Request, run: RunRecord, cost: CostModel) -> Request:
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
        prices=cost if settings.get("priced") else None,
    )


def _simulate(
    request: Request, schedule: str, call_id: str, writer: Writer, cost: CostModel, tool_ms: float
) -> RunRecord:
    backend = SimulatedBackend(writer, SequenceMemory(capabilities=request.capabilities))
    backend.memory.hold(request.prompt[: request.reused_tokens])
    outcome = simulate(schedule_named(schedule)(request), backend, cost, tool_ms)
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


def _oracle(call: WorkloadCall, prompt_tokens: int, preparer: Preparer) -> Oracle:
    answer, call_format = call.answer, preparer.call_format
    values = {name: write_value(call_format.notation, value) for name, value in answer.items()}
    # Some schedules settle the set of arguments in a way of their own, and leave out what the answer has.
    left_out = tuple(call.tool.properties)
    return Oracle(call.tool_name, values, prompt_tokens, call_format, preparer.model.vocabulary, left_out)
