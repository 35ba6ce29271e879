"""Which calls BFCL accepts: by a table, and beside BFCL's own checker on accepted and on mutated answers."""

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest
from bfcl_checker import load_checker

from engine.calls import ToolCall
from engine.errors import InputError
from sim.bfcl import SINGLE_CALL_FILES, find_bfcl
from sim.bfcl_answers import BfclAnswer, DeclaredType, read_bfcl_answer

TYPES = {
    "city": DeclaredType("string"),
    "days": DeclaredType("integer"),
    "scale": DeclaredType("float"),
    "is_long": DeclaredType("boolean"),
    "names": DeclaredType("array", "string"),
    "corner": DeclaredType("tuple", "float"),
    "span": DeclaredType("dict"),
    "steps": DeclaredType("array", "dict"),
    "x": DeclaredType("integer"),
}
ACCEPTED = {
    "city": ["New York, NY", "NYC"],
    "days": ["", 3],
    "scale": ["", 2.0],
    "is_long": ["", True],
    "names": ["", ["Ann", "Bob"]],
    "corner": ["", [1.0, 2.0]],
    "span": ["", {"from": ["May 1"], "to": ["", "May 2"], "by": ["", [1, 2]]}],
    "steps": ["", [{"do": ["Go", "Run"]}, {"do": ["Stop"]}]],
    "x": ["", "width"],
}
ANSWER = BfclAnswer("get_weather", ACCEPTED, TYPES, ("city",))


def verdict(arguments, name="get_weather"):
    return ANSWER.judge(ToolCall(name, arguments, ""))


@pytest.mark.parametrize(
    "arguments",
    [
        {"city": "NYC"},
        {"city": "new york ny"},
        {"city": "New-York / N.Y."},
        {"days": 3},
        {"scale": 2.0},
        {"scale": 2},
        {"is_long": True},
        {"names": ["ann", "B.O.B."]},
        {"names": []},
        {"corner": [1.0, 2.0]},
        {"span": {"from": "may-1"}},
        {"span": {"to": "MAY 2", "from": "May 1"}},
        {"span": {"from": "May 1", "by": [1, 2]}},
        {"steps": [{"do": "run"}, {"do": "stop"}]},
        {"steps": []},
        {"x": "width"},
    ],
    ids=str,
)
def test_accepted(arguments):
    assert verdict({"city": "NYC"} | arguments).is_right


@pytest.mark.parametrize(
    ("arguments", "at", "reason"),
    [
        ({"city": "Boston"}, "city", 'is "Boston", which is none of ["New York, NY", "NYC"]'),
        ({"city": ["NYC"]}, "city", 'is ["NYC"], which is no string as it is wanted'),
        ({"days": 4}, "days", 'is 4, which is none of ["", 3]'),
        ({"days": 3.0}, "days", "is 3.0, which is no integer as it is wanted"),
        ({"days": True}, "days", "is true, which is no integer as it is wanted"),
        ({"days": "3"}, "days", 'is "3", which is no integer as it is wanted'),
        ({"scale": 3}, "scale", 'is 3.0, which is none of ["", 2.0]'),
        ({"scale": 10**400}, "scale", "which is no float as it is wanted"),
        ({"is_long": 1}, "is_long", "is 1, which is no boolean as it is wanted"),
        ({"names": ["Bob", "Ann"]}, "names", "which is none of"),
        ({"names": ["Ann", 3]}, "names", "which is none of"),
        ({"corner": [1.0]}, "corner", "which is none of"),
        ({"span": {"to": "May 2"}}, "span", "which is none of"),
        ({"span": {"from": "May 1", "at": "noon"}}, "span", "which is none of"),
        ({"span": {"from": "May 1", "by": [2, 1]}}, "span", "which is none of"),
        ({"steps": [{"do": "Stop"}, {"do": "Go"}]}, "steps", "which is none of"),
        ({"steps": [{"do": "Go"}]}, "steps", "which is none of"),
        ({"steps": [3, 4]}, "steps", "which is none of"),
        ({"x": "Width"}, "x", 'is "Width", which is none of ["", "width"]'),
        ({"x": 3}, "x", 'is 3, which is none of ["", "width"]'),
        ({"town": "NYC"}, "town", "is no argument of the right call"),
    ],
    ids=str,
)
def test_refused_with_the_argument_and_the_reason(arguments, at, reason):
    found = verdict({"city": "NYC"} | arguments)
    assert (found.is_right, found.argument) == (False, at)
    assert reason in found.reason


def test_what_is_left_out_must_be_optional():
    assert str(verdict({})) == "'city' is required and was left out"
    answer = BfclAnswer("f", {"a": [1], "b": ["", 1]}, {"a": DeclaredType("integer"), "b": DeclaredType("integer")})
    assert str(answer.judge(ToolCall("f", {}, ""))) == "'a' was left out"
    assert answer.judge(ToolCall("f", {"a": 1}, "")).is_right


def test_another_tool_and_a_cut_call_are_wrong():
    assert str(verdict({"city": "NYC"}, "get_wind")) == "calls 'get_wind' in place of 'get_weather'"
    assert str(verdict(None)) == "the call was cut"
    assert str(verdict({"city": "NYC"})) == "right"


def test_plain_answers_have_the_first_value_of_each_key():
    plain = ANSWER.plain()
    assert plain["span"] == ["", {"from": "May 1", "to": "May 2", "by": [1, 2]}]
    assert plain["steps"] == ["", [{"do": "Go"}, {"do": "Stop"}]]
    assert plain["city"] == ACCEPTED["city"]


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "HashMap"}, r'a.type: expected one of string, .*found "HashMap"'),
        ({}, r"a.type: expected one of string, .*found null"),
        ({"type": "array"}, r"a.items.type: expected one of"),
    ],
)
def test_types_that_are_not_pythons_are_refused(schema, problem):
    function = {"parameters": {"properties": {"a": schema}, "required": []}}
    with pytest.raises(InputError, match=problem):
        read_bfcl_answer(function, "f", {"a": [1]})


# Beside BFCL's own checker.

CHECKER = load_checker()
MUTANTS_PER_ROW = 12


def rows_of(name):
    folder = find_bfcl()
    truths = {row["id"]: row["ground_truth"] for row in lines(folder / "possible_answer" / f"BFCL_v4_{name}.json")}
    for row in lines(folder / f"BFCL_v4_{name}.json"):
        (truth,) = truths[row["id"]]
        yield row, truth


def lines(path):
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def accepted_arguments(accepted, plain) -> Iterator[dict]:
    """Arguments in every accepted value, each with the other arguments' first ones; then all optional ones left out."""
    first = {name: next((value for value in values if value != ""), "") for name, values in plain.items()}
    first = {name: value for name, value in first.items() if value != ""}
    yield first
    for name, values in accepted.items():
        for value in values:
            for choice in choices(value):
                yield first | {name: choice}
    yield {name: value for name, value in first.items() if "" not in accepted[name]}


def choices(value):
    """An accepted value as models could write it: an object with each of its keys' values in turn."""
    if isinstance(value, dict):
        plain = {key: options[0] for key, options in value.items() if isinstance(options, list) and options}
        yield plain
        for key, options in value.items():
            for option in options:
                yield plain | {key: option}
            yield {other: item for other, item in plain.items() if other != key}
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for index, item in enumerate(value):
            for choice in choices(item):
                before = [next(choices(other)) for other in value]
                yield [*before[:index], choice, *before[index + 1 :]]
    else:
        yield value


def mutated(arguments, rng):
    """Arguments with one thing changed: dropped, added, renamed, or a value mutated."""
    arguments = copy.deepcopy(arguments)
    kind = rng.choice(("drop", "add", "rename", *["value"] * 9))
    name = rng.choice(list(arguments)) if arguments else None
    if kind == "add" or name is None:
        return arguments | {"never_declared": 1}
    if kind == "drop":
        del arguments[name]
    elif kind == "rename":
        arguments[name + rng.choice("_s")] = arguments.pop(name)
    else:
        arguments[name] = mutant(arguments[name], rng)
    return arguments


def mutant(value, rng):
    """Another value: of another type, or alike in a way that may or may not count."""
    if rng.random() < 0.15:
        return rng.choice([None, True, 0, 1.5, "", "x", [], [value], {}, {"x": value}, str(value)])
    if isinstance(value, str):
        return mutant_text(value, rng)
    if isinstance(value, bool):
        return rng.choice([not value, int(value), str(value), str(value).lower()])
    if isinstance(value, int | float):
        return rng.choice(
            [value + 1, -value, float(value), int(value), value + 0.5, value * 1e3, str(value), value + 0]
        )
    if isinstance(value, list) and value:
        return mutant_list(value, rng)
    if isinstance(value, dict) and value:
        return mutated(value, rng)
    return rng.choice([None, "x", ["x"], {"x": 1}])


def mutant_text(text, rng):
    at = rng.randrange(len(text) + 1)
    return rng.choice(
        [
            text.upper(),
            text.swapcase(),
            f" {text} ",
            text[:at] + rng.choice(" ,./-_*^'\"!:éß\n") + text[at:],
            text.replace(" ", "").replace(",", ""),
            text.replace("'", '"'),
            text[:at] + text[at + 1 :],
            text + "s",
        ]
    )


def mutant_list(items, rng):
    at = rng.randrange(len(items))
    return rng.choice(
        [
            items[::-1],
            rng.sample(items, len(items)),
            items[:at] + items[at + 1 :],
            [*items, items[at]],
            [*items[:at], mutant(items[at], rng), *items[at + 1 :]],
            [*items[:at], mutant(items[at], rng), *items[at + 1 :]],
        ]
    )


def theirs(row, name, truth, tool, arguments):
    """What BFCL's checker says; where it fails, no call is right."""
    try:
        return CHECKER(row, name, truth, {tool: copy.deepcopy(arguments)})
    except (TypeError, AttributeError, KeyError, IndexError):
        return None


def answer_of(row, truth):
    ((tool, accepted),) = truth.items()
    function = next(function for function in row["function"] if function["name"] == tool)
    return read_bfcl_answer(function, tool, accepted)


@pytest.mark.skipif(CHECKER is None, reason="bfcl-eval is not installed")
@pytest.mark.parametrize("name", SINGLE_CALL_FILES)
def test_ours_agrees_with_bfcls_checker(name):
    said, number, disagreeing = Counter(), count(), []
    for row, truth in rows_of(name):
        answer = answer_of(row, truth)
        rng = random.Random(f"mutants of {row['id']}")
        written = list(accepted_arguments(answer.accepted, answer.plain()))
        mutants = [mutated(rng.choice(written), rng) for _ in range(MUTANTS_PER_ROW)]
        for kind, many in (("written", written), ("mutant", mutants)):
            for arguments in many:
                next(number)
                ours = answer.judge(ToolCall(answer.tool_name, arguments, "")).is_right
                other = theirs(row, name, truth, answer.tool_name, arguments)
                said[kind, other] += 1
                if ours != bool(other):
                    disagreeing.append((row["id"], arguments, ours))
    assert disagreeing == []
    # Both verdicts are met often, and the checker seldom fails.
    assert said["written", True] > 300
    assert said["mutant", True] > 300
    assert said["mutant", False] > 1000
    assert said["written", None] + said["mutant", None] < 0.01 * next(number)


@pytest.mark.skipif(CHECKER is None, reason="bfcl-eval is not installed")
def test_ours_agrees_with_bfcls_checker_on_another_tool():
    for row, truth in rows_of("multiple"):
        answer = answer_of(row, truth)
        arguments = next(accepted_arguments(answer.accepted, answer.plain()))
        for function in row["function"]:
            call = ToolCall(function["name"], arguments, "")
            ours = answer.judge(call).is_right
            assert ours == theirs(row, "multiple", truth, call.name, arguments) == (call.name == answer.tool_name)
