"""The tools of a request, ready to decode: their constraints, compiled when first needed and kept."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from llguidance import LLMatcher

from engine.constraint import CallConstraint, Constraint
from engine.errors import InputError, ToolError
from engine.formats import CallFormat
from engine.grammar import grammar_writer, value_schema
from engine.tools import Tool
from engine.vocabulary import Vocabulary


class Toolset:
    """Tools in one call format for one vocabulary; hands out fresh constraints.

    Compiled grammars are kept for the next request with the same tools.
    """

    def __init__(self, tools: Sequence[Tool], call_format: CallFormat, vocabulary: Vocabulary) -> None:
        if not tools:
            raise InputError("no tools: a call needs one at least")
        if len({tool.name for tool in tools}) < len(tools):
            raise InputError(f"tools of the same name: {', '.join(tool.name for tool in tools)}")
        self.tools = tuple(tools)
        self.call_format = call_format
        self.vocabulary = vocabulary
        self._writer = grammar_writer(call_format, vocabulary)
        self._compiled: dict[tuple[str | None, str | None], LLMatcher] = {}

    @cached_property
    def starts_with_pick(self) -> bool:
        """Whether the first token of a call is a pick: nothing of the format's opener is certain."""
        return not self.call_constraint().forced()

    def call_constraint(self) -> CallConstraint:
        """A whole call of any of the tools."""
        starts = [self.call_format.head(tool.name).encode() for tool in self.tools]
        names = self._compile((None, None), self._writer.choice(self.tools))
        return CallConstraint(names.deep_copy(), starts, self._call_matcher, self.vocabulary)

    def branch_constraint(self, tool: Tool, argument: str) -> Constraint:
        """A call of `tool` that starts with `argument`, up to what follows its value."""
        key = (tool.name, argument)
        matcher = self._compiled.get(key) or self._compile(key, self._writer.branch(tool, argument), tool)
        return Constraint(matcher.deep_copy(), self.vocabulary)

    def rest_constraint(self, tool: Tool, values: Mapping[str, str]) -> Constraint:
        """A call of `tool` whose required arguments have these texts, by name."""
        grammar = self._writer.rest(tool, values)
        return Constraint(_compile(grammar, self.vocabulary, tool), self.vocabulary)

    def compile(self) -> None:
        """Compile every tool now, before the user speaks; raises ToolError for the first that cannot be."""
        for error in self.broken():
            raise error

    def broken(self) -> tuple[ToolError, ...]:
        """Compile every tool now; the errors of those that cannot be, one each."""
        return tuple(error for number in range(len(self.tools)) if (error := self._error(number)) is not None)

    def _error(self, number: int) -> ToolError | None:
        tool = self.tools[number]
        try:
            self._call_matcher(number)
            for argument in tool.required:
                self.branch_constraint(tool, argument)
        except ToolError as error:
            return error
        return None

    def _call_matcher(self, number: int) -> LLMatcher:
        tool = self.tools[number]
        key = (tool.name, None)
        return self._compiled.get(key) or self._compile(key, self._writer.call(tool), tool)

    def _compile(self, key: tuple[str | None, str | None], grammar: str, tool: Tool | None = None) -> LLMatcher:
        if key not in self._compiled:
            self._compiled[key] = _compile(grammar, self.vocabulary, tool)
        return self._compiled[key]


def _compile(grammar: str, vocabulary: Vocabulary, tool: Tool | None) -> LLMatcher:
    matcher = LLMatcher(vocabulary.tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0)
    if matcher.is_error():
        raise _explain(matcher.get_error(), vocabulary, tool)
    return matcher


def _explain(problem: str, vocabulary: Vocabulary, tool: Tool | None) -> Exception:
    """The error of a grammar, blamed on the argument whose schema fails alone."""
    if tool is None:
        return InputError(f"the tool names make no grammar: {problem}")
    for name in tool.properties:
        schema = LLMatcher.grammar_from_json_schema(value_schema(tool, name))
        alone = LLMatcher(vocabulary.tokenizer, schema, log_level=0)
        if alone.is_error():
            return ToolError(tool.name, f"$.parameters.properties.{name}", _reason(alone.get_error()))
    return ToolError(tool.name, "$.parameters", _reason(problem))


def _reason(problem: str) -> str:
    """The first line of `problem`, and the last one where the first only announces it, as `regex parse error:` does."""
    first, *others = problem.strip().splitlines()
    return f"{first} {others[-1].removeprefix('error: ')}" if others and first.endswith(":") else first
