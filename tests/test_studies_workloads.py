"""Workloads by name, and whether their accepted answers are right by their own rules."""

import json
import re
from dataclasses import replace

import pytest

from engine.calls import ToolCall
from engine.errors import InputError
from sim.bfcl import find_bfcl, read_bfcl
from studies.workloads import MOST_TOOL_CHARACTERS, load_workload


@pytest.fixture
def droidcall(tmp_path):
    tool = {"name": "dial", "description": "", "arguments": {"number": {"type": "str", "required": True}}}
    rows = [
        {"query": f"Dial {n}", "answers": [{"name": "dial", "arguments": {"number": str(n)}}], "tools": [tool]}
        for n in range(5)
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "functions.jsonl").write_text(json.dumps(tool | {"name": "hang_up"}))
    return path


@pytest.mark.parametrize(("suffix", "calls", "tools"), [("", 5, 1), (":2", 2, 1), (",{api}", 5, 2), (",{api}:3", 3, 2)])
def test_droidcall_is_named_by_its_files_and_a_number(droidcall, suffix, calls, tools):
    name = f"droidcall:{droidcall}{suffix.format(api=droidcall.parent / 'functions.jsonl')}"
    workload = load_workload(name, seed=0)
    assert len(workload) == calls
    assert {len(call.tools) for call in workload} == {tools}
    assert load_workload(name, seed=0) == workload


def test_a_path_with_a_colon_is_a_path(droidcall):
    moved = droidcall.rename(droidcall.parent / "a:b.jsonl")
    assert len(load_workload(f"droidcall:{moved}", 0)) == 5
    assert len(load_workload(f"droidcall:{moved}:4", 0)) == 4


@pytest.mark.parametrize(
    "name",
    [
        *("imagenet", "bfcl", "bfcl:", "bfcl:0", "bfcl:-1", "bfcl:two", "bfcl:all:2", "droidcall", "droidcall:"),
        *("bfcl+read-only", "bfcl:two+read-only", "bfcl:2+read-only+read-only", "+read-only", "droidcall:+read-only"),
    ],
)
def test_other_names_are_refused_with_those_there_are(name):
    with pytest.raises(
        InputError, match=rf"unknown workload '{re.escape(name)}'; expected bfcl:N .* or droidcall:FILE"
    ):
        load_workload(name, 0)


@pytest.mark.parametrize("name", ["bfcl:12", "droidcall:{file}", "droidcall:{file}:2"])
def test_read_only_behind_a_name_changes_that_of_every_tool_and_nothing_else(droidcall, name):
    name = name.format(file=droidcall)
    plain, read_only = load_workload(name, 0), load_workload(f"{name}+read-only", 0)
    assert not all(tool.read_only for call in plain for tool in call.tools)
    assert {(t.read_only, t.read_only_rule) for call in read_only for t in call.tools} == {(True, "override")}
    assert [replace(call, tools=plain[n].tools) for n, call in enumerate(read_only)] == list(plain)
    assert [[t.as_openai() for t in call.tools] for call in read_only] == [
        [t.as_openai() for t in call.tools] for call in plain
    ]


def test_optional_behind_a_name_adds_one_optional_argument_where_an_answer_allows_it():
    plain = {call.call_id: call for call in load_workload("bfcl:40", 0)}
    more = load_workload("bfcl:40+optional", 0)
    assert 0 < len(more) < len(plain)
    for call in more:
        before = plain[call.call_id]
        (added,) = set(call.answer) - set(before.answer)
        assert added in call.tool.optional
        assert "" in before.accepted[added]
        assert call.answer[added] in before.accepted[added]
        assert call.answer == before.answer | {added: call.answer[added]}
        assert replace(call, accepted=before.accepted) == before
    without = [call for call in plain.values() if call.call_id not in {each.call_id for each in more}]
    assert all(call.with_an_optional_argument() is None for call in without)


def test_both_ends_of_a_name_go_together():
    both = load_workload("bfcl:40+optional+read-only", 0)
    assert [call.answer for call in both] == [call.answer for call in load_workload("bfcl:40+optional", 0)]
    assert {tool.read_only for call in both for tool in call.tools} == {True}
    with pytest.raises(InputError, match="unknown workload"):
        load_workload("bfcl:40+read-only+optional", 0)


def test_all_of_bfcl_has_every_call_of_a_sample_and_longer_ones():
    every, sample = load_workload("bfcl:all", 0), load_workload("bfcl:100", 0)
    assert load_workload("bfcl:all", 7) == every
    by_id = {call.call_id: call for call in every}
    assert [by_id[call.call_id] for call in sample] == list(sample)
    lengths = [len(json.dumps([tool.as_openai() for tool in call.tools])) for call in every]
    assert max(lengths) > MOST_TOOL_CHARACTERS
    assert {tool.read_only for call in load_workload("bfcl:all+read-only", 0) for tool in call.tools} == {True}


def test_more_calls_than_there_are_and_a_missing_file_are_refused(droidcall):
    with pytest.raises(InputError, match="has only 5 calls; 6 were asked for"):
        load_workload(f"droidcall:{droidcall}:6", 0)
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read"):
        load_workload("droidcall:none.jsonl:6", 0)


def written(call):
    return call.answer


def is_right(call):
    return call.judge(ToolCall(call.tool_name, written(call), "")).is_right


def test_what_the_model_is_taken_to_write_is_right(droidcall):
    assert all(map(is_right, load_workload(f"droidcall:{droidcall}", 0)))
    # No call of these can be right: the answer lacks a required argument, or has one that the tool does not declare.
    impossible = ["live_simple_106-63-0", "live_simple_112-68-0", "live_multiple_862-181-3", "live_multiple_964-207-0"]
    assert [call.call_id for call in read_bfcl(find_bfcl()) if not is_right(call)] == impossible
