"""DroidCall's calls as a workload."""

import json

import pytest

from engine.calls import ToolCall
from engine.errors import InputError
from sim.droidcall import TOOLS_ON_OFFER, draw, read_droidcall


def definition(name, **arguments):
    return {"name": name, "description": f"Does {name}.", "arguments": arguments}


HOUR = {"type": "int", "required": True}
MESSAGE = {"type": "str", "required": False, "default": ""}
ALARM = definition("set_alarm", hour=HOUR, message=MESSAGE)
FUNCTIONS = [ALARM, *(definition(f"f{n}", x={"type": "str", "required": True}) for n in range(6))]


def row(**changes):
    answer = {"id": 0, "name": "set_alarm", "arguments": {"hour": 7}}
    return {"query": "Wake me at 7.", "answers": [answer], "tools": [ALARM]} | changes


def write(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def test_file(tmp_path):
    return write(tmp_path / "test.jsonl", [row()])


def test_a_row_becomes_a_call_with_its_tool_and_answer(test_file):
    (call,) = read_droidcall(test_file, seed=0)
    assert (call.call_id, call.tool_name) == ("droidcall_1", "set_alarm")
    assert call.messages == ({"role": "user", "content": "Wake me at 7."},)
    assert (call.accepted, call.argument_count) == ({"hour": [7]}, 1)
    assert [tool.name for tool in call.tools] == ["set_alarm"]
    assert call.judge(ToolCall("set_alarm", {"hour": 7, "message": ""}, "")).is_right
    assert call.judge(ToolCall("set_alarm", {"hour": 7, "message": "Up!"}, "")).argument == "message"


def test_rows_of_several_calls_are_left_out_and_ids_are_lines(tmp_path):
    two = row(answers=row()["answers"] * 2)
    path = write(tmp_path / "test.jsonl", [two, row(), two, row()])
    assert [call.call_id for call in read_droidcall(path, 0)] == ["droidcall_2", "droidcall_4"]
    with pytest.raises(InputError, match="no row with exactly one call"):
        read_droidcall(write(path, [two]), 0)


def test_other_tools_are_drawn_from_the_file_beside_it_or_from_a_named_one(tmp_path, test_file):
    write(tmp_path / "api.jsonl", FUNCTIONS)
    named = write(tmp_path / "few.jsonl", FUNCTIONS[:2])
    drawn = [[tool.name for tool in read_droidcall(test_file, seed)[0].tools] for seed in range(20)]
    assert all(len(set(names)) == TOOLS_ON_OFFER and "set_alarm" in names for names in drawn)
    assert {name for names in drawn for name in names} == {tool["name"] for tool in FUNCTIONS}
    # The right tool has no place of its own.
    assert len({names.index("set_alarm") for names in drawn}) == TOOLS_ON_OFFER
    assert [tool.name for tool in read_droidcall(test_file, 3)[0].tools] == drawn[3]
    assert {tool.name for tool in read_droidcall(test_file, 0, named)[0].tools} == {"set_alarm", "f0"}


def test_a_calls_tools_do_not_depend_on_the_other_rows(tmp_path, test_file):
    write(tmp_path / "api.jsonl", FUNCTIONS)
    more = write(tmp_path / "more.jsonl", [row(), row(query="And at 8.")])
    assert read_droidcall(more, 5)[0].tools == read_droidcall(test_file, 5)[0].tools


def test_a_draw_is_repeatable_and_keeps_the_order(tmp_path):
    calls = read_droidcall(write(tmp_path / "test.jsonl", [row(query=f"Wake me at {n}.") for n in range(9)]), 0)
    chosen = draw(calls, 4, seed=1)
    assert draw(calls, 4, 1) == chosen
    assert list(chosen) == [call for call in calls if call in chosen]
    assert {draw(calls, 1, seed)[0].call_id for seed in range(60)} == {call.call_id for call in calls}
    assert draw(calls, 9, 1) == calls
    with pytest.raises(InputError, match="has only 9 calls; 10 were asked for"):
        draw(calls, 10, 1)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"query": ""}, r'line 2: \$.query: expected the user\'s words, found ""'),
        ({"answers": []}, r"line 2: \$.answers: expected a list of objects, found \[\]"),
        ({"answers": None}, r"line 2: \$.answers: expected a list of objects, found null"),
        ({"tools": [3]}, r"line 2: \$.tools: expected a list of objects, found \[3\]"),
        ({"tools": [FUNCTIONS[1]]}, r'line 2: \$.answers\[0\].name: expected one of f0, found "set_alarm"'),
        ({"answers": [{"name": "set_alarm", "arguments": []}]}, r"line 2: \$.answers\[0\].arguments: expected an obj"),
        (
            {"tools": [definition("set_alarm", hour={"type": "frob"})]},
            r"tool 'set_alarm': line 2: \$.tools\[0\].arguments.hour.type: ",
        ),
    ],
)
def test_a_damaged_row_is_named_with_file_line_and_path(tmp_path, changes, problem):
    path = write(tmp_path / "test.jsonl", [row(), row(**changes)])
    with pytest.raises(InputError, match=rf"test\.jsonl: {problem}"):
        read_droidcall(path, 0)


def test_damaged_files_are_named(tmp_path, test_file):
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read"):
        read_droidcall(tmp_path / "none.jsonl", 0)
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read"):
        read_droidcall(test_file, 0, tmp_path / "none.jsonl")
    (tmp_path / "api.jsonl").write_text('{"name": "x", "arguments": 3}\n')
    with pytest.raises(InputError, match=r"api\.jsonl: tool 'x': line 1: \$.arguments: expected an object"):
        read_droidcall(test_file, 0)
    (tmp_path / "api.jsonl").unlink()
    for text, problem in (("{", "line 1: no JSON"), ("3", "line 1: expected an object, found 3")):
        test_file.write_text(text)
        with pytest.raises(InputError, match=rf"test\.jsonl: {problem}"):
            read_droidcall(test_file, 0)
