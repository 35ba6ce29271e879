"""Where in a tool's schema the fault is that llguidance reports for the whole."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from llguidance import LLMatcher

from engine.errors import ToolError
from engine.json_path import child
from engine.schemas.endless import is_circular, is_endless
from engine.schemas.json_rules import json_rules
from engine.schemas.reading import ROOT, Reader
from engine.schemas.references import UnresolvedError, below, resolve

_BY_NAME = ("properties", "patternProperties")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_SINGLE = ("items", "additionalItems", "additionalProperties")

_NOT_EXCLUSIVE = "cannot be enforced: nothing shows that no value fits two of these schemas"


@dataclass(frozen=True, slots=True)
class Fault:
    """A keyword, or a schema where no single keyword is to blame, and what is wrong with it."""

    path: str
    keyword: str | None
    problem: str

    @property
    def where(self) -> str:
        return self.path if self.keyword is None else child(self.path, self.keyword)


def problem_of(enforced: Any) -> str | None:
    """Why no value can be written under a schema as it is enforced, None where values can."""
    if not isinstance(enforced, Mapping):
        return "no value is allowed" if enforced is False else None
    if problem := recursion_problem(enforced):
        return problem
    try:
        rules = json_rules("value", enforced)
    except ValueError as error:
        return str(error)
    grammar = "\n".join(["start: value", *rules, ""])
    problem = LLMatcher.validate_grammar(LLMatcher.grammar_from_lark(grammar))
    if problem:
        reason = _reason(problem)
        return _NOT_EXCLUSIVE if reason.startswith("oneOf constraints") else reason
    return None


def recursion_problem(enforced: Mapping[str, Any]) -> str | None:
    """What is wrong with how a schema refers to itself."""
    if "$defs" not in enforced:
        return None
    if is_circular(enforced):
        return "no value is described: the schema only leads back to itself"
    return "no value of it ever ends" if is_endless(enforced) else None


def locate(tool: str, root: Mapping[str, Any], schema: Any, path: str, leave_out: Mapping[str, str]) -> Fault | None:
    """The deepest part of the schema at `path` that fails by itself, and its keyword; None where nothing does."""
    search = _Search(tool, root, leave_out)
    problem = search.problem(schema, path)
    return None if problem is None else search.deepest(schema, path, problem, frozenset())


class _Search:
    """Tries parts of one tool's schema by themselves."""

    def __init__(self, tool: str, root: Mapping[str, Any], leave_out: Mapping[str, str]) -> None:
        self._tool, self._root, self._leave_out = tool, root, leave_out

    def problem(self, schema: Any, path: str) -> str | None:
        reader = Reader(self._tool, self._root, lenient=True, leave_out=self._leave_out)
        try:
            enforced = reader.read(schema, path)
        except ToolError as error:
            return error.problem
        if isinstance(enforced, bool) or not reader.definitions:
            return problem_of(enforced)
        return problem_of({**enforced, "$defs": reader.definitions})

    def deepest(self, schema: Any, path: str, problem: str, seen: frozenset[str]) -> Fault:
        for part, part_path in self._children(schema, path):
            if part_path not in seen and self.problem(part, part_path) == problem:
                return self.deepest(part, part_path, problem, seen | {part_path})
        return Fault(path, self._keyword(schema, path), problem)

    def _keyword(self, schema: Any, path: str) -> str | None:
        """The keyword without which the rest can be kept."""
        for keyword in schema if isinstance(schema, Mapping) else ():
            rest = {key: value for key, value in schema.items() if key != keyword}
            if keyword != "type" and self.problem(rest, path) is None:
                return str(keyword)
        return None

    def _children(self, schema: Any, path: str) -> Iterator[tuple[Any, str]]:
        if not isinstance(schema, Mapping):
            return
        if "$ref" in schema:
            yield from self._target(schema["$ref"])
        for keyword in _BY_NAME:
            for name, part in _mapping(schema.get(keyword)).items():
                yield part, child(child(path, keyword), name)
        for keyword in _LISTS:
            parts = schema.get(keyword)
            for index, part in enumerate(parts if isinstance(parts, list) else ()):
                yield part, child(child(path, keyword), index)
        for keyword in _SINGLE:
            if isinstance(schema.get(keyword), Mapping):
                yield schema[keyword], child(path, keyword)

    def _target(self, reference: Any) -> Iterator[tuple[Any, str]]:
        try:
            keys, target = resolve(self._root, reference)
        except UnresolvedError:
            return
        yield target, below(ROOT, keys)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _reason(problem: str) -> str:
    """What llguidance says of a schema, without its place in the grammar and the lines that show it."""
    first, *others = problem.strip().splitlines()
    reason = first.rpartition("failed to compile JSON schema: ")[2]
    causes = [line.removeprefix("error: ") for line in others if line.startswith("error: ")]
    return f"{reason} {causes[-1]}" if causes and reason.endswith(":") else reason
