"""What a workload's own rules say of a run's call."""

from dataclasses import replace

from engine.records import RunRecord
from sim.workload import WorkloadCall


def judged(run: RunRecord, call: WorkloadCall) -> RunRecord:
    """`run` with the verdict of the dataset's rules on the call that it ended with, where there are rules."""
    if call.judge is None:
        return run
    verdict = call.judge(run.call)
    return replace(run, is_right=verdict.is_right, why_wrong="" if verdict.is_right else str(verdict))
