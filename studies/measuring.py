"""Measuring this machine: pass costs by the default plan, and the host's time around real passes."""

from dataclasses import replace
from itertools import pairwise

from calibration import Measurement, Progress, default_plan, measure
from calibration.measure import LEAST_SWEEPS
from cost_models import Provenance
from engine.llamacpp import Decoder
from engine.schedules import BASIC
from engine.tools import Tool
from studies.console import progress_bar
from studies.measured_runs import keep_prompt, run_once

HOST_TOOL = Tool(
    name="plan_route",
    description="Plan a route between two places.",
    parameters={
        "type": "object",
        "properties": {
            "origin": {"type": "string"},
            "destination": {"type": "string"},
            "stops": {"type": "integer"},
            "mode": {"enum": ["car", "train", "bicycle"]},
        },
        "required": ["origin", "destination", "stops"],
    },
    read_only=True,
)
HOST_MESSAGE = "Plan a route by train from Lisbon to Porto with 2 stops."


def measure_machine(
    decoder: Decoder, provenance: Provenance, budget_s: float, seed: int, least_sweeps: int = LEAST_SWEEPS
) -> Measurement:
    """Pass costs of the decoder's model on this machine, with progress on stderr.

    The host's time comes from decoding a call of a tool that no workload has.
    """
    decoder.backend.clear()
    options = decoder.backend.options
    with progress_bar() as bar:
        task = bar.add_task("measuring pass costs", total=None)

        def show(progress: Progress) -> None:
            sweep = f"measuring pass costs, sweep {progress.sweep + 1}"
            bar.update(task, description=sweep, completed=progress.done_cells, total=progress.total_cells)

        measurement = measure(
            decoder.backend,
            default_plan(options.context_tokens, options.max_rows),
            decoder.preparer.model.vocabulary.encode(" the")[0],
            provenance,
            budget_s=budget_s,
            least_sweeps=least_sweeps,
            seed=seed,
            progress=show,
        )
    return replace(measurement, host_samples_ms=host_samples_ms(decoder))


def host_samples_ms(decoder: Decoder) -> tuple[float, ...]:
    """The time between passes of real decoding, in milliseconds, one value per pass after the first of a run."""
    toolset = decoder.preparer.toolset([HOST_TOOL])
    toolset.compile()
    request = decoder.preparer.request([{"role": "user", "content": HOST_MESSAGE}], toolset, tile_rows=1)
    held = request.held()
    keep_prompt(decoder.backend, held)
    passes = (run_once(decoder.backend, held, HOST_TOOL.name, schedule, 0, 0.0).passes for schedule in BASIC)
    samples = tuple(after.start_ms - before.end_ms for each in passes for before, after in pairwise(each))
    decoder.backend.clear()
    return samples
