"""Emission: a provisional call is for a read-only tool alone; one final call is emitted, last; nothing twice
unchanged."""

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from law_cases import ALIKE, Copying, kinds, model, small_cases, tool_called
from reckoning import picks_of_value
from strategies import SETTLING, Case, all_names, examples, whims
from tracing import Trace, trace
from valid_calls import check_validity

from engine.commands import Emit, Pass, Phase, Status
from engine.tools import Tool

PROVISIONAL = ("schemaweaver", "skeleton", "parallel", "jump_forward_provisional")
"""Schedules that hand a call over before its optional arguments are decided."""

CHECKING = ("verified", "branched", "drafted", "auto")
"""Schedules that hand a call over before it is checked."""


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


@pytest.mark.parametrize("schedule", ["verified", "branched", "drafted"])
def test_emission_a_value_that_did_not_stand_is_corrected(schedule):
    """What stands in front of it is kept, so that the check costs the picks of that value alone."""
    run = trace(schedule, ALIKE.request, Copying(ALIKE))
    assert [(emit.status, emit.call.arguments["b"]) for emit in run.emits] == [
        (Status.PROVISIONAL, "nothing"),
        (Status.CORRECTED, "Tokyo"),
    ]
    assert run.count(Phase.VERIFY) < picks_of_value(ALIKE, "b")
