"""Schedules that settle which arguments a call has before they write any of its values."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from law_cases import TEXT, TWO, small_cases, tool_called
from strategies import Case, examples, whims
from tracing import trace

from engine.commands import Phase
from engine.errors import InputError, ScheduleError
from engine.formats import FORMATS
from engine.notation import write_value
from engine.tools import Tool
from sim.oracle import Oracle


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
