"""A writer that decides a call's optional arguments before any value."""

from dataclasses import replace

import pytest
from hypothesis import given
from law_cases import LIMIT, TEXT, small_cases
from strategies import Case, examples
from tracing import trace

from engine.formats import FORMATS
from engine.notation import write_value
from engine.tools import Tool
from sim.deciding_oracle import DecidingOracle


def deciding(case: Case) -> DecidingOracle:
    start, form, tool = len(case.request.prompt), case.call_format, case.tool
    return DecidingOracle(tool.name, case.values, start, form, case.vocabulary, tool.optional)


@examples(80)
@given(small_cases)
def test_optional_first_writes_the_call_that_the_model_will_write(case):
    run = trace("optional_first", replace(case.request, max_call_tokens=4000), deciding(case))
    assert run.call.text == case.text


@examples(40)
@given(small_cases)
def test_asked_for_no_key_it_writes_as_the_oracle_does(case):
    request = replace(case.request, max_call_tokens=LIMIT)
    for schedule in ("constrained", "schemaweaver"):
        decided, plain = (trace(schedule, request, writer) for writer in (deciding(case), case.oracle()))
        assert (decided.call, decided.trunk_call_tokens) == (plain.call, plain.trunk_call_tokens)


@pytest.mark.parametrize("call_format", FORMATS, ids=lambda f: f.name)
@pytest.mark.parametrize(
    ("required", "written"),
    [
        ((), ()),
        ((), ("user",)),
        ((), ("username",)),
        ((), ("user", "username", "use")),
        (("username",), ("username",)),
        (("username",), ("username", "user")),
        (("user",), ("user", "use", "username")),
    ],
)
def test_keys_that_start_one_another_are_told_apart(call_format, required, written):
    properties = dict.fromkeys(("user", "username", "use"), TEXT)
    tool = Tool("get", "", {"properties": properties, "required": list(required)})
    order = [name for name in (*tool.required, *tool.optional) if name in written]
    value = write_value(call_format.notation, "Ann")
    case = Case((tool,), tool, dict.fromkeys(order, value), call_format=call_format)
    assert tuple(trace("optional_first", case.request, deciding(case)).call.arguments) == tuple(order)
