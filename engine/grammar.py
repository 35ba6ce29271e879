"""What a tool's calls may look like, as grammars for llguidance (its Lark dialect).

All with fixed separators, required arguments first and then the optional ones in declared order: a choice among tool
names; for each tool, a whole call, one argument alone (a branch), and what follows the required arguments.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import ToolError
from engine.formats import CallFormat
from engine.lark import Markup, Plain, any_of, literal
from engine.schemas import argument_path, explain, value_schema
from engine.spelling import Part, value_parts
from engine.tools import Tool
from engine.value_grammar import ValueGrammar
from engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class GrammarWriter:
    """Writes the grammars of one call format.

    In the format's own text, a marker such as `<tool_call>` is its single token. Names, keys and values are always
    plain bytes: a tool cannot smuggle a marker in. `schema_of` gives the schema of an argument as it is enforced.
    """

    call_format: CallFormat
    markup: Markup
    schema_of: Callable[[Tool, str], Mapping[str, Any]] = value_schema

    def choice(self, tools: Sequence[Tool]) -> str:
        """The start of a call of any of `tools`, up to where the first value or the end of the call begins.

        It reaches behind the name because a token may end the name's text and begin what comes next, as `()` does.
        """
        starts = any_of(f"{self.markup.terms(*self._head(tool)[1:])} {self._first(tool)}" for tool in tools)
        return _grammar([self.markup.terms(self.call_format.opener), starts], [])

    def tool(self, tool: Tool) -> str:
        """A whole call of `tool`, each argument alone, and what follows the required ones; `shape_number` comes first.

        One grammar for all, since compiling takes half a millisecond before it reads the first rule. Raises ToolError
        where the format cannot write the tool's names or values.
        """
        self.call_format.check_names(tool.name, tuple(tool.properties))
        values, rules = self._values(tool, tool.properties)
        branches = (self._branch(tool, name, values) for name in tool.properties)
        shapes = [self._call(tool, values), *branches, _tail(0, bool(tool.required))]
        start = any_of(f"{literal(shape_number(number))} {shape}" for number, shape in enumerate(shapes))
        return _grammar([start], [*rules, *self._tail_rules(tool, values)])

    def known(self, tool: Tool, required: Mapping[str, str]) -> list[Part]:
        """The start of a call of `tool` whose required arguments have these texts."""
        parts: list[Part] = [] if tool.required else self._head(tool)
        for index, name in enumerate(tool.required):
            parts += [*self._before(tool, index), *self._known_value(required[name])]
        return parts

    def keys(self, tool: Tool, arguments: Sequence[str]) -> str:
        """The start of a call of `tool` up to the value of one of `arguments`; the end too where none is required."""
        leads = [self.markup.terms(*self._lead(name, True)) for name in arguments]
        ends = [] if tool.required else [self._closer(False)]
        return _grammar([self.markup.terms(*self._head(tool)), any_of([*leads, *ends])], [])

    def _call(self, tool: Tool, values: Mapping[str, str]) -> str:
        required = [
            f"{self.markup.terms(*self._before(tool, index))} {values[name]}"
            for index, name in enumerate(tool.required)
        ]
        start = required or [self.markup.terms(*self._head(tool))]
        return " ".join([*start, _tail(0, bool(tool.required))])

    def _branch(self, tool: Tool, argument: str, values: Mapping[str, str]) -> str:
        """A call whose first argument is `argument`, up to what follows that value in the real call.

        What follows is there because a token may close a value and begin what comes next, as `",` does.
        """
        start = self.markup.terms(*self._head(tool), *self._lead(argument, True))
        return " ".join([start, values[argument], self._followers(tool, argument)])

    def _name(self, tool: Tool) -> Plain:
        return Plain(self.call_format.tool_name(tool.name))

    def _head(self, tool: Tool) -> list[Part]:
        return [self.call_format.opener, self._name(tool), self.call_format.arguments_lead]

    def _before(self, tool: Tool, index: int) -> list[Part]:
        """What stands between the value before required argument `index` and its own; the head for the first."""
        lead = self._lead(tool.required[index], index == 0)
        return lead if index else [*self._head(tool), *lead]

    def _lead(self, argument: str, is_first: bool) -> list[Part]:
        form = self.call_format
        between = "" if is_first else self._value_close + form.item_separator
        return [between + form.key_open, Plain(form.key(argument)), form.key_close]

    @property
    def _value_close(self) -> str:
        """What stands behind a value; "" where the value's own rule ends with it."""
        return "" if self.call_format.notation.bare_strings else self.call_format.value_close

    def _closer(self, has_left: bool) -> str:
        return self.markup.terms((self._value_close if has_left else "") + self.call_format.closer)

    def _known_value(self, text: str) -> list[Part]:
        """A value as it was decoded: its marks are markers, the rest is plain."""
        form = self.call_format
        close = [form.value_close] if form.notation.bare_strings else []
        return [*value_parts(form.notation, text), *close]

    def _followers(self, tool: Tool, argument: str) -> str:
        """Every fixed text that may stand behind the value of `argument`."""
        order = (*tool.required, *tool.optional)
        behind = order[order.index(argument) + 1 :]
        if behind and behind[0] in tool.required:
            return self.markup.terms(*self._lead(behind[0], False))
        return any_of([*(self.markup.terms(*self._lead(name, False)) for name in behind), self._closer(True)])

    def _first(self, tool: Tool) -> str:
        """Every fixed text that may stand behind the head."""
        leads = [self.markup.terms(*self._lead(name, True)) for name in tool.required[:1] or tool.optional]
        return any_of(leads if tool.required else [*leads, self._closer(False)])

    def _tail_rules(self, tool: Tool, values: Mapping[str, str]) -> list[str]:
        """Rules for the optional arguments from each one on, with and without an argument before it."""
        rules = []
        for index, name in enumerate(tool.optional):
            for has_left in (False, True):
                lead = self.markup.terms(*self._lead(name, not has_left))
                taken = f"{lead} {values[name]} {_tail(index + 1, True)}"
                rules.append(f"{_tail(index, has_left)}: {taken} | {_tail(index + 1, has_left)}")
        end = len(tool.optional)
        return [*rules, *(f"{_tail(end, has_left)}: {self._closer(has_left)}" for has_left in (False, True))]

    def _values(self, tool: Tool, arguments: Iterable[str]) -> tuple[dict[str, str], list[str]]:
        """A term for the values of each argument, and the rules that the terms need."""
        terms: dict[str, str] = {}
        rules: list[str] = []
        for name in arguments:
            path, prefix = argument_path(name), f"v{list(tool.properties).index(name)}"
            form = self.call_format
            schema = self.schema_of(tool, name)
            values = ValueGrammar(form.notation, schema, self.markup, tool.name, path, prefix, form.value_close)
            try:
                terms[name] = values.write()
            except ValueError as error:
                raise explain(tool, name) or ToolError(tool.name, path, str(error)) from None
            rules += values.rules
        return terms, rules


def shape_number(number: int) -> str:
    """What the text of shape `number` in a tool's grammar starts with: 0 is the call, the others are the branches."""
    return f"{number};"


def grammar_writer(
    call_format: CallFormat, vocabulary: Vocabulary, schema_of: Callable[[Tool, str], Mapping[str, Any]] = value_schema
) -> GrammarWriter:
    """The writer for a format, with its markers looked up in the vocabulary."""
    return GrammarWriter(call_format, vocabulary.markup, schema_of)


def _grammar(start: Sequence[str], rules: Sequence[str]) -> str:
    return "\n".join([f"start: {' '.join(start)}", *rules, ""])


def _tail(index: int, has_left: bool) -> str:
    """The rule's name for the optional arguments from number `index` on."""
    return f"{'more' if has_left else 'first'}_{index}"
