"""Isolation: no row of a branch can see another branch's tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import ALIKE, Copying, kinds, model, small_cases, tool_called
from strategies import Case, examples, whims
from tracing import trace

from engine.commands import TRUNK, Fork, Phase
from engine.tools import Tool
from engine.value_text import finished_value

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


@pytest.mark.parametrize("schedule", ["schemaweaver", "skeleton", "parallel", "arguments_given"])
def test_isolation_a_value_that_depends_on_another_is_decoded_without_it(schedule):
    """What the paper's schedule pays for decoding values apart."""
    assert trace(schedule, ALIKE.request, Copying(ALIKE)).call.arguments == {"a": "Tokyo", "b": "nothing"}
