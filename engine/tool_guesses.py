"""Drafts of the tool's name: the tool whose name and description share most words with the request."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.boundary import common_length
from engine.constraint import Constraint
from engine.drafts import NOTHING, Expected
from engine.lark import Plain
from engine.spelling import Part, own_tokens
from engine.tools import Tool
from engine.toolset import Toolset

_RIGHT = 0.8
"""How often it is the tool that the model names, among two to four (BFCL-v4, Qwen2.5-Coder-0.5B)."""

_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]{2,}")
"""A word of three letters or more, also within a name in camel or snake case."""


@dataclass(frozen=True, slots=True)
class ToolGuesses:
    """Expects the tool with most words of `said`, the first of those that have equally many."""

    toolset: Toolset
    said: str

    def __call__(self, call_tokens: Sequence[int], constraint: Constraint) -> Expected:
        """The tokens of its name up to the first that no other tool's name has there."""
        written = tuple(call_tokens)
        spelled = self._spell(self._guess())
        if spelled[: len(written)] != written:
            return NOTHING
        others = [self._spell(tool) for tool in self.toolset.tools]
        telling = max(common_length((spelled, other)) for other in others if other != spelled)
        tokens = spelled[len(written) : telling + 1]
        return Expected(tokens, (_RIGHT, *(1.0,) * (len(tokens) - 1))) if tokens else NOTHING

    def _guess(self) -> Tool:
        said = _words(self.said)
        return max(self.toolset.tools, key=lambda tool: _shared(said, tool))

    def _spell(self, tool: Tool) -> tuple[int, ...]:
        """The tokens of a call's start up to the first argument."""
        form = self.toolset.call_format
        parts: list[Part] = [form.opener, Plain(form.tool_name(tool.name)), form.arguments_lead]
        return own_tokens(parts, self.toolset.vocabulary)


def _shared(said: frozenset[str], tool: Tool) -> int:
    """Words of the request that the tool has; those of its name count twice."""
    return 2 * len(said & _words(tool.name)) + len(said & _words(tool.description))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))
