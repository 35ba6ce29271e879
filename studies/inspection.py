"""A tool's skeleton as a person reads it: which text is fixed, in which tokens, and what is held back of it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from engine.boundary import common_length
from engine.constraint import Constraint
from engine.errors import ToolError
from engine.request import Request
from engine.skeleton import lay_out
from engine.tools import Tool
from engine.toolset import Toolset
from engine.vocabulary import Vocabulary

BOUNDARY = "│"
"""Stands between two tokens."""

LONGEST_VALUE = 60
"""Characters of a value's schema that a line shows."""

_VISIBLE = str.maketrans({" ": "·", "\n": "⏎", "\t": "⇥", "\r": "␍"})


@dataclass(frozen=True, slots=True)
class LeadView:
    """The text of one argument up to its value, as its branch holds it.

    `lead` are the tokens behind the shared head, `held_back` those that a vocabulary entry could extend: they are a
    guess, checked by the picks of the pass that lays the skeleton. `value` is the argument's schema, or the value
    itself where the schema leaves no choice.
    """

    argument: str
    is_required: bool
    lead: tuple[str, ...]
    held_back: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class ToolView:
    """One tool's skeleton; texts are tokens, spaces and line ends made visible. `refused` says why there is none.

    `read_only_rule` is the rule that decided `read_only`; `changes` says what the definition was changed in.
    """

    tool: str
    read_only: bool
    read_only_rule: str
    changes: tuple[str, ...]
    head: tuple[str, ...] = ()
    leads: tuple[LeadView, ...] = ()
    closer: tuple[str, ...] = ()
    refused: str = ""

    def as_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def lines(self) -> list[str]:
        """The skeleton as text, one line per part."""
        if self.refused:
            return [f"{self.tool}  refused: {self.refused}"]
        width = max(len("closer"), *(len(lead.argument) for lead in self.leads), 0) if self.leads else len("closer")
        parts = [("head", shown(self.head)), *((lead.argument, _lead_line(lead)) for lead in self.leads)]
        kind = "read-only" if self.read_only else "not read-only"
        return [
            f"{self.tool}  ({kind} by {self.read_only_rule})",
            *(f"  changed: {change}" for change in self.changes),
            *(f"  {name:<{width}}  {text}" for name, text in (*parts, ("closer", shown(self.closer)))),
        ]


def inspect_tool(tool: Tool, toolset: Toolset) -> ToolView:
    """The skeleton of `tool` in the format and the vocabulary of `toolset`."""
    try:
        return _view(tool, toolset)
    except ToolError as error:
        return ToolView(
            tool.name, tool.read_only, tool.read_only_rule, tool.changes, refused=f"{error.path}: {error.problem}"
        )


def shown(tokens: Sequence[str]) -> str:
    """Tokens with their boundaries marked."""
    return BOUNDARY.join(tokens)


def _view(tool: Tool, toolset: Toolset) -> ToolView:
    vocabulary = toolset.vocabulary
    head, required = _skeleton(tool, toolset)
    optional = [path for name in tool.optional for path in _skeleton(_requiring(tool, name), toolset)[1]]
    closer = vocabulary.encode_with_markers(toolset.call_format.end(bool(tool.properties)))
    return ToolView(
        tool.name,
        tool.read_only,
        tool.read_only_rule,
        tool.changes,
        _texts(head, vocabulary),
        tuple(_lead(path, head, tool, vocabulary) for path in (*required, *optional)),
        _texts(closer, vocabulary),
    )


@dataclass(frozen=True, slots=True)
class _Path:
    """A branch's tokens from the start of the call to its value, and what is guessed behind them."""

    argument: str
    tokens: tuple[int, ...]
    guess: tuple[int, ...]
    value: str | None


def _skeleton(tool: Tool, toolset: Toolset) -> tuple[tuple[int, ...], tuple[_Path, ...]]:
    """The tokens that all branches of `tool` share, and the path of each required argument."""
    alone = Toolset((tool,), toolset.call_format, toolset.vocabulary)
    call = alone.call_constraint()
    first = _first_token(call, alone)
    call.advance_all(first)
    if not tool.required:
        return (*first, *call.forced(), *call.held_back()), ()
    skeleton = lay_out(Request((), alone), tool, call, first, tool.required)
    paths = (_Path(b.argument, tuple(b.tokens), b.guess, b.value) for b in skeleton.branches)
    return (*first, *skeleton.head), tuple(paths)


def _lead(path: _Path, head: tuple[int, ...], tool: Tool, vocabulary: Vocabulary) -> LeadView:
    start = common_length([head, path.tokens])
    schema = json.dumps(tool.properties[path.argument], ensure_ascii=False)
    return LeadView(
        path.argument,
        path.argument in tool.required,
        _texts(path.tokens[start:], vocabulary),
        _texts(path.guess, vocabulary),
        path.value or schema,
    )


def _first_token(call: Constraint, toolset: Toolset) -> tuple[int, ...]:
    """The call's first token in its usual spelling, where nothing forces it."""
    (tool,) = toolset.tools
    usual = toolset.vocabulary.encode_with_markers(toolset.call_format.head(tool.name))
    return () if call.forced() else usual[:1]


def _requiring(tool: Tool, argument: str) -> Tool:
    return replace(tool, parameters={**tool.parameters, "required": [argument]})


def _texts(tokens: Sequence[int], vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(vocabulary.decode([token]).decode(errors="backslashreplace").translate(_VISIBLE) for token in tokens)


def _lead_line(lead: LeadView) -> str:
    held = f" {BOUNDARY} held back: {shown(lead.held_back)}" if lead.held_back else ""
    kind = "" if lead.is_required else "  (optional)"
    return f"{shown(lead.lead)}{held}  ← {_short(lead.value)}{kind}"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


def legend() -> str:
    """How to read the lines."""
    return (
        f"{BOUNDARY} token boundary, · space, ⏎ line end; each lead reads as if its argument came first; "
        "what is held back is prefilled as a guess and checked; ← the value's schema"
    )
