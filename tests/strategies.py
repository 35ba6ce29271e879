"""Hypothesis strategies: tools, calls of them, writers, and requests."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from extent import FEW, IN_FULL
from hypothesis import settings
from hypothesis import strategies as st
from real_vocabularies import NAMES, OF_EACH_KIND, real_vocabulary
from toy_vocabulary import VOCABULARIES

from cost_models import AffineCost
from cost_models.phones import read_phone
from engine.capabilities import ATTENTION, Capabilities
from engine.errors import ScheduleError
from engine.formats import FORMATS, QWEN, CallFormat
from engine.notation import write_value
from engine.picks import PickRule
from engine.request import Request
from engine.schedules import SCHEDULES
from engine.schema_types import admitted_types
from engine.tools import Schema, Tool
from engine.toolset import Toolset
from engine.value_text import read_value
from engine.vocabulary import Vocabulary
from engine.widths import Prices
from sim.backend import Writer
from sim.oracle import Oracle
from sim.random_writer import RandomWriter

PROMPT_TEXT = "Weather?"

prices = st.one_of(
    st.none(),
    st.builds(AffineCost, base_ms=st.sampled_from((1.0, 20.0)), row_ms=st.sampled_from((0.1, 1.0, 10.0))),
    st.just(read_phone("oneplus-12r").table),
)
"""Devices on which rows are cheap, dear, and cheapest by four."""

ALIKE = frozenset(NAMES) - frozenset(OF_EACH_KIND)
"""Real vocabularies that have one of their kind beside them."""

FREE = ("unconstrained",)
"""Schedules whose calls may be anything."""

SETTLING = ("optional_all", "optional_first")
"""Schedules that settle the set of arguments by another rule than the call that the model would write."""

WRITING = tuple(name for name in SCHEDULES if name not in (*FREE, *SETTLING))
"""Schedules that write the model's call where no value depends on another."""

CONSTRAINED = tuple(name for name in SCHEDULES if name not in FREE)

EXACT = (
    *("jump_forward", "jump_forward_provisional", "jump_drafted", "speculative"),
    *("verified", "branched", "drafted", "auto"),
)
"""Schedules that write what constrained decoding writes, whatever the model."""

all_names = st.sampled_from(tuple(SCHEDULES))
schedule_names = st.sampled_from(WRITING)
constrained_names = st.sampled_from(CONSTRAINED)
tile_widths = st.sampled_from((1, 2, 4, 8))
vocabulary_names = st.sampled_from(sorted(VOCABULARIES))
formats = st.sampled_from(FORMATS)
memories = st.sampled_from(
    (
        ATTENTION,
        Capabilities(window_tokens=4),
        Capabilities(removes_part=False),
        Capabilities(shares_rows=False, removes_part=False),
    )
)
"""Attention over everything or through a window, hybrid, recurrent."""

# Names whose JSON needs escapes, that merge with punctuation, and that start one another.
argument_names = st.one_of(
    st.sampled_from(
        ("a", "ab", "abc", "city", "Content-Type", "Content-", "x.y", "é", "北京", 'q"', "b\\", " ", "", "/", "name")
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\x00\x7f", exclude_categories=("Cs",)), max_size=3),
)
tool_names = st.one_of(
    st.sampled_from(("get", "get_", "get_weather", "math.add", "math", "a", "ab", "aa", 'say "hi"', "é", "b\\")),
    st.text("get_ab.", min_size=1, max_size=5),
)

# Names for formats that write them without quotes.
plain_names = st.one_of(
    st.sampled_from(("a", "ab", "abc", "city", "Content_Type", "get", "get_", "get_weather", "name", "é", "北京")),
    st.from_regex(r"[a-c_][a-c0-9_]{0,2}", fullmatch=True),
)

_LETTERS = 'aTokyé北"\\/ -,:}{]1😀\n'
texts = st.one_of(
    st.sampled_from(("", "Tokyo", "/tmp", "-", '"', "\\", "京", "elsius", "<tool_call>", "</tool_call>", "}}", ", ")),
    st.sampled_from(("  two words", "don't", "'s", "12345678", "-5", "1,000.50", "C:\\dir", "a\n\n b", "\t", "...")),
    st.sampled_from(("](", "👍🏽 ok", "привет", "한국", "'", "#1", "a" * 40, " ", "\\u0041", "</s>", "<|im_end|>")),
    st.text(_LETTERS, max_size=5),
)
"""Strings of the kinds that merge with quotes, escapes and separators."""

_SCALARS: Sequence[tuple[Schema, st.SearchStrategy[Any]]] = (
    ({"type": "string"}, texts),
    ({"type": "integer"}, st.one_of(st.integers(-130, 130), st.integers())),
    ({"type": "number"}, st.one_of(st.integers(-20, 20), st.floats(-1e300, 1e300))),
    ({"type": "boolean"}, st.booleans()),
    ({"type": "null"}, st.none()),
    ({"type": ["string", "null"]}, st.one_of(st.none(), texts)),
    ({"type": ["integer", "boolean"]}, st.one_of(st.booleans(), st.integers(-9, 99))),
    ({"type": "integer", "minimum": 0, "maximum": 120}, st.integers(0, 120)),
)  # fmt: skip
_MEMBERS = st.one_of(texts, st.integers(-12, 12), st.booleans(), st.none(), st.just(1.5))


def vocabulary_named(name: str) -> Vocabulary:
    """A toy or a real one."""
    return VOCABULARIES[name]() if name in VOCABULARIES else real_vocabulary(name)


@dataclass(frozen=True)
class Argument:
    """A schema and the values that it allows."""

    schema: Schema
    values: st.SearchStrategy[Any]


@dataclass(frozen=True)
class ToolCase:
    """A tool, and for each of its arguments the values that it allows."""

    tool: Tool
    values: Mapping[str, st.SearchStrategy[Any]]


@dataclass(frozen=True)
class Case:
    """Tools on offer, and the arguments of a call of one of them, in the order of writing.

    `values` are their texts in the format's notation.
    """

    tools: tuple[Tool, ...]
    tool: Tool
    values: Mapping[str, str]
    vocabulary_name: str = "toy"
    call_format: CallFormat = QWEN
    max_call_tokens: int = 400
    tile_rows: int = 1
    capabilities: Capabilities = ATTENTION
    prices: Prices | None = None
    said: str | None = None

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return vocabulary_named(self.vocabulary_name)

    @cached_property
    def request(self) -> Request:
        toolset = Toolset(self.tools, self.call_format, self.vocabulary)
        prompt = self.vocabulary.encode(PROMPT_TEXT)
        return Request(
            prompt,
            toolset,
            max_call_tokens=self.max_call_tokens,
            tile_rows=self.tile_rows,
            capabilities=self.capabilities,
            said=" ".join([self.tool.name, *self.values.values()]) if self.said is None else self.said,
            given_arguments=tuple(self.values),
            prices=self.prices,
        )

    @property
    def text(self) -> str:
        """The call as its format writes it."""
        lead = self.call_format.lead
        parts = (lead(name, number == 0) + value for number, (name, value) in enumerate(self.values.items()))
        return self.call_format.head(self.tool.name) + "".join(parts) + self.call_format.end(bool(self.values))

    @property
    def arguments(self) -> dict[str, Any]:
        """The values that the texts stand for."""
        return {name: read_text(self.call_format, self.tool, name, text) for name, text in self.values.items()}

    def oracle(self) -> Oracle:
        """A model that writes this call."""
        unwritten = [name for name in self.tool.properties if name not in self.values]
        start = len(self.request.prompt)
        return Oracle(self.tool.name, self.values, start, self.call_format, self.vocabulary, unwritten)


def examples(count: int, vocabulary_name: str = "") -> settings:
    """Settings for a costly property: `count` examples in full, half of them else; what a profile asks for elsewhere.

    On a vocabulary that has another of its kind beside it, where the count holds, a few are enough.
    """
    wanted = settings.default.max_examples
    if wanted <= 100:
        few = FEW if vocabulary_name in ALIKE else max(FEW, count // 2)
        wanted = count if IN_FULL else min(count, few)
    return settings(max_examples=wanted)


def read_text(call_format: CallFormat, tool: Tool, argument: str, text: str) -> Any:
    """The value that `text` is of an argument."""
    types = admitted_types(tool.properties[argument], tool.parameters)
    return read_value(call_format.notation, text, types)


def json_text(value: Any) -> str:
    """`value` as the call formats write it."""
    return json.dumps(value, ensure_ascii=False)


@st.composite
def scalars(draw: st.DrawFn) -> Argument:
    kind = draw(st.integers(0, len(_SCALARS) + 1))
    if kind < len(_SCALARS):
        return Argument(*_SCALARS[kind])
    members = draw(st.lists(_MEMBERS, min_size=1, max_size=4, unique_by=json_text))
    if kind == len(_SCALARS):
        return Argument({"enum": members}, st.sampled_from(members))
    return Argument({"const": members[0]}, st.just(members[0]))


def _array_of(item: Argument) -> Argument:
    return Argument({"type": "array", "items": item.schema}, st.lists(item.values, max_size=3))


@st.composite
def _objects(draw: st.DrawFn, keys: st.SearchStrategy[str]) -> Argument:
    """Objects of scalars, in declared order, with and without the optional members."""
    members = draw(st.dictionaries(keys, scalars(), max_size=2))
    required = [name for name in members if draw(st.booleans())]
    schema = {
        "type": "object",
        "properties": {name: member.schema for name, member in members.items()},
        "required": required,
        "additionalProperties": False,
    }
    optional = {name: m.values for name, m in members.items() if name not in required}
    values = st.fixed_dictionaries({name: members[name].values for name in required}, optional=optional)
    return Argument(schema, values.map(lambda value: {name: value[name] for name in members if name in value}))


def arguments(keys: st.SearchStrategy[str]) -> st.SearchStrategy[Argument]:
    """Scalars, lists of them, and objects with such keys."""
    return st.one_of(scalars(), scalars(), scalars().map(_array_of), _objects(keys))


@st.composite
def tool_cases(draw: st.DrawFn, name: str | None = None, call_format: CallFormat = QWEN) -> ToolCase:
    """A tool with up to four required and three optional arguments, declared in any order."""
    names = draw(st.lists(argument_names if call_format.quotes_keys else plain_names, unique=True, max_size=7))
    keys = argument_names if call_format.notation.quotes_keys else plain_names
    drawn = {argument: draw(arguments(keys)) for argument in names}
    required = names[: draw(st.integers(0, min(4, len(names))))]
    declared = draw(st.permutations(required + names[len(required) : len(required) + 3]))
    parameters = {
        "type": "object",
        "properties": {argument: drawn[argument].schema for argument in declared},
        "required": required,
        "additionalProperties": False,
    }
    tool = Tool(name or draw(names_for(call_format)), "", parameters, read_only=draw(st.booleans()))
    return ToolCase(tool, {argument: drawn[argument].values for argument in declared})


def names_for(call_format: CallFormat) -> st.SearchStrategy[str]:
    """Tool names that the format can write."""
    return tool_names if call_format.quotes_tool_name else plain_names


def texts_of(case: ToolCase, argument: str, call_format: CallFormat) -> st.SearchStrategy[str]:
    """Texts of the values that an argument allows and that the format can write."""
    notation = call_format.notation

    def can_be_written(value: Any) -> bool:
        text = write_value(notation, value)
        mark = call_format.value_close if notation.bare_strings else notation.string_mark
        is_ended_early = not notation.escapes_strings and any(mark in each for each in strings_in(value))
        if is_ended_early or (notation.bare_strings and (mark in text or (text + mark).find(mark) < len(text))):
            return False
        read = read_text(call_format, case.tool, argument, text)
        return read == value and json_text(read) == json_text(value)

    return case.values[argument].filter(can_be_written).map(lambda value: write_value(notation, value))


def strings_in(value: Any) -> list[str]:
    """All strings of a value, keys included."""
    if isinstance(value, dict):
        return [*value, *(text for inner in value.values() for text in strings_in(inner))]
    if isinstance(value, list):
        return [text for inner in value for text in strings_in(inner)]
    return [value] if isinstance(value, str) else []


@st.composite
def cases(draw: st.DrawFn, max_tools: int = 3, max_call_tokens: int = 400) -> Case:
    """A request with one or several tools, and a valid call of one of them."""
    call_format = draw(formats)
    names = draw(st.lists(names_for(call_format), unique=True, min_size=1, max_size=max_tools))
    offered = [draw(tool_cases(name, call_format)) for name in names]
    chosen = draw(st.sampled_from(offered))
    tool = chosen.tool
    taken = [name for name in tool.optional if draw(st.booleans())]
    values = {name: draw(texts_of(chosen, name, call_format)) for name in (*tool.required, *taken)}
    return Case(
        tuple(case.tool for case in offered),
        tool,
        values,
        draw(vocabulary_names),
        call_format,
        max_call_tokens,
        draw(tile_widths),
        draw(memories),
        draw(prices),
    )


_WORDS = ("New", "York", "to", "Newark", "the", "Tokyo", "n\u00e9", "2", "-", "get city")


@st.composite
def copying_cases(draw: st.DrawFn, max_call_tokens: int = 400) -> Case:
    """Tools of strings alone, with values that copy what was said, so that drafts of words have something to go by."""
    said = draw(st.lists(st.sampled_from(_WORDS), min_size=3, max_size=9))
    starts = st.integers(0, len(said) - 1)
    copied = st.builds(lambda start, count: " ".join(said[start : start + count]), starts, st.integers(1, 4))
    values = draw(st.lists(st.one_of(copied, copied, st.sampled_from(_WORDS)), min_size=1, max_size=4))
    names = ("a", "ab", "unit", "city")[: len(values)]
    required = list(names[: draw(st.integers(0, len(names)))])
    properties = {name: {"type": "string"} for name in draw(st.permutations((*names, "o")))}
    tool = Tool("get", "", {"properties": properties, "required": required}, read_only=draw(st.booleans()))
    call_format = draw(formats)
    texts = {name: write_value(call_format.notation, value) for name, value in zip(names, values, strict=True)}
    order = (*tool.required, *(name for name in tool.optional if name in texts))
    return Case(
        (tool,),
        tool,
        {name: texts[name] for name in order},
        draw(vocabulary_names),
        call_format,
        max_call_tokens,
        draw(tile_widths),
        draw(memories),
        draw(prices),
        " ".join(said),
    )


FAVOURITES = ("", '"', '"}', '",', '"}}', ' "/', "ab", "0", "1.", "-", "e", "\\", " {", "é", "}}", ", ", "]")
"""What a model may be in love with: letters and digits never end a value, quotes end it at once."""


@dataclass(frozen=True)
class Whim:
    """A model with a taste: a seed, favourite texts, and how much they are favoured."""

    seed: int
    favourites: tuple[str, ...] = ()
    bonus: float = 8.0

    def writer(self, vocabulary: Vocabulary) -> Writer:
        favourites = [token for text in self.favourites for token in vocabulary.encode(text)[:1]]
        return RandomWriter(self.seed, vocabulary.size, favourites, self.bonus)


whims = st.builds(
    Whim,
    st.integers(0, 2**32),
    st.lists(st.sampled_from(FAVOURITES), max_size=4, unique=True).map(tuple),
    st.sampled_from((0.5, 2.0, 8.0)),
)


class Fickle:
    """Writes the case's call, but behind some texts, and wherever that call does not go on, follows a whim."""

    def __init__(self, case: Case, whim: Whim, share: float = 0.1) -> None:
        self._oracle = case.oracle()
        self._writer = whim.writer(case.vocabulary)
        self._key = str(whim.seed).encode()
        self._share = share

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        digest = hashlib.blake2b(str(tuple(tokens)).encode(), digest_size=1, key=self._key).digest()
        if digest[0] >= 256 * self._share:
            try:
                return self._oracle.next_token(tokens, rule)
            except ScheduleError:
                pass
        return self._writer.next_token(tokens, rule)


def writers(case: Case) -> st.SearchStrategy[Writer]:
    """A model that writes the case's call, or one with a taste of its own."""
    return st.one_of(st.builds(case.oracle), whims.map(lambda whim: whim.writer(case.vocabulary)))
