"""What a tool's calls may look like, as grammars for llguidance (its Lark dialect).

Four shapes, all with fixed separators, required arguments first and then the optional ones in declared order:
a choice among tool names, a whole call, one argument alone (a branch), and the rest of a call whose text is known so
far.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.formats import ITEM_SEPARATOR, KEY_SEPARATOR, CallFormat, quote
from engine.tools import Tool
from engine.vocabulary import Vocabulary

_GUIDANCE = {"whitespace_flexible": False, "item_separator": ITEM_SEPARATOR, "key_separator": KEY_SEPARATOR}
_HOLDS_SCHEMAS_BY_NAME = {"properties", "patternProperties", "$defs", "definitions"}
_HOLDS_VALUES = {"enum", "const", "default", "examples", "required"}


@dataclass(frozen=True, slots=True)
class GrammarWriter:
    """Writes the grammars of one call format for one vocabulary.

    `opener` and `closer` are the format's fixed ends as grammar terms, in which a marker such as `<tool_call>` is its
    single token. Names and keys are always plain bytes: a tool cannot smuggle a marker in.
    """

    call_format: CallFormat
    opener: str
    closer: str

    def choice(self, tools: Sequence[Tool]) -> str:
        """The start of a call of any of `tools`, up to its arguments."""
        names = " | ".join(_literal(self._name_part(tool)) for tool in tools)
        return f"start: {self.opener} ({names})\n"

    def call(self, tool: Tool) -> str:
        """A whole call of `tool`."""
        parts = [self.opener, _literal(self._name_part(tool))]
        for index, name in enumerate(tool.required):
            parts += [_literal(self.call_format.lead(name, index == 0)), _value(tool, name)]
        parts.append(_tail(0, bool(tool.required)))
        return _grammar(parts, [*_value_rules(tool, tool.required), *self._tail_rules(tool)])

    def branch(self, tool: Tool, argument: str) -> str:
        """A call whose first argument is `argument`, up to what follows that value in the real call.

        What follows is there because a token may close a value and begin what comes next, as `",` does.
        """
        lead = self._name_part(tool) + self.call_format.lead(argument, is_first=True)
        parts = [self.opener, _literal(lead), _value(tool, argument), f"({self._followers(tool, argument)})"]
        return _grammar(parts, _value_rules(tool, [argument]))

    def rest(self, tool: Tool, required_text: str) -> str:
        """The call whose required arguments read `required_text`, and which goes on freely from there."""
        parts = [self.opener, _literal(self._name_part(tool) + required_text), _tail(0, bool(tool.required))]
        return _grammar(parts, self._tail_rules(tool))

    def _name_part(self, tool: Tool) -> str:
        return quote(tool.name) + self.call_format.arguments_lead

    def _followers(self, tool: Tool, argument: str) -> str:
        """Every fixed text that may stand behind the value of required `argument`."""
        position = tool.required.index(argument) + 1
        if position < len(tool.required):
            return _literal(self.call_format.lead(tool.required[position], is_first=False))
        leads = [_literal(self.call_format.lead(name, is_first=False)) for name in tool.optional]
        return " | ".join([*leads, self.closer])

    def _tail_rules(self, tool: Tool) -> list[str]:
        """Rules for the optional arguments from each one on, with and without an argument before it."""
        rules = _value_rules(tool, tool.optional)
        for index, name in enumerate(tool.optional):
            for has_left in (False, True):
                lead = _literal(self.call_format.lead(name, is_first=not has_left))
                taken = f"{lead} {_value(tool, name)} {_tail(index + 1, True)}"
                rules.append(f"{_tail(index, has_left)}: {taken} | {_tail(index + 1, has_left)}")
        end = len(tool.optional)
        return [*rules, *(f"{_tail(end, has_left)}: {self.closer}" for has_left in (False, True))]


def grammar_writer(call_format: CallFormat, vocabulary: Vocabulary) -> GrammarWriter:
    """The writer for a format, with its markers looked up in the vocabulary."""
    opener = _terms_with_markers(call_format.opener, vocabulary)
    return GrammarWriter(call_format, opener, _terms_with_markers(call_format.closer, vocabulary))


def value_schema(tool: Tool, argument: str) -> dict[str, Any]:
    """The schema of one argument as it is enforced.

    Objects that declare properties and do not mention others get no others: a skeleton could not place them.
    Definitions of the tool's schema come along, so that local references resolve.
    """
    schema = tool.properties[argument]
    enforced = dict(_close_objects(schema)) if isinstance(schema, Mapping) else {}
    for key in ("$defs", "definitions"):
        if key in tool.parameters:
            enforced[key] = {name: _close_objects(item) for name, item in tool.parameters[key].items()}
    return {**enforced, "x-guidance": _GUIDANCE}


def _close_objects(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_close_objects(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {key: _close_member(key, value) for key, value in schema.items()}
    if closed.get("properties"):
        closed.setdefault("additionalProperties", False)
    return closed


def _close_member(key: str, value: Any) -> Any:
    if key in _HOLDS_VALUES:
        return value
    if key in _HOLDS_SCHEMAS_BY_NAME and isinstance(value, Mapping):
        return {name: _close_objects(item) for name, item in value.items()}
    return _close_objects(value)


def _grammar(start: Sequence[str], rules: Sequence[str]) -> str:
    return "\n".join([f"start: {' '.join(start)}", *rules, ""])


def _literal(text: str) -> str:
    """`text` as a grammar term; like JSON, but DEL has to be escaped."""
    return quote(text).replace("\x7f", "\\u007f")


def _tail(index: int, has_left: bool) -> str:
    """The rule's name for the optional arguments from number `index` on."""
    return f"{'more' if has_left else 'first'}_{index}"


def _value(tool: Tool, argument: str) -> str:
    return f"value_{list(tool.properties).index(argument)}"


def _value_rules(tool: Tool, arguments: Sequence[str]) -> list[str]:
    return [f"{_value(tool, name)}: %json {json.dumps(value_schema(tool, name))}" for name in arguments]


def _terms_with_markers(text: str, vocabulary: Vocabulary) -> str:
    longest_first = sorted(vocabulary.specials, key=len, reverse=True)
    pieces = re.split("|".join(f"({re.escape(marker)})" for marker in longest_first), text) if longest_first else [text]
    specials = vocabulary.specials
    return " ".join(f"<[{specials[piece]}]>" if piece in specials else _literal(piece) for piece in pieces if piece)
