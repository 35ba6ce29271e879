"""`schemaweaver agree`: how often schedules write the same call, and by what margin they do not."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cost_models import Provenance, write_whole
from cost_models.json_node import json_text
from engine.errors import InputError
from engine.llamacpp import BackendOptions, open_decoder
from studies.agreeing import agree_stage
from studies.agreement import AgreementReport, to_json
from studies.agreement_tables import LEGEND, difference_table, noise_table, noise_text, pair_table
from studies.comparison import BASELINE
from studies.console import OUT, print_text_table, say, step, warn
from studies.ground import check_ground
from studies.measured_runs import RunPlan
from studies.models import open_model
from studies.options import (
    DEFAULT_SCHEDULES,
    ContextOption,
    FormatOption,
    MaxTokensOption,
    ModelOption,
    PricesOption,
    SchedulesOption,
    SeedOption,
    ThreadsOption,
    TileOption,
    WorkloadOption,
    out_file,
    schedules_named,
)
from studies.profiles import find_profile
from studies.provenance import provenance_of
from studies.workloads import load_workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver agree --schedule jump_forward,schemaweaver --workload bfcl:12

  schemaweaver agree --schedule jump_forward,verified,branched,drafted

  schemaweaver agree --schedule all --model qwen2.5-coder.gguf
"""

AGREEMENT_FORMAT = "schemaweaver-agreement-1"


@app.command(epilog=EPILOG)
def agree(
    workload: WorkloadOption = "bfcl:12",
    schedule: SchedulesOption = DEFAULT_SCHEDULES,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the report goes (JSON).")] = Path(
        "out/agreement.json"
    ),
    model: ModelOption = None,
    call_format: FormatOption = None,
    context: ContextOption = 4096,
    threads: ThreadsOption = None,
    max_tokens: MaxTokensOption = 512,
    tile: TileOption = None,
    seed: SeedOption = 0,
    profile: PricesOption = None,
) -> None:
    """Run a workload through schedules on llama.cpp; each schedule's calls are laid beside the first one's.

    Where two calls differ, the first token that does is shown with its margin: the difference of the two tokens'
    logits behind the text that both have. Beside it stands the noise: how far margins move when the same text is
    computed in passes of other widths.
    """
    names = _baseline_first(schedules_named(schedule)) if schedule == "all" else schedules_named(schedule)
    if len(names) < 2:
        raise InputError(f"--schedule {schedule}: name two schedules or more; each is compared with the first")
    calls = load_workload(workload, seed)
    decoder = open_decoder(open_model(model), BackendOptions(context_tokens=context, threads=threads), call_format)
    try:
        step(f"Comparing {', '.join(names)} on {workload} with {decoder.preparer.model.name}")
        provenance = provenance_of(decoder.preparer.model, decoder.backend.options)
        found = find_profile(profile) if profile else None
        warn(*(check_ground(found, provenance, accept=True) if found else ()))
        prices = found.profile.table if found else None
        report = agree_stage(decoder, calls, RunPlan(names, 1, tile or 1, 0.0, max_tokens, prices))
    finally:
        decoder.close()
    settings = {"workload": workload, "seed": seed, "max_call_tokens": max_tokens, "tile_rows": tile or 1}
    if profile:
        settings["profile"] = profile
    settings["call_format"] = decoder.preparer.call_format.name
    data = {"format": AGREEMENT_FORMAT, "command": _command(names, settings, provenance), **settings}
    write_whole(out_file(out), json_text({**data, "provenance": provenance.to_json(), **to_json(report)}))
    _print(report, f"{workload}, seed {seed}, on {provenance.model_file_name}")
    say(f"written to {out}")


def _baseline_first(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: name != BASELINE))


def _command(names: tuple[str, ...], settings: dict[str, Any], provenance: Provenance) -> str:
    """What makes this report again, given the model file."""
    return (
        f"schemaweaver agree --schedule {','.join(names)} --workload {settings['workload']} --seed {settings['seed']} "
        f"--model {provenance.model_file_name} --format {settings['call_format']} --threads {provenance.threads} "
        f"--context {provenance.n_ctx} --max-tokens {settings['max_call_tokens']} --tile {settings['tile_rows']}"
        f"{' --profile ' + str(settings['profile']) if 'profile' in settings else ''}"
    )


def _print(report: AgreementReport, title: str) -> None:
    print_text_table(pair_table(report), title)
    if report.differing:
        print_text_table(difference_table(report), "First differing tokens")
        OUT.print(LEGEND, soft_wrap=True, markup=False)
    print_text_table(noise_table(report.noise), "Noise, in logits")
    OUT.print(noise_text(report.noise), soft_wrap=True, markup=False)
