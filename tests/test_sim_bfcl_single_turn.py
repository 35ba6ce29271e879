"""BFCL's single-turn rows with an accepted answer, as the paper counts them."""

from statistics import fmean

import pytest

from engine.errors import InputError
from sim.bfcl import SINGLE_CALL_FILES, find_bfcl, read_bfcl
from sim.bfcl_single_turn import OTHER_FILES, read_single_turn
from tests.test_sim_bfcl import answer, row, write


@pytest.fixture
def folder(tmp_path):
    """BFCL's data without a row."""
    for name in (*SINGLE_CALL_FILES, *OTHER_FILES):
        write(tmp_path, [], [], name)
    return tmp_path


def test_rows_of_every_file_are_there_and_those_without_an_answer_are_not(folder):
    for number, name in enumerate((*SINGLE_CALL_FILES, *OTHER_FILES)):
        write(folder, [row(number, "a"), row(100 + number, "a")], [answer(number, "a")], name)
    calls = read_single_turn(folder)
    assert [call.call_id for call in calls] == [f"c{number}" for number in range(10)]
    assert [call.judge is None for call in calls] == [False] * 4 + [True] * 6


def test_of_several_calls_the_first_is_taken(folder):
    truths = {"id": "c1", "ground_truth": [{"get_x": {"a": [5]}}, {"get_x": {"a": [6]}}]}
    write(folder, [row(1, "a")], [truths], "parallel")
    (call,) = read_single_turn(folder)
    assert (call.tool_name, call.answer, call.messages[0]["content"]) == ("get_x", {"a": 5}, "call 1")


def test_values_are_written_as_the_answer_has_them(folder):
    accepted = {
        "a": [{"limit": [50, 60], "name": ["x"], "off": [""]}],
        "b": [["p", "q"], ["r"]],
        "c": [[{"k": [1]}, {"k": [2]}]],
        "d": ["new Foo()", "foo"],
        "o": ["", True],
    }
    write(folder, [row(1, "abcdo")], [{"id": "c1", "ground_truth": [{"get_x": accepted}]}], "simple_java")
    (call,) = read_single_turn(folder)
    firsts = {"a": {"limit": 50, "name": "x"}, "b": ["p", "q"], "c": [{"k": 1}, {"k": 2}], "d": "new Foo()", "o": True}
    assert call.answer == firsts


def test_an_answer_that_calls_no_tool_of_its_row_is_named_by_file_and_line(folder):
    write(folder, [row(1, "a"), row(2, "a")], [answer(1, "a"), answer(2, "a", name="other")], "live_parallel")
    with pytest.raises(InputError, match=r"live_parallel\.json: line 2: the answer calls 'other', but the tools are"):
        read_single_turn(folder)


def test_a_missing_file_is_named(folder):
    (folder / "BFCL_v4_parallel.json").unlink()
    with pytest.raises(InputError, match=r"BFCL_v4_parallel\.json: cannot be read"):
        read_single_turn(folder)


def test_the_installed_data_has_the_papers_samples():
    """Section 7: 2,501 single-turn samples across 991 tools, with up to 9 arguments and 2.4 on average."""
    calls = read_single_turn(find_bfcl())
    assert len(calls) == len({call.call_id for call in calls}) == 2501
    assert calls[: len(read_bfcl(find_bfcl()))] == read_bfcl(find_bfcl())
    assert len({call.tool_name for call in calls}) == 991
    arguments = [call.argument_count for call in calls]
    assert max(arguments) == 9
    assert round(fmean(arguments), 1) == 2.4
