"""Runs a workload through schedules on llama.cpp and lays their calls side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.llamacpp import Decoder, LlamaBackend, logits_along
from engine.request import Request
from sim.workload import WorkloadCall
from studies.agreement import AgreementReport, ComparedCall, compare_call, margin_of, report_of, rivals_of
from studies.console import progress_bar
from studies.margins import CallMargins, Logits, Margin, call_margins
from studies.measured_runs import RunPlan, fork_prompt, keep_prompt, workload_request
from studies.written_call import WrittenCall, write_call


def agree_stage(decoder: Decoder, calls: Sequence[WorkloadCall], plan: RunPlan) -> AgreementReport:
    """Each call by each schedule of `plan` once, against the first schedule, with margins and noise."""
    compared: list[ComparedCall] = []
    choices: list[Margin] = []
    with progress_bar() as bar:
        task = bar.add_task("comparing", total=len(calls))
        for call in calls:
            bar.update(task, description=call.call_id)
            own, margins = compare_on_engine(decoder, call, plan)
            compared += own
            choices += margins.choices
            bar.update(task, advance=1)
    return report_of(plan.schedules[0], compared, choices)


def compare_on_engine(
    decoder: Decoder, call: WorkloadCall, plan: RunPlan
) -> tuple[tuple[ComparedCall, ...], CallMargins]:
    """One call by each schedule, and the margins along the first schedule's call; all start from the same prompt."""
    backend = decoder.backend
    request = workload_request(decoder.preparer, call, plan).held()
    keep_prompt(backend, request)
    written = [_write(schedule, request, backend) for schedule in plan.schedules]
    compared = compare_call(call.call_id, len(request.prompt), written, request.toolset.vocabulary)
    margins = margins_on_engine(backend, request, written[0].tokens, compared)
    return tuple(replace(each, margin=margin_of(each, margins)) for each in compared), margins


def _write(schedule: str, request: Request, backend: LlamaBackend) -> WrittenCall:
    fork_prompt(backend)
    return write_call(schedule, request, backend)


def margins_on_engine(
    backend: LlamaBackend, request: Request, tokens: Sequence[int], compared: Sequence[ComparedCall]
) -> CallMargins:
    """The margins along the call `tokens` on the prompt that `keep_prompt` left."""
    # No pass is needed over the call's last token: nothing follows it.
    text = (*request.prompt, *tokens)[:-1]

    def walk(width: int) -> Iterable[Logits]:
        fork_prompt(backend)
        return logits_along(backend, text, request.reused_tokens, width)

    return call_margins(request, tokens, rivals_of(compared), walk)
