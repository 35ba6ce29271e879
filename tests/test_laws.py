"""The laws of the schedules: what holds for any tools, any model and any vocabulary."""

import ast
import json
import re
from dataclasses import replace
from itertools import groupby
from typing import Any

import jsonschema
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from strategies import (
    CONSTRAINED,
    EXACT,
    SETTLING,
    WRITING,
    Case,
    Fickle,
    Whim,
    all_names,
    cases,
    constrained_names,
    copying_cases,
    examples,
    prices,
    schedule_names,
    whims,
)
from toy_vocabulary import VOCABULARIES, toy_vocabulary
from tracing import Trace, trace

from cost_models.phones import read_phone
from engine.calls import ToolCall
from engine.capabilities import ATTENTION, Capabilities
from engine.commands import TRUNK, Drop, Emit, Fork, Pass, Phase, Status, Trim
from engine.errors import InputError, ScheduleError
from engine.formats import FORMATS
from engine.lark import Plain
from engine.notation import PYTHON, write_value
from engine.numbers import MAX_INTEGER_DIGITS
from engine.tools import Tool
from engine.value_text import finished_value
from sim.backend import Writer
from sim.oracle import Oracle
from sim.random_writer import RandomWriter
from sim.replay import Replay

LIMIT = 120
"""Tokens of a call: enough for most that end, few for those that never would."""

HYBRID = Capabilities(removes_part=False)

TEXT = {"type": "string"}
TWO = Tool("get", "", {"properties": {"a": TEXT, "b": TEXT}, "required": ["a", "b"]})

tile_rows = (2, 4, 8)

small_cases = st.one_of(cases(max_call_tokens=LIMIT), cases(max_call_tokens=LIMIT), copying_cases(LIMIT))
kinds = st.sampled_from(("oracle", "whim", "fickle"))


def model(case: Case, whim: Whim, kind: str) -> Writer:
    """The case's own call, a model with a taste, or one that writes that call but for its whims."""
    if kind == "oracle":
        return case.oracle()
    return whim.writer(case.vocabulary) if kind == "whim" else Fickle(case, whim)


def tool_called(call: ToolCall, case: Case) -> Tool:
    return next(tool for tool in case.tools if tool.name == call.name)


def read_independently(call: ToolCall, case: Case) -> dict[str, Any]:
    """The arguments that the text says, where its notation is one that Python's own libraries read."""
    form = case.call_format
    body = call.text[len(form.head(call.name)) : len(call.text) - len(form.end(bool(call.arguments)))]
    if form.notation.is_json:
        return json.loads(f"{{{body}}}")
    if form.notation is PYTHON:
        keywords = ast.parse(f"f({body})", mode="eval").body.keywords
        return {keyword.arg: ast.literal_eval(keyword.value) for keyword in keywords}
    return call.arguments


def check_written_again(call: ToolCall, case: Case) -> None:
    """Where strings are not escaped, written again the arguments give the same text, up to how numbers are spelled."""
    form = case.call_format
    if not form.notation.escapes_strings or form.notation.bare_strings:
        values = {name: write_value(form.notation, value) for name, value in call.arguments.items()}
        written = replace(case, tool=tool_called(call, case), values=values).text
        assert NUMBER.sub("0", written) == NUMBER.sub("0", call.text)


NUMBER = re.compile(r"-?(\d[\d.eE+-]*|Infinity)")


def check_validity(call: ToolCall, case: Case) -> None:
    tool = tool_called(call, case)
    assert read_independently(call, case) == call.arguments
    check_written_again(call, case)
    jsonschema.validate(call.arguments, tool.parameters)
    required = len(tool.required)
    written = list(call.arguments)
    assert tuple(written[:required]) == tool.required
    assert written[required:] == [name for name in tool.optional if name in written]


# Validity


@examples(80)
@given(small_cases, whims, constrained_names)
def test_validity_a_returned_call_parses_and_validates_whatever_the_model_prefers(case, whim, schedule):
    run = trace(schedule, case.request, whim.writer(case.vocabulary))
    event(f"complete: {run.call.is_complete}")
    if run.call.is_complete:
        check_validity(run.call, case)
    else:
        assert run.call.arguments is None
        assert run.emits[-1].status is Status.INCOMPLETE


@examples(40)
@given(small_cases, st.integers(0, 2**32), constrained_names)
def test_validity_holds_for_a_model_that_closes_all_it_can(case, seed, schedule):
    """Such a model nearly always ends its calls, so that complete ones are tested for sure."""
    whim = Whim(seed, ('"', '"}', '",', "}}", "}", "]", ","), bonus=12.0)
    tools = tuple(replace(tool, parameters=with_short_values(tool.parameters)) for tool in case.tools)
    case = replace(case, tools=tools, max_call_tokens=400)
    run = trace(schedule, case.request, whim.writer(case.vocabulary))
    assert run.call.is_complete
    check_validity(run.call, case)


def with_short_values(parameters: dict) -> dict:
    """`parameters` with every argument a short string or an array of them, or what it is fixed to."""
    short = {"type": "string", "maxLength": 8}
    plain = [short, {"type": "array", "items": short, "maxItems": 3}]
    named = enumerate(parameters["properties"].items())
    properties = {n: s if {"enum", "const"} & set(s) else plain[i % 2] for i, (n, s) in named}
    return {**parameters, "properties": properties}


@pytest.mark.parametrize("schedule", WRITING)
@pytest.mark.parametrize(("kind", "favourite"), [("string", "a"), ("array", "[")])
def test_validity_a_value_that_never_ends_is_cut_and_has_no_arguments(schedule, kind, favourite):
    tool = Tool("get", "", {"properties": {"a": {"type": kind}}, "required": ["a"]})
    case = Case((tool,), tool, {}, max_call_tokens=60)
    run = trace(schedule, case.request, Whim(1, (favourite,), bonus=50.0).writer(case.vocabulary))
    assert (run.call.name, run.call.arguments) == ("get", None)
    assert [emit.status for emit in run.emits] == [Status.INCOMPLETE]


@pytest.mark.parametrize("schedule", WRITING)
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_validity_a_number_that_never_ends_is_closed_by_the_limit_of_its_digits(schedule, kind):
    tool = Tool("get", "", {"properties": {"a": {"type": kind}}, "required": ["a"]})
    case = Case((tool,), tool, {}, max_call_tokens=100)
    run = trace(schedule, case.request, Whim(1, ("1",), bonus=50.0).writer(case.vocabulary))
    assert run.call.number_texts == {"a": "1" * MAX_INTEGER_DIGITS}
    assert run.call.numbers_at_limit == ("a",)


# Equality


@examples(80)
@given(small_cases, schedule_names)
def test_equality_every_schedule_returns_the_call_that_the_model_will_write(case, schedule):
    run = trace(schedule, replace(case.request, max_call_tokens=4000), case.oracle())
    assert run.call.text == case.text
    assert run.call.arguments == case.arguments


@examples(120)
@given(small_cases, whims, kinds, st.integers(1, LIMIT))
def test_equality_exact_schedules_decide_the_tokens_of_constrained_decoding(case, whim, kind, limit):
    request = replace(case.request, max_call_tokens=limit)
    plain = trace("constrained", request, model(case, whim, kind))
    for schedule in EXACT:
        other = trace(schedule, request, model(case, whim, kind))
        assert (schedule, other.call, other.trunk_call_tokens) == (schedule, plain.call, plain.trunk_call_tokens)


@examples(40)
@given(small_cases, schedule_names, st.integers(1, LIMIT))
def test_equality_a_call_is_cut_where_it_is_longer_than_the_limit_and_nowhere_else(case, schedule, limit):
    run = trace(schedule, replace(case.request, max_call_tokens=limit), case.oracle())
    fits = len(canonical_tokens(case)) <= limit
    assert run.call.is_complete == fits


@examples(40)
@given(small_cases, whims, kinds, all_names, st.integers(1, LIMIT))
def test_memory_no_sequence_grows_past_the_limit(case, whim, kind, schedule, limit):
    run = trace(schedule, replace(case.request, max_call_tokens=limit), model(case, whim, kind))
    longest = max(len(tokens) for held in run.contents for tokens in held.values())
    assert longest <= len(run.request.prompt) + limit


# Isolation


BRANCHING = ("schemaweaver", "parallel", "skeleton", "verified", "branched", "drafted")
"""Schedules that decode each value in the branch whose number its argument has, the required ones first."""


@examples(80)
@given(small_cases, whims, kinds, st.sampled_from(BRANCHING))
def test_isolation_a_branch_holds_the_head_and_its_own_value_alone(case, whim, kind, schedule):
    run = trace(schedule, case.request, model(case, whim, kind))
    if not run.call.name:
        return
    tool = tool_called(run.call, case)
    for sequence, argument in enumerate((*tool.required, *tool.optional), start=1):
        before = (case.call_format.head(tool.name) + case.call_format.lead(argument, is_first=True)).encode()
        for text in run.call_texts(sequence, Phase.SKELETON, Phase.VALUES):
            assert text.startswith(before) or before.startswith(text)
            check_value_and_what_follows(text[len(before) :], case, tool, argument)


def check_value_and_what_follows(text: bytes, case: Case, tool: Tool, argument: str) -> None:
    """`text` is a value, unfinished or with the start of what stands behind it in the call."""
    form = case.call_format
    value = finished_value(form.notation, text.decode(errors="ignore"), form.value_close)
    if value is None:
        return
    order = (*tool.required, *tool.optional)
    nexts = order[order.index(argument) + 1 :]
    if nexts[:1] and nexts[0] in tool.required:
        behind = [form.lead(nexts[0], is_first=False)]
    else:
        behind = [*(form.lead(name, is_first=False) for name in nexts), form.end(has_arguments=True)]
    assert any(fixed.encode().startswith(text[len(value.encode()) :]) for fixed in behind)


@examples(60)
@given(small_cases, whims, kinds, st.sampled_from((*BRANCHING, "auto")))
def test_isolation_branches_share_no_row_but_those_of_the_head(case, whim, kind, schedule):
    run = trace(schedule, case.request, model(case, whim, kind))
    branches = {target for command in run.commands if isinstance(command, Fork) for target in command.targets}
    for command, _ in run.passes:
        for row in command.rows:
            if len(row.sequences) > 1:
                assert case.capabilities.shares_rows
                assert command.phase is Phase.SKELETON
                assert set(row.sequences) == {TRUNK, *branches}


# Memory


def canonical_tokens(case: Case) -> tuple[int, ...]:
    """The tokenizer's own spelling of the case's call, the format's markers as their tokens."""
    mark = case.call_format.notation.string_mark
    pieces: list[str | int] = []
    for part in call_parts(case):
        is_fixed = isinstance(part, str)
        cut = MARKER.split(part) if is_fixed else re.split(f"({re.escape(mark)})", part.text)
        pieces += [case.vocabulary.specials.get(piece, piece) if is_fixed or piece == mark else piece for piece in cut]
    groups = (
        "".join(group) if is_text else list(group) for is_text, group in groupby(pieces, lambda p: isinstance(p, str))
    )
    return tuple(
        token for group in groups for token in (case.vocabulary.encode(group) if isinstance(group, str) else group)
    )


MARKER = re.compile("(" + "|".join(map(re.escape, toy_vocabulary().specials)) + ")")


def call_parts(case: Case) -> list[str | Plain]:
    """The call's text: what the format writes, and names, keys and values as plain text."""
    form = case.call_format
    parts: list[str | Plain] = [form.opener, Plain(form.tool_name(case.tool.name)), form.arguments_lead]
    for index, (name, value) in enumerate(case.values.items()):
        before = form.value_close + form.item_separator if index else ""
        parts += [before + form.key_open, Plain(form.key(name)), form.key_close, Plain(value)]
    return [*parts, form.end(bool(case.values))]


@examples(60)
@given(small_cases, whims, kinds, all_names)
def test_memory_only_the_trunk_is_left_and_holds_the_prompt_and_the_call(case, whim, kind, schedule):
    run = trace(schedule, case.request, model(case, whim, kind))
    assert run.memory.sequences == {TRUNK}
    assert run.memory.tokens(TRUNK)[: len(run.request.prompt)] == run.request.prompt
    text = case.vocabulary.decode(run.trunk_call_tokens)
    assert text.decode(errors="replace") == run.call.text
    assert run.memory.used_cells == len(run.memory.tokens(TRUNK))


@examples(80)
@given(small_cases, schedule_names)
def test_memory_the_trunk_holds_the_tokens_that_the_tokenizer_makes_of_the_call(case, schedule):
    """Where the model spells as the tokenizer does, which here reads greedily from left to right: all fixed text, what
    is held back of it, and the values that were decoded apart come out as one reading of the whole call."""
    run = trace(schedule, replace(case.request, max_call_tokens=4000), case.oracle())
    assert run.trunk_call_tokens == canonical_tokens(case)


@pytest.mark.parametrize("call_format", FORMATS, ids=lambda f: f.name)
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize(
    "value", ["", "/tmp", "Tokyo", "Celsius", "-", '"', "京", "<tool_call>", "</tool_call>", "}}\n"]
)
def test_memory_is_canonical_for_values_that_merge_with_fixed_text(vocabulary, call_format, value):
    schema = {"type": "string"}
    tool = Tool("get", "", {"properties": dict.fromkeys(("a", "ab", "unit"), schema), "required": ["a", "ab"]})
    text = write_value(call_format.notation, value)
    case = Case((tool,), tool, {"a": text, "ab": text, "unit": text}, vocabulary, call_format)
    for schedule in WRITING:
        run = trace(schedule, case.request, case.oracle())
        assert (schedule, run.trunk_call_tokens) == (schedule, canonical_tokens(case))


# Passes


@examples(40)
@given(small_cases, whims, kinds)
def test_passes_constrained_decoding_takes_one_for_each_token_of_the_call(case, whim, kind):
    run = trace("constrained", case.request, model(case, whim, kind))
    behind_prompt = [command for command, _ in run.passes if command.phase is not Phase.PROMPT]
    assert [command.width for command in behind_prompt] == [1] * len(run.trunk_call_tokens)


@examples(40)
@given(small_cases, whims, kinds)
def test_passes_jump_forward_takes_one_for_each_pick_and_one_to_write_the_end(case, whim, kind):
    run = trace("jump_forward", case.request, model(case, whim, kind))
    picks = sum(len(picks) for _, picks in run.passes)
    assert len(run.passes) - run.count(Phase.PROMPT) == picks + 1


@examples(80)
@given(small_cases)
def test_passes_schemaweaver_takes_as_many_for_the_values_as_the_longest_has_picks(case):
    """The values' passes are max |v| - 1, where |v| counts the picks of one value that no guess stood for: the first
    comes out of the skeleton pass. All required values together take no pass more, but the head's own where a memory
    shares no rows."""
    run = trace("schemaweaver", replace(case.request, max_call_tokens=4000), case.oracle())
    lengths = [picks_of_value(case, name) for name in case.tool.required]
    assert run.count(Phase.VALUES) == max([0, *(length - 1 for length in lengths)])
    assert run.count(Phase.NAME) == picks_in(run, Phase.NAME)
    assert run.count(Phase.NAME) == 0 or len(case.tools) > 1
    assert run.count(Phase.SKELETON) == 2 - case.capabilities.shares_rows or not case.tool.required
    behind_values = (Phase.WRITE_BACK, Phase.OPTIONAL, *(() if case.tool.required else (Phase.SKELETON,)))
    assert run.count(*behind_values) == picks_in(run, *behind_values) + 1


def picks_in(run: Trace, *phases: Phase) -> int:
    return sum(len(picks) for command, picks in run.passes if command.phase in phases)


def picks_of_value(case: Case, argument: str) -> int:
    """Picks that `argument`'s value takes when it is decoded alone, behind all that its schema fixes."""
    toolset, oracle = case.request.toolset, case.oracle()
    constraint = toolset.branch_constraint(case.tool, argument)
    before = case.call_format.head(case.tool.name) + case.call_format.lead(argument, is_first=True)
    tokens = list(case.request.prompt)
    start = len(tokens)

    def is_finished() -> bool:
        text = case.vocabulary.decode(tokens[start:])[len(before.encode()) :]
        form = case.call_format
        return finished_value(form.notation, text.decode(errors="ignore"), form.value_close) is not None

    def take(token: int) -> None:
        constraint.advance(token)
        tokens.append(token)
        while not is_finished() and constraint.forced():
            tokens.append(constraint.forced()[0])
            constraint.advance(tokens[-1])

    take((*constraint.forced(), oracle.next_token(tokens, constraint))[0])
    guess = () if is_finished() else constraint.held_back()
    picks = 0
    while not is_finished():
        token = oracle.next_token(tokens, constraint)
        if token in guess[:1]:
            guess = guess[1:]
            constraint.advance(token)
            tokens.append(token)
        else:
            guess = ()
            picks += 1
            take(token)
    return picks


@examples(60)
@given(small_cases, whims, kinds)
def test_passes_parallel_is_the_papers_schedule_in_rows_of_its_own_alone(case, whim, kind):
    """Whatever the tile, no row is padding, and all else is as without tiles."""
    run = trace("parallel", case.request, model(case, whim, kind))
    bare = trace("schemaweaver", replace(case.request, tile_rows=1), model(case, whim, kind))
    assert scratch_sequence(run) is None
    assert run.commands == bare.commands


@examples(60)
@given(small_cases)
def test_passes_skeleton_takes_as_many_for_the_values_as_they_have_picks_in_all(case):
    """The first pick of each comes out of the skeleton pass, as in the paper's schedule, and all else is as there."""
    request = replace(case.request, max_call_tokens=4000)
    run, papers = (trace(name, request, case.oracle()) for name in ("skeleton", "schemaweaver"))
    lengths = [picks_of_value(case, name) for name in case.tool.required]
    assert run.count(Phase.VALUES) == sum(max(0, length - 1) for length in lengths)
    assert len(run.passes) - run.count(Phase.VALUES) == len(papers.passes) - papers.count(Phase.VALUES)


@examples(60)
@given(small_cases)
def test_passes_a_check_that_all_values_stand_is_the_write_back(case):
    """So `verified` takes the passes of the paper's schedule where no optional argument can follow.

    Where one can, the last token of the last value is left to a pick, as it may merge with what follows: one pass more
    where the paper's schedule knows that it does not. Without required values the head is checked at once, up to where
    the paper's schedule decides token by token.
    """
    request = replace(case.request, max_call_tokens=4000)
    checked, papers = (trace(name, request, case.oracle()) for name in ("verified", "schemaweaver"))
    more = len(checked.passes) - len(papers.passes)
    event(f"{more} more")
    if case.tool.required:
        assert 0 <= more <= bool(case.tool.optional)
    else:
        assert more <= 0


@examples(60)
@given(small_cases)
def test_passes_an_optional_argument_whose_draft_is_whole_costs_its_keys_picks_and_one(case):
    request = replace(case.request, max_call_tokens=4000)
    run, serial = (trace(name, request, case.oracle()) for name in ("branched", "jump_forward"))
    taken = [name for name in case.values if name in case.tool.optional]
    if not case.tool.required:
        return
    # A rider takes a pick from each pass of the values, and its first from the skeleton's.
    whole = [name for name in taken if picks_of_value(case, name) <= 1 + run.count(Phase.VALUES)]
    event(f"drafts: {len(whole)} of {len(taken)}")
    serial_picks = sum(picks_of_value(case, name) for name in taken if name not in whole)
    fixed = picks_outside_values(case, serial)
    behind = [command for command, _ in run.passes if command.phase in (Phase.WRITE_BACK, Phase.VERIFY)]
    assert sum(command.pick_count > 0 for command in behind) <= 1 + fixed + len(whole) + serial_picks


def picks_outside_values(case: Case, run: Trace) -> int:
    """The picks of a serial run behind the required values that begin in keys or behind the last value."""
    form, values = case.call_format, list(case.values.items())
    spans, text = [], form.head(case.tool.name)
    for number, (name, value) in enumerate(values):
        start = len((text + form.lead(name, number == 0)).encode())
        text += form.lead(name, number == 0) + value
        spans.append(range(start, len(text.encode())))
    first = spans[len(case.tool.required) - 1].stop
    start = len(run.request.prompt)
    starts = [
        len(case.vocabulary.decode(run.trunk_call_tokens[: command.rows[row].position + 1 - start]))
        for command, picks in run.passes
        for row, _ in picks
    ]
    return sum(place >= first and not any(place in span for span in spans) for place in starts)


@examples(60)
@given(copying_cases(LIMIT), whims, kinds, st.sampled_from(tile_rows))
def test_passes_drafts_of_words_never_make_jump_forward_longer(case, whim, kind, tile):
    request = replace(case.request, tile_rows=tile)
    drafted, plain = (trace(name, request, model(case, whim, kind)) for name in ("jump_drafted", "jump_forward"))
    event(f"passes saved: {len(plain.passes) > len(drafted.passes)}")
    assert len(drafted.passes) <= len(plain.passes)


@examples(60)
@given(copying_cases(LIMIT), whims, kinds, st.sampled_from(tile_rows))
def test_passes_drafts_of_words_never_make_the_values_longer(case, whim, kind, tile):
    """Nor the whole call where no optional argument can follow. One that does has had fewer passes to be drafted in."""
    request = replace(case.request, tile_rows=tile, capabilities=ATTENTION)
    drafted, plain = (trace(name, request, model(case, whim, kind)) for name in ("drafted", "branched"))
    event(f"passes saved: {plain.count(Phase.VALUES) > drafted.count(Phase.VALUES)}")
    assert drafted.count(Phase.VALUES) <= plain.count(Phase.VALUES)
    if drafted.call.name and not tool_called(drafted.call, case).optional:
        assert len(drafted.passes) <= len(plain.passes)


@examples(60)
@given(small_cases)
def test_passes_unconstrained_decoding_takes_one_for_each_token_of_what_the_model_writes(case):
    run = trace("unconstrained", replace(case.request, max_call_tokens=4000), case.oracle())
    assert (run.call.name, run.call.arguments) == (case.tool.name, case.arguments)
    canonical = canonical_tokens(case)
    assert run.trunk_call_tokens == canonical[: len(run.trunk_call_tokens)]
    given_tokens = bool(case.request.toolset.call_constraint().forced())
    assert run.count(Phase.SERIAL) == len(run.trunk_call_tokens) - 1
    assert run.count(Phase.SERIAL, Phase.WRITE_BACK) == len(run.trunk_call_tokens)
    assert picks_in(run, Phase.PROMPT) == 1 - given_tokens


# Emission


@examples(100)
@given(small_cases, whims, kinds, all_names)
def test_emission_one_last_word_and_at_most_one_provisional_call_before_it(case, whim, kind, schedule):
    run = trace(schedule, case.request, model(case, whim, kind))
    *earlier, last = run.emits
    event(f"{[str(emit.status) for emit in run.emits]}")
    assert last.call == run.call
    assert last.status is not Status.PROVISIONAL
    assert [emit.status for emit in earlier] in ([], [Status.PROVISIONAL])
    behind = run.commands[run.commands.index(last) + 1 :]
    assert all(isinstance(command, Pass) and command.pick_count == 0 for command in behind)
    assert len(behind) <= 1
    assert last.status is expected_last_status(run, earlier)


def expected_last_status(run: Trace, earlier: list[Emit]) -> Status:
    if run.call.arguments is None:
        return Status.INCOMPLETE
    if not earlier:
        return Status.FINAL
    return Status.CONFIRMED if run.call == earlier[0].call else Status.CORRECTED


PROVISIONAL = ("schemaweaver", "skeleton", "parallel", "jump_forward_provisional")
"""Schedules that hand a call over before its optional arguments are decided."""

CHECKING = ("verified", "branched", "drafted", "auto")
"""Schedules that hand a call over before it is checked."""


@examples(80)
@given(small_cases, whims, kinds, st.sampled_from((*PROVISIONAL, *CHECKING)))
def test_emission_provisional_calls_are_for_read_only_tools_and_have_the_required_arguments(case, whim, kind, schedule):
    run = trace(schedule, case.request, model(case, whim, kind))
    provisional = [emit.call for emit in run.emits if emit.status is Status.PROVISIONAL]
    tool = tool_called(run.call, case) if run.call.name else None
    may = tool is not None and tool.read_only and bool(tool.optional or (schedule in CHECKING and tool.required))
    assert len(provisional) <= may
    if run.call.is_complete and schedule in PROVISIONAL:
        assert len(provisional) == may
    for call in provisional:
        check_validity(call, case)
        assert tuple(call.arguments) == tool.required


@examples(60)
@given(small_cases, whims, kinds, all_names)
def test_emission_the_model_is_asked_between_a_provisional_call_and_the_last_word(case, whim, kind, schedule):
    """So no call goes out as provisional that is known to be the final one."""
    run = trace(schedule, case.request, model(case, whim, kind))
    places = [number for number, command in enumerate(run.commands) if isinstance(command, Emit)]
    between = run.commands[places[0] : places[-1]]
    assert len(places) == 1 or any(isinstance(command, Pass) and command.pick_count for command in between)


@examples(40)
@given(small_cases, whims, kinds, st.sampled_from((*SETTLING, "arguments_given")))
def test_emission_settled_arguments_leave_nothing_provisional(case, whim, kind, schedule):
    assert len(trace(schedule, case.request, model(case, whim, kind)).emits) == 1


@examples(40)
@given(small_cases, whims, st.sampled_from(("constrained", "jump_forward")))
def test_emission_serial_schedules_emit_once(case, whim, schedule):
    assert len(trace(schedule, case.request, whim.writer(case.vocabulary)).emits) == 1


@pytest.mark.parametrize(
    ("optional", "read_only", "statuses"),
    [
        ({}, True, [Status.PROVISIONAL, Status.CONFIRMED]),
        ({"b": "1"}, True, [Status.PROVISIONAL, Status.CORRECTED]),
        ({}, False, [Status.FINAL]),
        ({"b": "1"}, False, [Status.FINAL]),
    ],
)
def test_emission_says_what_became_of_the_provisional_call(optional, read_only, statuses):
    schema = {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]}
    tool = Tool("get", "", schema, read_only)
    case = Case((tool,), tool, {"a": "12", **optional})
    run = trace("schemaweaver", case.request, case.oracle())
    assert [emit.status for emit in run.emits] == statuses


def test_emission_a_call_without_optional_arguments_goes_out_before_it_is_written_back():
    tool = Tool("get", "", {"properties": {"a": {"type": "integer"}}, "required": ["a"]})
    case = Case((tool,), tool, {"a": "12"})
    run = trace("schemaweaver", case.request, case.oracle())
    emitted = next(number for number, command in enumerate(run.commands) if isinstance(command, Emit))
    behind = [command.phase for command in run.commands[emitted:] if isinstance(command, Pass)]
    assert behind == [Phase.WRITE_BACK]


# Padding, and the set of arguments


@examples(60)
@given(small_cases, whims, kinds, constrained_names, st.data())
def test_padding_and_drafts_change_no_call(case, whim, kind, schedule, data):
    """Whatever the tile, the device's prices and the words to draft from; these decide what passes cost alone.

    Where drafts are checked by picks, no other call goes out before either.
    """
    first = trace(schedule, case.request, model(case, whim, kind))
    other_request = replace(
        case.request,
        tile_rows=data.draw(st.sampled_from((1, *tile_rows))),
        prices=data.draw(prices),
        said=data.draw(st.sampled_from(("", case.text, case.request.said))),
    )
    other = trace(schedule, other_request, model(case, whim, kind))
    assert other.call == first.call
    assert other.trunk_call_tokens == first.trunk_call_tokens
    assert schedule == "auto" or other.emits == first.emits


@examples(40)
@given(small_cases, whims)
def test_settled_optional_all_writes_every_argument(case, whim):
    run = trace("optional_all", case.request, whim.writer(case.vocabulary))
    if run.call.is_complete:
        tool = tool_called(run.call, case)
        assert tuple(run.call.arguments) == (*tool.required, *tool.optional)


@examples(40)
@given(small_cases, whims, st.data())
def test_settled_arguments_given_writes_those_and_the_required_ones_alone(case, whim, data):
    """Names that the tool does not have, as of another tool's call, are passed over."""
    names = [name for tool in case.tools for name in tool.properties]
    given_names = data.draw(st.lists(st.sampled_from([*names, "no argument's name"]), unique=True))
    request = replace(case.request, given_arguments=tuple(given_names))
    run = trace("arguments_given", request, whim.writer(case.vocabulary))
    if run.call.is_complete:
        tool = tool_called(run.call, case)
        assert tuple(run.call.arguments) == (*tool.required, *(n for n in tool.optional if n in given_names))


def test_settled_arguments_given_are_those_of_a_request():
    case = Case((TWO,), TWO, {"a": '"x"', "b": '"y"'})
    with pytest.raises(InputError, match="needs a request that says which arguments the call has"):
        trace("arguments_given", replace(case.request, given_arguments=None), case.oracle())


@pytest.mark.parametrize(
    ("required", "wanted", "written"),
    [
        ((), ("p", "o"), ("o", "p")),
        ((), (), ()),
        ((), ("b", "a"), ("a", "b")),
        ((), ("a", "b", "o", "p"), ("a", "b", "o", "p")),
        # Keys are picked until the first required one.
        (("a",), ("p", "a", "o"), ("a", "p")),
        (("a", "b"), ("p", "o", "a"), ("a", "b", "o", "p")),
        (("a", "b"), ("a", "o"), ("a", "b")),
    ],
)
@pytest.mark.parametrize("call_format", FORMATS, ids=lambda f: f.name)
def test_settled_optional_first_writes_the_keys_that_the_model_wants_behind_the_head(
    required, wanted, written, call_format
):
    tool = Tool("get", "", {"properties": dict.fromkeys(("a", "b", "o", "p"), TEXT), "required": required})
    value = write_value(call_format.notation, "x")
    case = Case((tool,), tool, dict.fromkeys(tool.properties, value), call_format=call_format)
    run = trace("optional_first", case.request, Wanting(case, wanted))
    assert tuple(run.call.arguments) == written
    assert run.count(Phase.OPTIONAL) >= bool(wanted)


class Wanting:
    """Would write a call of each of some arguments alone, the first whose key may come; without any, the call's end."""

    def __init__(self, case: Case, wanted: tuple[str, ...]) -> None:
        start, form, self._vocabulary = len(case.request.prompt), case.call_format, case.vocabulary
        calls = [*({name: case.values[name]} for name in wanted), {}, case.values]
        self._oracles = [Oracle(case.tool.name, values, start, form, self._vocabulary) for values in calls]
        heads = [form.head(case.tool.name) + "".join(form.lead(name, True) for name in values) for values in calls]
        self._goals = [len(case.vocabulary.decode(case.request.prompt)) + len(head.encode()) for head in heads]

    def next_token(self, tokens, rule):
        for oracle, goal in zip(self._oracles[:-1], self._goals, strict=False):
            if written := self._written(oracle, goal, list(tokens), rule.copy()):
                return written[0]
        return self._oracles[-1].next_token(tokens, rule)

    def _written(self, oracle, goal, tokens, rule):
        """What `oracle` writes up to behind its key; nothing where it may not."""
        written = []
        while not rule.is_finished and (len(self._vocabulary.decode(tokens)) < goal or not written):
            try:
                written.append(oracle.next_token(tokens, rule))
            except ScheduleError:
                return []
            rule.advance(written[-1])
            tokens.append(written[-1])
        return written


@pytest.mark.parametrize("schedule", ["arguments_given", "optional_all", "optional_first"])
def test_settled_arguments_may_refer_to_schemas_of_those_left_out(schedule):
    properties = {"a": {"$ref": "#/properties/o"}, "o": {"type": "array", "items": {"enum": ["x", "y"]}}}
    tool = Tool("get", "", {"properties": properties, "required": ["a"]})
    values = {"a": '["x", "y"]', "o": "[]"} if schedule == "optional_all" else {"a": '["x", "y"]'}
    case = Case((tool,), tool, values)
    assert trace(schedule, case.request, case.oracle()).call.arguments == case.arguments


# Models of bad will, and values that depend on each other


@pytest.mark.parametrize("schedule", CONSTRAINED)
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_validity_a_model_that_wants_what_is_never_allowed_writes_a_call_all_the_same(vocabulary, schedule):
    """Markers, the end of text, and bytes that no text has are its first choices at every step."""
    schema = {"type": "string", "maxLength": 3}
    properties = {"a": schema, "b": {"type": "integer", "maximum": 99}, "o": schema}
    tool = Tool("get", "", {"properties": properties, "required": ["a", "b"]}, read_only=True)
    case = Case((tool, replace(tool, name="get_all")), tool, {}, vocabulary)
    forbidden = [*range(case.vocabulary.size - 8, case.vocabulary.size), 0x00, 0xC0, 0xFF]
    run = trace(schedule, case.request, RandomWriter(3, case.vocabulary.size, forbidden, bonus=50.0))
    check_validity(run.call, case)


def test_unconstrained_such_a_model_writes_no_call():
    case = Case((TWO,), TWO, {"a": '"x"', "b": '"y"'})
    end = case.vocabulary.end_token
    run = trace("unconstrained", case.request, RandomWriter(3, case.vocabulary.size, [end], bonus=50.0))
    assert (run.call.name, run.call.arguments) == ("", None)
    assert run.trunk_call_tokens[1:] == (end,)


class Copying:
    """Writes for `b` what it sees in `a`, and where it sees nothing there, `nothing`."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._blind = replace(case, values={**case.values, "b": '"nothing"'}).oracle()

    def next_token(self, tokens, rule):
        text = self._case.vocabulary.decode(tokens).decode(errors="ignore")
        sees = f'"a": {self._case.values["a"]}' in text
        return (self._case.oracle() if sees else self._blind).next_token(tokens, rule)


ALIKE = Case(
    (replace(TWO, read_only=True),), replace(TWO, read_only=True), {"a": '"Tokyo"', "b": '"Tokyo"'}, tile_rows=4
)


@pytest.mark.parametrize("memory", [ATTENTION, HYBRID], ids=["attention", "hybrid"])
@pytest.mark.parametrize("schedule", ["constrained", *EXACT])
def test_equality_a_value_that_depends_on_another_is_written_as_serial_decoding_does(schedule, memory):
    case = replace(ALIKE, capabilities=memory, prices=read_phone("oneplus-12r").table)
    assert trace(schedule, case.request, Copying(case)).call.arguments == {"a": "Tokyo", "b": "Tokyo"}


@pytest.mark.parametrize("schedule", ["schemaweaver", "skeleton", "parallel", "arguments_given"])
def test_isolation_a_value_that_depends_on_another_is_decoded_without_it(schedule):
    """What the paper's schedule pays for decoding values apart."""
    assert trace(schedule, ALIKE.request, Copying(ALIKE)).call.arguments == {"a": "Tokyo", "b": "nothing"}


@pytest.mark.parametrize("schedule", ["verified", "branched", "drafted"])
def test_emission_a_value_that_did_not_stand_is_corrected(schedule):
    """What stands in front of it is kept, so that the check costs the picks of that value alone."""
    run = trace(schedule, ALIKE.request, Copying(ALIKE))
    assert [(emit.status, emit.call.arguments["b"]) for emit in run.emits] == [
        (Status.PROVISIONAL, "nothing"),
        (Status.CORRECTED, "Tokyo"),
    ]
    assert run.count(Phase.VERIFY) < picks_of_value(ALIKE, "b")


# Padding


@examples(60)
@given(small_cases, whims, kinds, st.sampled_from((2, 4, 8)))
def test_padding_changes_no_call_and_no_row_of_another_sequence(case, whim, kind, tile):
    bare, padded = (
        trace("schemaweaver", replace(case.request, tile_rows=rows), model(case, whim, kind)) for rows in (1, tile)
    )
    assert padded.call == bare.call
    assert padded.emits == bare.emits
    scratch = scratch_sequence(padded)
    own = [tuple(r for r in command.rows if scratch not in r.sequences) for command, _ in padded.passes]
    assert own == [command.rows for command, _ in bare.passes]
    padded_passes = sum(len(rows) < command.width for rows, (command, _) in zip(own, padded.passes, strict=True))
    assert padded.commands.count(Drop(scratch)) == padded_passes
    assert all(len(held.get(scratch, ())) < tile for held in padded.contents)


def scratch_sequence(run: Trace) -> int | None:
    """The one sequence that is written to without having been forked."""
    forked = {target for command in run.commands if isinstance(command, Fork) for target in command.targets}
    written = {s for command, _ in run.passes for row in command.rows for s in row.sequences}
    (scratch,) = (written - forked - {TRUNK}) or {None}
    return scratch


@examples(60)
@given(small_cases, whims, st.sampled_from((2, 4, 8)))
def test_padding_fills_whole_tiles_unless_the_last_has_one_row_alone(case, whim, tile):
    run = trace("schemaweaver", replace(case.request, tile_rows=tile), whim.writer(case.vocabulary))
    scratch = scratch_sequence(run)
    for command, _ in run.passes:
        added = [row for row in command.rows if row.sequences == (scratch,)]
        assert not any(row.pick for row in added)
        own = command.width - len(added)
        pads = command.phase is Phase.VALUES and own % tile > 1
        assert len(added) == (tile - own % tile if pads else 0)


# Causality, determinism and parity


class Turncoat:
    """Writes as one writer for some picks, then as another."""

    def __init__(self, first, second, after: int) -> None:
        self._first, self._second, self._left = first, second, after

    def next_token(self, tokens, constraint):
        self._left -= 1
        return (self._first if self._left >= 0 else self._second).next_token(tokens, constraint)


@examples(60)
@given(small_cases, whims, whims, kinds, st.integers(0, 40), all_names)
def test_causality_what_is_picked_later_changes_no_command_before(case, whim, other, kind, agreed, schedule):
    first = trace(schedule, case.request, model(case, whim, kind))
    turncoat = Turncoat(model(case, whim, kind), other.writer(case.vocabulary), agreed)
    second = trace(schedule, case.request, turncoat)
    common = commands_up_to_pick(first, agreed)
    assert second.commands[: len(common)] == common


def commands_up_to_pick(run: Trace, number: int) -> list:
    """The commands up to the pass that pick `number` (counted from 0) was read from; all where there are fewer."""
    passes = iter(run.passes)
    made = 0
    for position, command in enumerate(run.commands):
        if isinstance(command, Pass):
            made += len(next(passes)[1])
            if made > number:
                return run.commands[: position + 1]
    return run.commands


@examples(40)
@given(small_cases, whims, all_names)
def test_determinism_the_same_seed_gives_the_same_commands_and_records(case, whim, schedule):
    first, again = (trace(schedule, replace(case).request, replace(whim).writer(case.vocabulary)) for _ in range(2))
    assert again.commands == first.commands
    assert again.record() == first.record()


@examples(100)
@given(small_cases, whims, kinds, all_names, st.sampled_from((0, 3, 8)))
def test_parity_a_replayed_run_has_the_same_passes_row_for_row(case, whim, kind, schedule, reused):
    request = replace(case.request, reused_tokens=min(reused, len(case.request.prompt)))
    run = trace(schedule, request, model(case, whim, kind))
    again = trace(schedule, request, Replay(run.record()))
    assert again.commands == run.commands
    assert again.record() == run.record()


@pytest.mark.parametrize("memory", [ATTENTION, HYBRID], ids=["attention", "hybrid"])
def test_parity_holds_where_a_guess_was_wrong(memory):
    """The opening quote is guessed; a model that writes it and the first letter as one token makes the branch go back
    to its lead, or start over where the memory cannot be cut."""
    case = Case((TWO,), TWO, {"a": '"/tmp"', "b": '"x"'}, capabilities=memory)
    run = trace("schemaweaver", case.request, Whim(5, (' "/',), bonus=30.0).writer(case.vocabulary))
    back = [type(c) for c in run.commands if isinstance(c, Trim | Drop | Fork)]
    assert back[:3] == ([Fork, Trim, Drop] if memory is ATTENTION else [Fork, Drop, Fork])
    again = trace("schemaweaver", case.request, Replay(run.record()))
    assert again.commands == run.commands


@pytest.mark.parametrize("memory", [Capabilities(removes_part=False), Capabilities(window_tokens=4)])
@pytest.mark.parametrize("schedule", ["verified", "drafted", "jump_drafted", "speculative"])
@pytest.mark.parametrize("seed", range(4))
def test_parity_holds_where_drafts_are_tried_in_a_fork_that_may_become_the_trunk(schedule, memory, seed):
    schema = {"type": "string"}
    tool = Tool("get", "", {"properties": {"a": schema, "ab": schema}, "required": ["a"]})
    case = Case((tool,), tool, {"a": '"Tokyo Tokyo"', "ab": '"Tok"'}, tile_rows=4, capabilities=memory)
    writer = Whim(seed, ('"', '"}')).writer(case.vocabulary) if seed else case.oracle()
    run = trace(schedule, replace(case.request, max_call_tokens=60), writer)
    again = trace(schedule, run.request, Replay(run.record()))
    assert again.commands == run.commands


@pytest.mark.parametrize("schedule", ["verified", "branched", "drafted", "auto"])
@pytest.mark.parametrize(("max_rows", "max_picks"), [(512, 3), (40, 128)])
def test_padding_and_drafts_stay_within_the_rows_and_picks_of_a_pass(schedule, max_rows, max_picks):
    """A long call is checked in several passes."""
    case = Case((TWO,), TWO, {"a": json.dumps("a-b " * 30), "b": '"x"'})
    request = replace(case.request, max_rows=max_rows, max_picks=max_picks, max_call_tokens=4000)
    run = trace(schedule, request, case.oracle())
    checks = [command for command, _ in run.passes if command.phase in (Phase.WRITE_BACK, Phase.VERIFY)]
    assert run.call.text == case.text
    assert max(command.width for command in checks) <= max_rows
    assert max(command.pick_count for command in checks) <= max_picks
