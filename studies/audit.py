"""Every tool of a collection, built and tried: which are refused, and whether constraints and schemas agree."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from engine.call_text import call_text
from engine.calls import ToolCall
from engine.commands import Drop, Emit, Fork, Pass, Trim
from engine.errors import ScheduleError, SchemaWeaverError, ToolError
from engine.formats import CallFormat
from engine.notation import write_value
from engine.request import Request
from engine.schedules import BASIC, SCHEDULES
from engine.skeleton import lay_out
from engine.tools import Tool
from engine.toolset import Toolset
from engine.vocabulary import Vocabulary
from sim.backend import SimulatedBackend, Writer
from studies.schema_values import SchemaValues
from studies.spellings import SPELLINGS, Spelling, write_json

MOST_EXAMPLES = 20
"""Faults that are kept whole; the others are counted."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A tool as its file has it, how to read it, and which file that is."""

    source: str
    data: Any
    read: Callable[[Any], Tool]

    @property
    def key(self) -> str:
        """The same for definitions that are identical."""
        return f"{self.read.__name__} {json.dumps(self.data, sort_keys=False, default=str)}"


@dataclass(slots=True)
class Tally:
    """What an audit counts.

    `spellings` holds for each way to write arguments how many were tried, taken by `jsonschema`, and refused by the
    constraint. `invalid` are generated calls that break their schema, `unexplained` calls in the format's own layout
    that were refused.
    """

    definitions: Counter[str] = field(default_factory=Counter)
    distinct: int = 0
    built: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)
    crashed: list[str] = field(default_factory=list)
    generated: Counter[str] = field(default_factory=Counter)
    invalid: list[str] = field(default_factory=list)
    spellings: dict[str, Counter[str]] = field(default_factory=dict)
    unexplained: list[str] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing crashed, no generated call was invalid, and no layout of our own was refused."""
        return not (self.crashed or self.invalid or self.unexplained)


@dataclass(frozen=True, slots=True)
class Audit:
    """How tools are tried: in which format and vocabulary, how often, and up to which length of a call."""

    call_format: CallFormat
    vocabulary: Vocabulary
    writer: Writer
    calls_per_tool: int = 2
    max_call_tokens: int = 300

    def run(self, definitions: Sequence[Definition], tally: Tally) -> Iterator[None]:
        """Try each distinct definition once, and count it as often as it is there; stops behind each."""
        tally.definitions.update(definition.source for definition in definitions)
        sources: dict[str, list[Definition]] = {}
        for definition in definitions:
            sources.setdefault(definition.key, []).append(definition)
        for same in sources.values():
            tally.distinct += 1
            self._try(same, tally)
            yield

    def _try(self, same: Sequence[Definition], tally: Tally) -> None:
        try:
            tool = same[0].read(same[0].data)
            toolset = self._build(tool)
        except ToolError as error:
            tally.refused.update({_kind(error.problem): len(same)})
            tally.refusals.append(str(error))
            return
        except Exception as error:
            # A crash is what an audit is there to find.
            tally.crashed.append(f"{same[0].source}: {type(error).__name__}: {error}: {_short(same[0].data)}")
            return
        tally.built.update(each.source for each in same)
        if tool.changes:
            tally.changed.update(each.source for each in same)
        validator = _validator(tool)
        for number in range(self.calls_per_tool):
            self._generate(toolset, validator, number, tally)
        self._spell(toolset, validator, tally)

    def _build(self, tool: Tool) -> Toolset:
        """The tool's constraints and its skeleton."""
        toolset = Toolset((tool,), self.call_format, self.vocabulary)
        toolset.compile()
        constraint = toolset.call_constraint()
        tokens: list[int] = []
        while constraint.chosen is None and (forced := constraint.forced()):
            constraint.advance(forced[0])
            tokens.append(forced[0])
        lay_out(self._request(toolset, 0), tool, constraint, tokens, tool.required)
        return toolset

    def _request(self, toolset: Toolset, number: int) -> Request:
        """A request whose prompt is nothing but a number: it tells the writer one try from another."""
        return Request(self.vocabulary.encode(f"{number}"), toolset, max_call_tokens=self.max_call_tokens)

    def _generate(self, toolset: Toolset, validator: Draft202012Validator, number: int, tally: Tally) -> None:
        schedule = BASIC[(number + tally.distinct) % len(BASIC)]
        (tool,) = toolset.tools
        try:
            call = decode(schedule, self._request(toolset, number), self.writer)
        except SchemaWeaverError as error:
            _keep(tally.invalid, f"{tool.name} by {schedule}: {type(error).__name__}: {error}")
            return
        tally.generated["complete" if call.is_complete else "cut"] += 1
        if call.arguments is not None:
            problem = _invalid(validator, dict(call.arguments))
            if problem:
                _keep(tally.invalid, f"{tool.name} by {schedule}: {problem}: {call.text}")

    def _spell(self, toolset: Toolset, validator: Draft202012Validator, tally: Tally) -> None:
        (tool,) = toolset.tools
        drawn = SchemaValues(tool.parameters, f"{tool.name} {tally.distinct}").draw_arguments()
        spellings = SPELLINGS if self.call_format.notation.is_json else SPELLINGS[:1]
        for spelling in spellings:
            arguments = spelling.change(drawn)
            if arguments is None:
                continue
            counts = tally.spellings.setdefault(spelling.name, Counter())
            counts["tried"] += 1
            if _invalid(validator, json.loads(write_json(arguments))):
                continue
            counts["valid"] += 1
            text = self._call_text(tool, spelling, arguments)
            if not self._takes(toolset, text):
                counts["refused"] += 1
                if spelling is SPELLINGS[0]:
                    _keep(tally.unexplained, f"{tool.name}: {text}")

    def _call_text(self, tool: Tool, spelling: Spelling, arguments: Mapping[str, Any]) -> str:
        form = self.call_format
        if not form.notation.is_json:
            return call_text(tool, form, {name: write_value(form.notation, each) for name, each in arguments.items()})
        separators = spelling.separators or (form.notation.item_separator, form.notation.key_separator)
        values = {name: write_json(each, separators, spelling.ascii_only) for name, each in arguments.items()}
        if spelling.separators is not None:
            form = replace(form, item_separator=separators[0], key_close=separators[1])
        return call_text(tool, form, values)

    def _takes(self, toolset: Toolset, text: str) -> bool:
        constraint = toolset.call_constraint()
        try:
            constraint.advance_all(self.vocabulary.encode_with_markers(text))
        except ScheduleError:
            return False
        return constraint.is_finished


def decode(schedule: str, request: Request, writer: Writer) -> ToolCall:
    """The call that a schedule returns when `writer` stands for the model; nothing is timed."""
    backend = SimulatedBackend(writer)
    commands = SCHEDULES[schedule](request)
    answer: Any = None
    while True:
        try:
            command = commands.send(answer)
        except StopIteration as stop:
            call: ToolCall = stop.value
            return call
        answer = backend.run(command) if isinstance(command, Pass) else None
        if isinstance(command, Fork):
            backend.fork(command)
        elif isinstance(command, Drop):
            backend.drop(command)
        elif isinstance(command, Trim):
            backend.trim(command)
        else:
            assert isinstance(command, Pass | Emit)


def _validator(tool: Tool) -> Draft202012Validator:
    return Draft202012Validator(dict(tool.parameters), format_checker=Draft202012Validator.FORMAT_CHECKER)


def _invalid(validator: Draft202012Validator, arguments: Mapping[str, Any]) -> str | None:
    """What `jsonschema` says against arguments, None where it takes them."""
    try:
        error = next(validator.iter_errors(arguments), None)
    except SchemaError as problem:
        return f"the schema itself is invalid: {problem.message}"
    return None if error is None else f"{error.json_path}: {error.message}"


def _kind(problem: str) -> str:
    """A reason without the values that it quotes."""
    return problem.partition(":")[0].partition(";")[0]


def _keep(faults: list[str], text: str) -> None:
    faults.append(text if len(faults) < MOST_EXAMPLES else "")


def _short(data: Any) -> str:
    return json.dumps(data, default=str)[:300]


def to_json(tally: Tally) -> dict[str, Any]:
    """The tally as plain data."""
    return {
        "definitions": dict(tally.definitions),
        "distinct": tally.distinct,
        "built": dict(tally.built),
        "changed_by_the_normaliser": dict(tally.changed),
        "refused": dict(tally.refused),
        "refusals": tally.refusals,
        "crashed": tally.crashed,
        "generated": dict(tally.generated),
        "invalid": [text for text in tally.invalid if text],
        "invalid_count": len(tally.invalid),
        "spellings": {each.name: {"reason": each.reason, **tally.spellings.get(each.name, {})} for each in SPELLINGS},
        "unexplained": [text for text in tally.unexplained if text],
        "unexplained_count": len(tally.unexplained),
    }


def limited(definitions: Iterable[Definition], limit: int | None) -> list[Definition]:
    """The definitions of the first `limit` distinct ones, or all."""
    kept: list[Definition] = []
    keys: set[str] = set()
    for definition in definitions:
        if definition.key not in keys and limit is not None and len(keys) >= limit:
            continue
        keys.add(definition.key)
        kept.append(definition)
    return kept
