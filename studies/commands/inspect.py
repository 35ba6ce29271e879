"""`schemaweaver inspect`: show what of a tool's call is fixed, token by token."""

from pathlib import Path
from typing import Annotated

import typer

from engine.llamacpp import load_model, make_preparer
from studies.console import OUT, step
from studies.inspection import inspect_tool, legend
from studies.models import find_model
from studies.offered_tools import read_offered, tell_refused
from studies.options import FormatOption, ModelOption

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver inspect --tools examples/tools.json

  schemaweaver inspect --tools examples/forms.json --format llama3_python

  schemaweaver inspect --tools tools.json --model qwen2.5-coder.gguf --json
"""


@app.command(epilog=EPILOG)
def inspect(
    tools: Annotated[Path, typer.Option("--tools", help="File of tools, as JSON or JSON Lines.")],
    model: ModelOption = None,
    call_format: FormatOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line per tool.")] = False,
) -> None:
    """Show each tool's skeleton: the shared head, each argument's lead, what is held back of it, and the closer.

    A model's vocabulary is enough: its weights are not loaded. Exit code 2 means that no tool can be used.
    """
    offered = read_offered(tools)
    tell_refused(offered.refused, as_json)
    loaded = load_model(find_model(model), vocabulary_only=True)
    try:
        preparer = make_preparer(loaded, format_name=call_format)
        toolset = preparer.toolset(offered.tools)
        step(f"{loaded.name}: call format {preparer.call_format.name}, since {preparer.format_reason}")
        views = [inspect_tool(tool, toolset) for tool in offered.tools]
    finally:
        loaded.close()
    for view in views:
        text = view.as_json() if as_json else "\n".join((*view.lines(), ""))
        OUT.print(text, markup=False, soft_wrap=True)
    if all(view.refused for view in views):
        raise typer.Exit(2)
    if not as_json:
        OUT.print(legend(), style="dim", soft_wrap=True)
