"""Tools ready to decode, and tools that cannot be."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from strategies import WRITING, Case, cases, examples, json_text
from toy_vocabulary import VOCABULARIES, toy_vocabulary
from tracing import trace

from engine.errors import InputError, ScheduleError, ToolError
from engine.formats import QWEN
from engine.schedules import SCHEDULES
from engine.tools import Tool
from engine.toolset import Toolset

GOOD = Tool("good", "", {"properties": {"a": {"type": "string"}}, "required": ["a"]})


def bad_tool(schema, is_required=True) -> Tool:
    properties = {"fine": {"type": "string"}, "wrong": schema}
    return Tool("bad", "", {"properties": properties, "required": ["fine", "wrong"] if is_required else ["fine"]})


@pytest.mark.parametrize(
    ("schema", "where", "problem"),
    [
        ({"not": {"type": "string"}}, ".not", "this keyword cannot be enforced"),
        ({"type": "string", "pattern": "^(?!.*@).+$"}, ".pattern", "regex parse error: look-around"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, ".minimum", "no integer is at least 3 and at most 2"),
    ],
)
@pytest.mark.parametrize("is_required", [True, False])
def test_a_schema_that_cannot_be_kept_is_refused_with_tool_path_and_problem(schema, where, problem, is_required):
    toolset = Toolset([GOOD, bad_tool(schema, is_required)], QWEN, toy_vocabulary())
    path = f"$.parameters.properties.wrong{where}"
    with pytest.raises(ToolError, match="^" + re.escape(f"tool 'bad': {path}: {problem}")) as caught:
        toolset.compile()
    assert (caught.value.tool, caught.value.path) == ("bad", path)
    assert "\n" not in caught.value.problem


def test_every_tool_that_cannot_be_compiled_is_named_once():
    others = [bad_tool({"not": {}}, is_required=False), replace(bad_tool({"pattern": "(?=x)"}), name="worse")]
    toolset = Toolset([GOOD, *others], QWEN, toy_vocabulary())
    assert [error.tool for error in toolset.broken()] == ["bad", "worse"]


def test_a_lenient_toolset_uses_every_tool_and_names_what_it_leaves_out():
    tools = [bad_tool({"type": "string", "not": {"const": "x"}, "pattern": "(?=x)"}), GOOD]
    toolset = Toolset(tools, QWEN, toy_vocabulary(), lenient=True)
    assert toolset.broken() == ()
    assert toolset.warnings(GOOD) == ()
    left_out = [text.partition(": ")[2].partition(": ")[0] for text in toolset.warnings(tools[0])]
    assert left_out == ["$.parameters.properties.wrong.not", "$.parameters.properties.wrong.pattern"]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_one_bad_tool_does_not_keep_the_others_from_being_called(schedule):
    """Only the chosen tool is compiled, so the other's fault shows where it is chosen or everything is compiled."""
    case = Case((GOOD, bad_tool({"not": {}})), GOOD, {"a": '"x"'})
    assert trace(schedule, case.request, case.oracle()).call.arguments == {"a": "x"}


def test_no_tools_and_tools_of_the_same_name_are_refused():
    with pytest.raises(InputError, match="no tools"):
        Toolset([], QWEN, toy_vocabulary())
    with pytest.raises(InputError, match="tools of the same name: good, good"):
        Toolset([GOOD, GOOD], QWEN, toy_vocabulary())


def test_compiling_beforehand_leaves_nothing_to_compile(monkeypatch):
    toolset = Toolset([GOOD, Tool("other", "", {"properties": {"a": {"enum": [1]}}})], QWEN, toy_vocabulary())
    toolset.compile()
    fresh = toolset.branch_constraint(GOOD, "a")
    fresh.advance(fresh.forced()[0])
    toolset.call_constraint()
    monkeypatch.setattr("engine.toolset.LLMatcher", None)
    toolset.call_constraint()
    again = toolset.branch_constraint(GOOD, "a")
    assert again.forced()[1:] == fresh.forced()
    assert toolset._call_matcher(1) is toolset._call_matcher(1)


@examples(40)
@given(cases(max_tools=1))
def test_the_rest_of_a_call_leaves_nothing_open_but_the_optional_arguments(case: Case):
    """Behind the required text the rest goes on as the whole call does."""
    toolset = case.request.toolset
    required = {name: case.values[name] for name in case.tool.required}
    rest, whole = toolset.rest_constraint(case.tool, required), toolset.call_constraint()
    for token in case.vocabulary.encode_with_markers(case.text):
        if not (rest.allows(token) and whole.allows(token)):
            return
        rest.advance(token)
        whole.advance(token)
    assert rest.is_finished
    assert whole.is_finished


MANY = [
    *(f"server.{number // 50}/tool_{number}" for number in range(440)),
    *("get" + "_x" * length for length in range(30)),
    *("math", "math.add", "math.add.all", "add", "a", "ab", "b", "get_weather_forecast", "weather", "get_weather"),
    *(f"{prefix}get" for prefix in ("x", ".", "/", "-", "_", " ", '"', "\\", "é", "京")),
    *(f"get{suffix}" for suffix in (" ", ".", "/", '"', '",', '", ', "}}", "\\", "é", "京")),
]


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_one_of_many_tools_is_chosen_by_its_exact_name_and_compiled_alone(vocabulary):
    toolset = Toolset([replace(GOOD, name=name) for name in MANY], QWEN, VOCABULARIES[vocabulary]())
    for number, name in enumerate(MANY):
        constraint = toolset.call_constraint()
        constraint.advance_all(toolset.vocabulary.encode_with_markers(f'{QWEN.head(name)}"a": "x"{QWEN.end(True)}'))
        assert (constraint.chosen, constraint.is_finished) == (number, True)
        assert list(toolset._shapes) == MANY[: number + 1]


@pytest.mark.parametrize("name", ["serve", "server.0/tool_", "server.8/tool_4000", "math.", "xx", "", "get_y", "GET"])
def test_a_name_that_is_no_tools_cannot_be_written(name):
    toolset = Toolset([replace(GOOD, name=each) for each in MANY], QWEN, toy_vocabulary())
    with pytest.raises(ScheduleError, match="is not allowed here"):
        toolset.call_constraint().advance_all(toolset.vocabulary.encode_with_markers(QWEN.head(name)))


ODD = [
    "\x7f",
    "\x80",
    "\u2028",
    "\ufeff",
    "\x00",
    "\n",
    "'",
    "`",
    "<|end|>",
    "<[3]>",
    "%json",
    "//x",
    "/a/",
    "{",
    "\\n",
    "",
    " ",
]


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize("name", ODD)
def test_odd_characters_of_names_are_written_as_json_has_them(name, vocabulary):
    """What means something in the grammars' own language as well."""
    suffix = "" if name < " " else name
    schema = {"type": "integer"}
    tool = Tool("get" + suffix, "", {"properties": {name: schema, "o" + name: schema}, "required": [name]})
    case = Case((tool, GOOD), tool, {name: "1", "o" + name: "2"}, vocabulary)
    for schedule in WRITING:
        assert trace(schedule, case.request, case.oracle()).call.arguments == {name: 1, "o" + name: 2}


@pytest.mark.parametrize("name", [name for name in ODD if name != "\x7f"])
def test_odd_characters_of_members_are_written_as_json_has_them(name):
    tool = Tool("get", "", {"properties": {"a": {"enum": [name, name + "x"]}, "b": {"const": name}}, "required": ["a"]})
    case = Case((tool,), tool, {"a": json_text(name), "b": json_text(name)})
    for schedule in WRITING:
        assert trace(schedule, case.request, case.oracle()).call.arguments == {"a": name, "b": name}
