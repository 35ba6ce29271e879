"""What decoding values one after the other and side by side is predicted to cost, from schemas and prices."""

from collections.abc import Mapping
from typing import Any

from engine.request import Request
from engine.schema_types import admitted_types
from engine.tools import Tool
from engine.value_guesses import ValueGuesses

_PICKS: Mapping[str, int] = {"null": 1, "boolean": 1, "integer": 2, "number": 3, "string": 4, "array": 9, "object": 12}
"""Picks that a value of a type takes on average, rounded: the accepted answers of BFCL-v4 in Qwen2.5's tokens."""

_ENUM_PICKS = 2

_HEAD_TOKENS = 12
"""Tokens of a call before its first argument, in the formats that have tags and JSON."""

_OUT_OF_LEAD = 2
"""Picks of a value that come out of the pass over its lead: what is held back there is tried along with it."""

_GUESS_TOKENS = 3

_FAILS = 0.15
"""How often a value that did not see the others does not stand (BFCL-v4, Qwen2.5-Coder-0.5B)."""


def branches_pay(request: Request, tool: Tool, context_tokens: int) -> bool:
    """Whether decoding the required values side by side brings tool start and final call earlier, the two together."""
    if len(tool.required) < 2 or len(tool.required) > request.max_branches:
        return False
    picks = [expected_picks(tool, name) for name in tool.required]
    leads = [_lead_tokens(request, name) for name in tool.required]
    serial_ms = _serial_ms(request, picks, leads, _guessed(request, tool), context_tokens)
    values_ms = _side_by_side_ms(request, picks, leads, context_tokens)
    again_ms = _FAILS * sum(picks[1:]) * _cost_ms(request, 1, 1, context_tokens)
    check_ms = again_ms + _cost_ms(request, sum(leads[1:]) + sum(picks[1:]), sum(picks[1:]), context_tokens)
    start_ms = values_ms if tool.read_only else values_ms + check_ms
    return start_ms + values_ms + check_ms < 2 * serial_ms


def most_side_by_side(tool: Tool) -> int:
    """Passes after which values that are decoded side by side run longer than any does on average, by far."""
    return 3 * max((expected_picks(tool, name) for name in tool.required), default=0)


def expected_picks(tool: Tool, argument: str) -> int:
    """How many picks a value of the argument takes on average, by its type; the longest where several are admitted."""
    schema: Any = tool.properties[argument]
    if isinstance(schema, Mapping) and {"enum", "const"} & set(schema):
        return _ENUM_PICKS
    try:
        types = admitted_types(schema, tool.parameters)
    except (KeyError, IndexError, ValueError, TypeError):
        types = frozenset(_PICKS)
    return max((_PICKS[name] for name in types), default=1)


def _lead_tokens(request: Request, argument: str) -> int:
    toolset = request.toolset
    return len(toolset.vocabulary.encode(toolset.call_format.lead(argument, is_first=False)))


def _guessed(request: Request, tool: Tool) -> list[float]:
    """For each required argument how often its value is the one that the request lets expect."""
    guesses = ValueGuesses(tool, request.toolset.call_format, request.toolset.vocabulary, request.said)
    return [guesses.odds(name) for name in tool.required]


def _serial_ms(
    request: Request, picks: list[int], leads: list[int], guessed: list[float], context_tokens: int
) -> float:
    """One pass over each lead and what is expected behind it, and one per pick that does not come out of that."""
    leads = [leads[0] + _HEAD_TOKENS, *leads[1:]]
    rows = [lead + (_GUESS_TOKENS if odds else 1) for lead, odds in zip(leads, guessed, strict=True)]
    left = [max(0, count - _OUT_OF_LEAD) for count in picks]
    expected = [count * (1 - odds) for count, odds in zip(left, guessed, strict=True)]
    lead_ms = sum(_cost_ms(request, width, 1, context_tokens) for width in rows)
    return lead_ms + sum(expected) * _cost_ms(request, 1, 1, context_tokens)


def _side_by_side_ms(request: Request, picks: list[int], leads: list[int], context_tokens: int) -> float:
    """The skeleton, then a pass per pick of the longest value."""
    widths = [sum(count > number for count in picks) for number in range(1, max(picks))]
    skeleton_ms = _cost_ms(request, _HEAD_TOKENS + sum(leads) + len(leads), 2 * len(leads), context_tokens)
    return skeleton_ms + sum(_cost_ms(request, width, width, context_tokens) for width in widths)


def _cost_ms(request: Request, rows: int, picks: int, context_tokens: int) -> float:
    assert request.prices is not None
    padding = request.widths.padding(rows, context_tokens)
    return request.prices.pass_ms(rows + padding, min(picks, rows), context_tokens)
