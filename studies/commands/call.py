"""`schemaweaver call`: decode one tool call."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.calls import ToolCall
from engine.commands import Emit
from engine.llamacpp import MAX_SEQUENCES, BackendOptions, open_decoder
from engine.records import RunRecord
from engine.schedules import schedule_named
from engine.tools import Tool
from engine.toolset import Toolset
from studies.console import OUT, print_text_table
from studies.models import open_model
from studies.offered_tools import (
    LenientOption,
    NotReadOnlyOption,
    ReadOnlyOption,
    StrictOption,
    read_offered,
    tell_changed,
    tell_refused,
    tell_unenforced,
    without,
)
from studies.options import (
    ContextOption,
    DraftModelOption,
    DraftTokensOption,
    FormatOption,
    MaxTokensOption,
    ModelOption,
    PricesOption,
    ScheduleOption,
    ThreadsOption,
    TileOption,
    warn_unpriced,
)
from studies.profiles import find_profile
from studies.text_table import Table

app = typer.Typer(add_completion=False, rich_markup_mode="rich")

EPILOG = """
Examples:

  schemaweaver call --tools examples/tools.json "Weather in Tokyo for 3 days?"

  schemaweaver call --tools tools.json --model qwen2.5-coder.gguf "..."

  schemaweaver call --tools tools.json --schedule verified --stats "..."

  echo "Alarm at 7:30" | schemaweaver call --tools tools.json --json -
"""


@app.command(epilog=EPILOG)
def call(
    message: Annotated[str, typer.Argument(help="What the user says; - reads it from stdin.")],
    tools: Annotated[Path, typer.Option("--tools", help="File of tools, as JSON or JSON Lines.")],
    model: ModelOption = None,
    schedule: ScheduleOption = "schemaweaver",
    call_format: FormatOption = None,
    context: ContextOption = 4096,
    max_tokens: MaxTokensOption = 512,
    tile: TileOption = None,
    threads: ThreadsOption = None,
    read_only: ReadOnlyOption = None,
    not_read_only: NotReadOnlyOption = None,
    strict: StrictOption = False,
    lenient: LenientOption = False,
    profile: PricesOption = None,
    draft_model: DraftModelOption = None,
    draft_tokens: DraftTokensOption = 4,
    stats: Annotated[bool, typer.Option("--stats", help="Print passes and times after the call.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
) -> None:
    """Decode one tool call and print it, the provisional call as soon as it exists.

    Tools may be in the form of OpenAI, MCP, Anthropic, BFCL, DroidCall or Android's AppFunctions. One that cannot be
    used is left out with a warning; with --lenient, only what of its schema cannot be enforced is. Exit code 1 means
    that the call was cut by --max-tokens and is incomplete.
    """
    schedule_named(schedule)
    warn_unpriced((schedule,), profile)
    prices = find_profile(profile).profile.table if profile else None
    offered = read_offered(tools, read_only or (), not_read_only or (), strict)
    tell_refused(offered.refused, as_json)
    if not stats:
        tell_changed(offered.tools, tools)
    options = BackendOptions(context_tokens=context, max_sequences=_sequences(offered.tools), threads=threads)
    draft = open_model(draft_model) if draft_model else None
    decoder = open_decoder(open_model(model), options, call_format, draft)
    try:
        toolset = decoder.preparer.toolset(offered.tools, lenient)
        if broken := toolset.broken():
            toolset = decoder.preparer.toolset(without(offered.tools, broken, tools, strict), lenient)
            tell_refused(broken, as_json)
        tell_unenforced([text for tool in toolset.tools for text in toolset.warnings(tool)], as_json)
        said = sys.stdin.read() if message == "-" else message
        tile_rows = tile or (prices.tile_rows if prices else 1)
        request = decoder.preparer.request([{"role": "user", "content": said}], toolset, max_tokens, tile_rows)
        request = replace(request, prices=prices, draft_tokens=draft_tokens)
        run = decoder.call(request, schedule, on_emit=lambda emit: _print_emit(emit, toolset, as_json))
    finally:
        decoder.close()
    if stats:
        _print_stats(run, toolset, as_json)
    raise typer.Exit(0 if run.call.is_complete else 1)


def _sequences(tools: tuple[Tool, ...]) -> int:
    """The trunk, a branch per argument, a scratch sequence, and the decoder's own; as many as there can be."""
    return min(max(len(tool.properties) for tool in tools) + 3, MAX_SEQUENCES)


def _print_emit(emit: Emit, toolset: Toolset, as_json: bool) -> None:
    called = emit.call
    if as_json:
        print(json.dumps(_emit_line(called, emit.status, toolset), ensure_ascii=False), flush=True)
        return
    text = (
        called.text
        if called.arguments is None
        else f"{called.name} {json.dumps(dict(called.arguments), ensure_ascii=False)}"
    )
    print(f"{emit.status:<12} {text}", flush=True)


def _emit_line(called: ToolCall, status: str, toolset: Toolset) -> dict[str, Any]:
    arguments = None if called.arguments is None else dict(called.arguments)
    line: dict[str, Any] = {"status": status, "name": called.name, "arguments": arguments}
    for tool in toolset.tools:
        if tool.name == called.name:
            line |= {"read_only": tool.read_only, "read_only_rule": tool.read_only_rule}
    if called.number_texts:
        line["number_texts"] = dict(called.number_texts)
    if called.numbers_at_limit:
        line["numbers_at_limit"] = list(called.numbers_at_limit)
    if arguments is None:
        line["text"] = called.text
    return line


def _print_stats(run: RunRecord, toolset: Toolset, as_json: bool) -> None:
    phases = _phases(run)
    if as_json:
        print(json.dumps({"stats": {**_summary(run), "phases": phases, "tools": _tools(toolset)}}))
        return
    body = tuple((name, str(each["passes"]), str(each["rows"]), f"{each['ms']:.1f}") for name, each in phases.items())
    print_text_table(Table(("phase", "passes", "rows", "ms"), body))
    OUT.print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in _summary(run).items()), soft_wrap=True)
    for name, tool in _tools(toolset).items():
        if name != run.call.name and not tool["changes"]:
            continue
        OUT.print(f"{name}: {_decision(tool)}", soft_wrap=True, markup=False)
        for change in tool["changes"]:
            OUT.print(f"  {change}", soft_wrap=True, markup=False)


def _decision(tool: Mapping[str, Any]) -> str:
    return f"{'read-only' if tool['read_only'] else 'not read-only'} by {tool['read_only_rule']}"


def _tools(toolset: Toolset) -> dict[str, dict[str, Any]]:
    """What was made of each tool's definition, by name."""
    return {
        tool.name: {
            "read_only": tool.read_only,
            "read_only_rule": tool.read_only_rule,
            "changes": list(tool.changes),
        }
        for tool in toolset.tools
    }


def _phases(run: RunRecord) -> dict[str, dict[str, float]]:
    """Passes, rows and milliseconds of each phase, in the order in which they first ran."""
    phases: dict[str, dict[str, float]] = {}
    for record in run.passes:
        phase = phases.setdefault(str(record.command.phase), {"passes": 0, "rows": 0, "ms": 0.0})
        phase["passes"] += 1
        phase["rows"] += record.command.width
        phase["ms"] = round(phase["ms"] + record.duration_ms, 2)
    return phases


def _summary(run: RunRecord) -> dict[str, Any]:
    return {
        "schedule": run.schedule,
        "prompt_tokens": run.prompt_tokens,
        "reused_tokens": run.reused_tokens,
        "passes": len(run.call_passes),
        "tool_start_ms": round(run.tool_start_ms, 1),
        "final_ms": round(run.final_ms, 1),
        "host_ms_per_pass": round(run.host_ms / len(run.passes), 3),
    }
