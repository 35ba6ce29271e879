"""The tools that a command offers to the model: read from a file, with the user's word on what only reads."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from engine.errors import InputError, ToolError
from engine.tool_forms import ReadTools, read_tools
from engine.tools import Tool
from studies.console import warn

ReadOnlyOption = Annotated[
    list[str] | None,
    typer.Option("--read-only", metavar="NAME", help="This tool only reads, whatever it says. May be repeated."),
]
NotReadOnlyOption = Annotated[
    list[str] | None,
    typer.Option("--not-read-only", metavar="NAME", help="This tool changes something: no provisional call."),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Stop at a tool that is refused, or usable only with a change.")
]
LenientOption = Annotated[
    bool, typer.Option("--lenient", help="Use tools although something of their schemas cannot be enforced.")
]

_MOST_NAMES = 5
"""Names that one warning lists."""


def read_offered(
    path: Path, read_only: Sequence[str] = (), not_read_only: Sequence[str] = (), strict: bool = False
) -> ReadTools:
    """The tools of a file under the user's overrides; raises InputError, also for names that no tool has."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from error
    offered = read_tools(text, str(path))
    if strict:
        _check_strictly(offered, path)
    return replace(offered, tools=override_read_only(offered.tools, read_only, not_read_only))


def _check_strictly(offered: ReadTools, path: Path) -> None:
    try:
        offered.strict()
    except ToolError as error:
        raise InputError(str(error) if error.source else f"{path}: {error}") from None


def override_read_only(
    tools: Sequence[Tool], read_only: Sequence[str], not_read_only: Sequence[str]
) -> tuple[Tool, ...]:
    """`tools` with the decision overridden for those named; raises InputError for a name in neither or both roles."""
    names = [tool.name for tool in tools]
    for name in (*read_only, *not_read_only):
        if name not in names:
            raise InputError(f"no tool is called {name!r}; there are {', '.join(sorted(names))}")
    if both := sorted(set(read_only) & set(not_read_only)):
        raise InputError(f"both read-only and not: {', '.join(both)}")
    named = {*read_only, *not_read_only}
    return tuple(
        replace(tool, read_only=tool.name in read_only, read_only_rule="override") if tool.name in named else tool
        for tool in tools
    )


def without(tools: Sequence[Tool], broken: Sequence[ToolError], source: Path, strict: bool) -> tuple[Tool, ...]:
    """The tools that are not `broken`; raises InputError where none is left, or `strict` allows none to go."""
    left = tuple(tool for tool in tools if tool.name not in {error.tool for error in broken})
    if strict or len(broken) == len(tools) == 1:
        raise InputError(f"{source}: {broken[0]}")
    if not left:
        reasons = "".join(f"\n  {error}" for error in broken)
        raise InputError(f"{source}: none of the {len(tools)} tools can be used:{reasons}")
    return left


def tell_refused(refused: Sequence[ToolError], as_json: bool) -> None:
    """Say on stderr which tools are left out and why; as JSON lines on stdout too, so that a program sees them."""
    for error in refused:
        warn(f"left out: {error}")
        if as_json:
            line = {"tool": error.tool, "path": error.path, "problem": error.problem}
            print(json.dumps({"refused": line}), flush=True)


def tell_unenforced(warnings: Sequence[str], as_json: bool) -> None:
    """Say on stderr what of the tools' schemas is not enforced; as JSON lines on stdout too."""
    for text in warnings:
        warn(text)
        if as_json:
            print(json.dumps({"warning": text}), flush=True)


def tell_changed(tools: Sequence[Tool], source: Path) -> None:
    """Say on stderr that definitions were changed, for somebody who did not ask how."""
    changed = [tool.name for tool in tools if tool.changes]
    if changed:
        names = ", ".join(changed[:_MOST_NAMES]) + (", ..." if len(changed) > _MOST_NAMES else "")
        warn(f"{source}: {len(changed)} of {len(tools)} tools were changed to be usable ({names}); --stats says how")
