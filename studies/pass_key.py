"""What the passes of a workload depend on, read off everything that they will be made with."""

import json
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from engine.llamacpp import Preparer, engine_version
from sim.head import Head
from sim.pass_file import PassKey
from sim.workload import WorkloadCall
from studies.code_digest import code_sha256
from studies.measured_runs import RunPlan


def pass_key(
    workload: str,
    seed: int,
    calls: Sequence[WorkloadCall],
    preparer: Preparer,
    plan: RunPlan,
    template: Path | None = None,
    head: Head | None = None,
) -> PassKey:
    """The key of the passes that `plan` takes over `calls`; `template` is the file of the preparer's chat template.

    What the passes of `head` cost is not in it.
    """
    model = preparer.model
    return PassKey(
        workload=workload,
        seed=seed,
        calls_sha256=calls_sha256(calls),
        schedules=plan.schedules,
        vocabulary=model.name,
        vocabulary_sha256=model.sha256(),
        template="" if template is None else template.name,
        template_sha256="" if model.template is None else sha256(model.template.encode()).hexdigest(),
        call_format=preparer.call_format.name,
        tile_rows=plan.tile_rows,
        max_call_tokens=plan.max_call_tokens,
        draft_tokens=plan.draft_tokens,
        context_tokens=preparer.options.context_tokens,
        engine=f"{engine_version()}, llguidance {version('llguidance')}",
        code_sha256=code_sha256(),
        head="" if head is None else f"acceptance={head.acceptance},depth={head.depth}",
    )


def calls_sha256(calls: Sequence[WorkloadCall]) -> str:
    """The digest of what calls ask, offer and have for an answer, in hex."""
    digest = sha256()
    for call in calls:
        digest.update(json.dumps(_facts(call), default=repr).encode() + b"\n")
    return digest.hexdigest()


def _facts(call: WorkloadCall) -> list[Any]:
    tools = [[tool.as_openai(), tool.read_only] for tool in call.tools]
    return [call.call_id, call.messages, tools, call.tool_name, call.accepted]
