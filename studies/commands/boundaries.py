"""`schemaweaver boundaries`: whether calls lie in the tokenizer's own tokens, on real vocabularies."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from cost_models import write_whole
from cost_models.json_node import json_text
from engine.errors import ModelFileError
from engine.llamacpp import engine_version, load_model
from studies.boundaries import BoundaryCount, boundary_table, count_boundaries
from studies.console import OUT, print_text_table, say, step
from studies.options import SeedOption, gguf_files, out_file
from studies.workloads import load_workload

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Example:

  schemaweaver boundaries --vocabularies .venv/llama.cpp/vocabularies
"""


@app.command(epilog=EPILOG)
def boundaries(
    vocabularies: Annotated[Path, typer.Option("--vocabularies", help="Folder of GGUF files; weights are not read.")],
    calls: Annotated[int, typer.Option("--calls", min=1, help="Calls of BFCL-v4 per vocabulary.")] = 240,
    seed: SeedOption = 0,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the counts.")] = Path("out/boundaries.json"),
) -> None:
    """Count the calls whose tokens are not the tokenizer's own, per vocabulary and why.

    Each call is written by constrained, jump_forward and schemaweaver in one of the call formats, with the accepted
    answer or with odd values.
    """
    files = gguf_files(vocabularies)
    workload = load_workload(f"bfcl:{calls}", seed)
    counts: list[BoundaryCount] = []
    refused: dict[str, str] = {}
    for file in files:
        step(file.name)
        try:
            model = load_model(file, vocabulary_only=True)
        except ModelFileError as error:
            refused[file.name] = str(error).removeprefix(f"{file}: ")
            continue
        counts.append(count_boundaries(file.name, model.vocabulary, workload, seed))
        model.close()
    data = {
        "command": f"schemaweaver boundaries --vocabularies {vocabularies} --calls {calls} --seed {seed}",
        "engine": engine_version(),
        "counts": [asdict(count) for count in counts],
        "refused": refused,
    }
    write_whole(out_file(out), json_text(data))
    print_text_table(boundary_table(counts), f"{calls} calls of BFCL-v4, seed {seed}")
    for name, reason in refused.items():
        OUT.print(f"{name}: {reason}", soft_wrap=True, markup=False)
    say(f"written to {out}")
