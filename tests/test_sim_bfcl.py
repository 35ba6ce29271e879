"""BFCL's calls as a workload."""

import json

import pytest
from toy_vocabulary import byte_vocabulary

from engine.errors import InputError
from engine.formats import QWEN
from engine.toolset import Toolset
from sim.bfcl import SINGLE_CALL_FILES, find_bfcl, read_bfcl, sample


def definition(name, *arguments, description=""):
    properties = {argument: {"type": "integer"} for argument in arguments}
    parameters = {"type": "dict", "properties": properties, "required": list(arguments)}
    return {"name": name, "description": description, "parameters": parameters}


def row(number, arguments, name="get_x", turns=1):
    asks = {"role": "user", "content": f"call {number}"}
    return {"id": f"c{number}", "question": [[asks]] * turns, "function": [definition(name, *arguments)]}


def answer(number, arguments, name="get_x", calls=1, **also):
    return {"id": f"c{number}", "ground_truth": [{name: {a: [1] for a in arguments} | also}] * calls}


def write(folder, rows, answers, name="x"):
    (folder / "possible_answer").mkdir(exist_ok=True)
    for path, items in ((folder, rows), (folder / "possible_answer", answers)):
        (path / f"BFCL_v4_{name}.json").write_text("\n".join(map(json.dumps, items)), encoding="utf-8")


def test_a_row_becomes_a_call_with_its_tools_and_accepted_answers(tmp_path):
    write(tmp_path, [row(1, "ab")], [answer(1, "ab", o=["", 3])])
    (call,) = read_bfcl(tmp_path, ["x"])
    assert (call.call_id, call.tool_name) == ("c1", "get_x")
    assert call.messages == ({"role": "user", "content": "call 1"},)
    assert call.accepted == {"a": [1], "b": [1], "o": ["", 3]}
    assert call.argument_count == 2
    assert [tool.parameters["type"] for tool in call.tools] == ["object"]


@pytest.mark.parametrize(("name", "read_only"), [("get_x", True), ("send_x", False)])
def test_tools_are_classified_by_their_words(tmp_path, name, read_only):
    write(tmp_path, [row(1, "a", name)], [answer(1, "a", name)])
    assert [tool.read_only for call in read_bfcl(tmp_path, ["x"]) for tool in call.tools] == [read_only]


def test_rows_of_several_calls_or_turns_or_without_an_answer_are_left_out(tmp_path):
    rows = [row(1, "a"), row(2, "a"), row(3, "a", turns=2), row(4, "a")]
    write(tmp_path, rows, [answer(1, "a", calls=2), answer(3, "a"), answer(4, "a")])
    assert [call.call_id for call in read_bfcl(tmp_path, ["x"])] == ["c4"]


def test_a_sample_is_spread_evenly_over_the_number_of_arguments(tmp_path):
    sizes = [1] * 20 + [2] * 3 + [3] * 20 + [0] * 5
    arguments = ["abc"[:size] for size in sizes]
    write(tmp_path, [row(n, a) for n, a in enumerate(arguments)], [answer(n, a) for n, a in enumerate(arguments)])
    calls = read_bfcl(tmp_path, ["x"])
    chosen = sample(calls, 9, seed=1, most_tool_characters=1000)
    assert sorted(call.argument_count for call in chosen) == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert len({call.call_id for call in chosen}) == 9
    assert sample(calls, 9, 1, 1000) == chosen
    assert sample(calls, 9, 2, 1000) != chosen
    # Where a group runs out, the others go on; calls without arguments are never drawn.
    assert len(sample(calls, 43, 1, 1000)) == 43
    with pytest.raises(InputError, match="BFCL has only 43 calls like that; 44 were asked for"):
        sample(calls, 44, 1, 1000)


def test_calls_with_long_tools_are_left_out_of_a_sample(tmp_path):
    long = row(1, "a")
    long["function"][0]["description"] = "x" * 500
    write(tmp_path, [long, row(2, "a")], [answer(1, "a"), answer(2, "a")])
    assert [call.call_id for call in sample(read_bfcl(tmp_path, ["x"]), 1, 0, 500)] == ["c2"]


def test_a_missing_or_damaged_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"BFCL_v4_x\.json: no such file"):
        read_bfcl(tmp_path, ["x"])
    write(tmp_path, [row(1, "a")], [answer(1, "a")])
    with (tmp_path / "BFCL_v4_x.json").open("a", encoding="utf-8") as file:
        file.write("\n{nope")
    with pytest.raises(InputError, match=r"BFCL_v4_x\.json: line 2: no JSON"):
        read_bfcl(tmp_path, ["x"])


def test_the_installed_data_can_be_used_whole():
    """Every tool is valid by construction, and each answer names a tool of its row."""
    calls = read_bfcl(find_bfcl(), SINGLE_CALL_FILES)
    assert len(calls) > 1500
    assert len({call.call_id for call in calls}) == len(calls)
    assert all(call.tool_name in [tool.name for tool in call.tools] for call in calls)
    assert {0, 1, 2, 3, 4, 5} <= {call.argument_count for call in calls}


def test_tools_of_the_installed_data_make_grammars():
    """Every tenth of the calls' tools: the others are of the same kinds."""
    for call in read_bfcl(find_bfcl())[::10]:
        for tool in call.tools:
            Toolset([tool], QWEN, byte_vocabulary()).compile()
