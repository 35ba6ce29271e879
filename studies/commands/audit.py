"""`schemaweaver audit`: every tool of a collection, built and tried."""

from pathlib import Path
from typing import Annotated

import typer

from cost_models import write_whole
from cost_models.json_node import json_text
from engine.llamacpp import engine_version, load_model, make_preparer
from engine.tool_forms import read_tool, tool_from_bfcl
from sim.bfcl import SINGLE_TURN_FILES, find_bfcl, read_definitions
from sim.json_lines import read_json_lines
from sim.random_walk import RandomWalk
from studies.audit import Audit, Definition, Tally, limited, to_json
from studies.console import print_text_table, progress_bar, say, step, warn
from studies.models import find_model
from studies.options import FormatOption, ModelOption, SeedOption, out_file
from studies.spellings import SPELLINGS
from studies.text_table import Table

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver audit

  schemaweaver audit --limit 200 --out out/audit.json

  schemaweaver audit --droidcall DroidCall/api.jsonl --format lfm2
"""


@app.command(epilog=EPILOG)
def audit(
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Try so many distinct tools. Default: all.")
    ] = None,
    calls: Annotated[int, typer.Option("--calls", min=0, help="Calls that the constraint of each tool writes.")] = 2,
    droidcall: Annotated[
        Path | None, typer.Option("--droidcall", help="DroidCall's api.jsonl: its functions are tried too.")
    ] = None,
    model: ModelOption = None,
    call_format: FormatOption = None,
    seed: SeedOption = 0,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the counts go (JSON).")] = Path("out/audit.json"),
) -> None:
    """Build every tool of BFCL-v4's single-turn files, and hold constraints and schemas against each other.

    Only the model's vocabulary is loaded. Each distinct tool writes calls by a random walk through its constraint,
    which jsonschema has to accept; values that jsonschema accepts are offered to the constraint, and each kind that it
    refuses is counted and explained. Exit code 1 means that a definition crashed, a written call was invalid, or a
    value was refused that should not be.
    """
    definitions = [*limited(_bfcl(), limit), *(_of_file(droidcall) if droidcall else ())]
    loaded = load_model(find_model(model), vocabulary_only=True)
    try:
        form = make_preparer(loaded, format_name=call_format).call_format
        step(f"Trying {len(definitions)} definitions with the vocabulary of {loaded.name} in the {form.name} format")
        tally = _run(Audit(form, loaded.vocabulary, RandomWalk(seed, loaded.vocabulary), calls), definitions)
        command = _command(limit, calls, droidcall, loaded.name, form.name, seed)
    finally:
        loaded.close()
    write_whole(out_file(out), json_text({"command": command, "engine": engine_version(), **to_json(tally)}))
    _print(tally)
    say(f"all counts written to {out}")
    raise typer.Exit(0 if tally.is_clean else 1)


def _command(limit: int | None, calls: int, droidcall: Path | None, model: str, call_format: str, seed: int) -> str:
    """What makes these counts again, given the model file."""
    chosen = (f" --limit {limit}" if limit else "") + (f" --droidcall {droidcall}" if droidcall else "")
    return f"schemaweaver audit{chosen} --calls {calls} --model {model} --format {call_format} --seed {seed}"


def _bfcl() -> list[Definition]:
    folder = find_bfcl()
    return [
        Definition(name, data, tool_from_bfcl) for name in SINGLE_TURN_FILES for data in read_definitions(folder, name)
    ]


def _of_file(path: Path) -> list[Definition]:
    """The tools of a file with one on each line."""
    return [Definition(path.name, data, read_tool) for _, data in read_json_lines(path)]


def _run(audit: Audit, definitions: list[Definition]) -> Tally:
    tally = Tally()
    with progress_bar() as bar:
        task = bar.add_task("trying", total=len({definition.key for definition in definitions}))
        for _ in audit.run(definitions, tally):
            bar.update(task, advance=1)
    return tally


def _print(tally: Tally) -> None:
    rows = [(name, *_counts(tally, name)) for name in tally.definitions]
    total = tuple(str(sum(int(row[column]) for row in rows)) for column in range(1, 5))
    print_text_table(
        Table(("file", "definitions", "built", "changed", "not built"), (*rows, ("all", *total))),
        f"Tools, {tally.distinct} of them distinct",
    )
    reasons = (*tally.refused.items(), ("crashed", len(tally.crashed)))
    print_text_table(Table(("reason", "definitions"), tuple((why, str(count)) for why, count in reasons)), "Not built")
    written = {**tally.generated, "break their schema": len(tally.invalid)}
    print_text_table(
        Table(("calls that constraints wrote", "calls"), tuple((name, str(count)) for name, count in written.items()))
    )
    print_text_table(_spellings(tally), "Calls that were offered to constraints")
    for fault in (*tally.crashed, *tally.invalid, *tally.unexplained):
        warn(fault)


def _counts(tally: Tally, source: str) -> tuple[str, str, str, str]:
    offered, built = tally.definitions[source], tally.built[source]
    return str(offered), str(built), str(tally.changed[source]), str(offered - built)


def _spellings(tally: Tally) -> Table:
    rows = []
    for spelling in SPELLINGS:
        if counts := tally.spellings.get(spelling.name):
            rows.append((spelling.name, spelling.reason, str(counts["valid"]), str(counts["refused"])))
    return Table(("written", "why a constraint refuses it", "jsonschema accepts", "refused"), tuple(rows), 2)
