"""The tools of a request, ready to decode: their constraints, compiled when first needed and kept."""

import sys
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from llguidance import LLMatcher

from engine.branch import Branch
from engine.constraint import CallConstraint, Constraint
from engine.errors import InputError, ToolError
from engine.formats import CallFormat
from engine.grammar import grammar_writer, shape_number
from engine.rest_constraint import RestConstraint
from engine.schemas import Enforced, enforce, explain, tying_keywords
from engine.spelling import call_parts, own_tokens, spelled_with_markers
from engine.tools import Tool
from engine.vocabulary import Vocabulary

_KEPT_BRANCHES = 512
"""More than one call ever starts; a model may write a tool's name in several spellings."""


class Toolset:
    """Tools in one call format for one vocabulary; hands out fresh constraints.

    Compiled grammars are kept for the next request with the same tools. With `lenient`, what of a schema cannot be
    enforced is left out, and `warnings` names it; else such a tool is refused where it is compiled.
    """

    def __init__(
        self, tools: Sequence[Tool], call_format: CallFormat, vocabulary: Vocabulary, lenient: bool = False
    ) -> None:
        if not tools:
            raise InputError("no tools: a call needs one at least")
        if len({tool.name for tool in tools}) < len(tools):
            raise InputError(f"tools of the same name: {', '.join(tool.name for tool in tools)}")
        self.tools = tuple(tools)
        self.call_format = call_format
        self.vocabulary = vocabulary
        self.lenient = lenient
        self._writer = grammar_writer(call_format, vocabulary, self._schema_of)
        self._enforced: dict[tuple[str, str], Enforced] = {}
        self._variants: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Toolset] = {}
        self._names: LLMatcher | None = None
        self._shapes: dict[str, tuple[LLMatcher, ...]] = {}
        self._kept_first_bytes: dict[str, frozenset[bytes]] = {}
        self._kept_branch = lru_cache(_KEPT_BRANCHES)(self._start_branch)

    @cached_property
    def starts_with_pick(self) -> bool:
        """Whether the first token of a call is a pick: nothing of the format's opener is certain."""
        return not self.call_constraint().forced()

    def call_constraint(self) -> CallConstraint:
        """A whole call of any of the tools."""
        return self._fresh_call.copy()

    @cached_property
    def _fresh_call(self) -> CallConstraint:
        """Knows what every call begins with."""
        starts = [self.call_format.head(tool.name).encode() for tool in self.tools]
        call = CallConstraint(self._names_matcher().deep_copy(), starts, self._call_matcher, self.vocabulary)
        call.forced()
        return call

    def branch_constraint(self, tool: Tool, argument: str) -> Constraint:
        """A call of `tool` that starts with `argument`, up to what follows its value."""
        matcher = self._shapes_of(tool)[1 + list(tool.properties).index(argument)]
        return Constraint(matcher.deep_copy(), self.vocabulary)

    def branch(self, tool: Tool, argument: str, call_tokens: tuple[int, ...], max_tokens: int) -> Branch:
        """A branch for `argument` that has gone along with `call_tokens`, up to where its value starts.

        The next request gets a copy of it: names and keys are the same in every call.
        """
        kept = self._kept_branch(tool.name, argument, call_tokens)
        if kept.fits(max_tokens):
            return kept.copy(max_tokens)
        return self._start_branch(tool.name, argument, call_tokens, max_tokens)

    def _start_branch(
        self, tool_name: str, argument: str, call_tokens: tuple[int, ...], max_tokens: int = sys.maxsize
    ) -> Branch:
        tool = next(tool for tool in self.tools if tool.name == tool_name)
        text_before = self.call_format.head(tool.name) + self.call_format.lead(argument, is_first=True)
        constraint = self.branch_constraint(tool, argument)
        branch = Branch(argument, text_before, constraint, self.call_format, self.vocabulary, max_tokens)
        branch.follow(call_tokens)
        return branch

    def rest_constraint(self, tool: Tool, values: Mapping[str, str]) -> Constraint:
        """A call of `tool` whose required arguments have these texts, by name."""
        known = spelled_with_markers(self._writer.known(tool, values), self.vocabulary)
        matcher = self._shapes_of(tool)[-1]
        return RestConstraint(known, matcher.deep_copy(), self._first_bytes(tool), self.vocabulary)

    def _first_bytes(self, tool: Tool) -> frozenset[bytes]:
        """What may stand first behind the required arguments, as one byte each."""
        if tool.name not in self._kept_first_bytes:
            tokens = Constraint(self._shapes_of(tool)[-1].deep_copy(), self.vocabulary).grammar_tokens()
            self._kept_first_bytes[tool.name] = frozenset(self.vocabulary.decode([token])[:1] for token in tokens)
        return self._kept_first_bytes[tool.name]

    def alone(self, tool: Tool) -> "Toolset":
        """`tool`, a variant of one of these, as a toolset of its own."""
        key = (tool.name, tool.required, tool.optional)
        if key not in self._variants:
            self._variants[key] = Toolset((tool,), self.call_format, self.vocabulary, self.lenient)
        return self._variants[key]

    def key_constraint(self, tool: Tool, arguments: Sequence[str]) -> Constraint:
        """The start of a call of `tool` up to the value of one of `arguments`, or a call without any."""
        return Constraint(self._compile(self._writer.keys(tool, arguments), tool), self.vocabulary)

    def compile(self) -> None:
        """Compile every tool and lay its arguments out now, before the user speaks.

        Raises ToolError for the first tool that cannot be compiled.
        """
        for error in self.broken():
            raise error
        self.vocabulary.entries  # noqa: B018
        for tool in self.tools:
            tokens = self._name_tokens(tool)
            self._first_bytes(tool)
            for name in tool.properties:
                self._kept_branch(tool.name, name, tokens[:-1])

    def _name_tokens(self, tool: Tool) -> tuple[int, ...]:
        """A call's tokens up to the one that tells that it is of `tool`, as the tokenizer spells them."""
        constraint, tokens = self.call_constraint(), []
        for token in own_tokens(call_parts(self.call_format, tool.name, {}), self.vocabulary):
            if constraint.chosen is not None or not constraint.allows(token):
                break
            constraint.advance(token)
            tokens.append(token)
        return tuple(tokens)

    def broken(self) -> tuple[ToolError, ...]:
        """Compile every tool now; the errors of those that cannot be, one each."""
        return tuple(error for number in range(len(self.tools)) if (error := self._error(number)) is not None)

    def _error(self, number: int) -> ToolError | None:
        try:
            self._call_matcher(number)
        except ToolError as error:
            return error
        return None

    def warnings(self, tool: Tool) -> tuple[str, ...]:
        """What of the schema of `tool` is not enforced, one sentence each; none unless the toolset is lenient."""
        own = tying_keywords(tool, self.lenient)
        return (*own, *(text for name in tool.properties for text in self._enforce(tool, name).warnings))

    def _names_matcher(self) -> LLMatcher:
        if len(self.tools) == 1:
            return self._call_matcher(0)
        if self._names is None:
            self._names = self._compile(self._writer.choice(self.tools), None)
        return self._names

    def _call_matcher(self, number: int) -> LLMatcher:
        return self._shapes_of(self.tools[number])[0]

    def _shapes_of(self, tool: Tool) -> tuple[LLMatcher, ...]:
        """The call of `tool`, a branch for each of its arguments, and what may follow the required ones."""
        if tool.name not in self._shapes:
            tying_keywords(tool, self.lenient)
            _check_names(tool, self.call_format, self.vocabulary)
            matcher = self._compile(self._writer.tool(tool), tool)
            self._shapes[tool.name] = tuple(self._shape(matcher, number) for number in range(2 + len(tool.properties)))
        return self._shapes[tool.name]

    def _shape(self, matcher: LLMatcher, number: int) -> LLMatcher:
        shape = matcher.deep_copy()
        shape.consume_tokens(list(self.vocabulary.encode(shape_number(number))))
        return shape

    def _schema_of(self, tool: Tool, argument: str) -> Mapping[str, Any]:
        return self._enforce(tool, argument).schema

    def _enforce(self, tool: Tool, argument: str) -> Enforced:
        key = (tool.name, argument)
        if key not in self._enforced:
            self._enforced[key] = enforce(tool, argument, self.lenient)
        return self._enforced[key]

    def _compile(self, grammar: str, tool: Tool | None) -> LLMatcher:
        matcher = LLMatcher(self.vocabulary.tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0)
        if matcher.is_error():
            raise _explain(matcher.get_error(), tool)
        return matcher


def _check_names(tool: Tool, call_format: CallFormat, vocabulary: Vocabulary) -> None:
    """Raise ToolError for a name that the model cannot write: some vocabularies lack bytes of rare characters."""
    written = {"$.name": call_format.tool_name(tool.name)}
    written |= {f"$.parameters.properties.{name}": call_format.key(name) for name in tool.properties}
    for path, text in written.items():
        if not vocabulary.can_spell(text):
            raise ToolError(tool.name, path, f"the model's vocabulary has no tokens for {text}")


def _explain(problem: str, tool: Tool | None) -> InputError:
    """The error of a grammar, blamed on the argument whose schema fails alone."""
    if tool is None:
        return InputError(f"the tool names make no grammar: {problem}")
    for name in tool.properties:
        if error := explain(tool, name):
            return error
    return ToolError(tool.name, "$.parameters", problem.strip().splitlines()[0])
