"""The tools that a command offers: overrides, refusals and what is said of them."""

import json
from pathlib import Path

import pytest

from engine.errors import InputError, ToolError
from engine.tools import Tool
from studies.offered_tools import override_read_only, read_offered, tell_changed, tell_refused, without

TOOLS = (Tool("get", "", {}, True, (), "annotation"), Tool("put", "", {}), Tool("frob", "", {}))
BROKEN = ToolError("put", "$.parameters", "cannot be compiled")


def decisions(tools):
    return [(tool.read_only, tool.read_only_rule) for tool in tools]


@pytest.mark.parametrize(
    ("read_only", "not_read_only", "expected"),
    [
        ([], [], [(True, "annotation"), (False, "default"), (False, "default")]),
        (["put"], [], [(True, "annotation"), (True, "override"), (False, "default")]),
        (["put", "put"], ["get"], [(False, "override"), (True, "override"), (False, "default")]),
        (["get"], ["frob"], [(True, "override"), (False, "default"), (False, "override")]),
    ],
)
def test_a_flag_of_the_command_line_wins(read_only, not_read_only, expected):
    assert decisions(override_read_only(TOOLS, read_only, not_read_only)) == expected


@pytest.mark.parametrize(
    ("read_only", "not_read_only", "message"),
    [
        (["gett"], [], "no tool is called 'gett'; there are frob, get, put"),
        ([], ["Get"], "no tool is called 'Get'; there are frob, get, put"),
        (["get", "put"], ["put"], "both read-only and not: put"),
    ],
)
def test_a_flag_for_no_tool_or_against_another_is_refused(read_only, not_read_only, message):
    with pytest.raises(InputError, match=f"^{message}$"):
        override_read_only(TOOLS, read_only, not_read_only)


def test_a_file_is_read_with_its_refusals_and_overrides(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([{"name": "get", "parameters": {}}, {"name": "put", "parameters": []}]))
    read = read_offered(path, [], ["get"], strict=False)
    assert decisions(read.tools) == [(False, "override")]
    assert [error.tool for error in read.refused] == ["put"]
    with pytest.raises(InputError, match=r"^[^:]*tools\.json: tool 'put'"):
        read_offered(path, [], [], strict=True)


def test_a_tool_that_had_to_be_changed_is_refused_strictly_with_its_file(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([{"name": "get", "parameters": {"type": "dict", "properties": {}}}]))
    with pytest.raises(InputError, match=r"^[^:]*tools\.json: tool 'get': \$\.parameters\.type: only usable with"):
        read_offered(path, [], [], strict=True)


@pytest.mark.parametrize("content", [None, b"\xff"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, content):
    path = tmp_path / "tools.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"tools\.json: cannot be read"):
        read_offered(path, [], [], strict=False)


def test_broken_tools_leave_the_others():
    assert [tool.name for tool in without(TOOLS, [BROKEN], Path("x.json"), strict=False)] == ["get", "frob"]


@pytest.mark.parametrize(
    ("tools", "broken", "strict", "message"),
    [
        (TOOLS, [BROKEN], True, r"^x\.json: tool 'put': \$\.parameters: cannot be compiled$"),
        (TOOLS[1:2], [BROKEN], False, r"^x\.json: tool 'put': \$\.parameters: cannot be compiled$"),
        (TOOLS[:2], [BROKEN, ToolError("get", "$", "p")], False, r"^x\.json: none of the 2 tools can be used:\n  tool"),
    ],
)
def test_broken_tools_are_an_error_where_none_may_go_or_none_is_left(tools, broken, strict, message):
    with pytest.raises(InputError, match=message):
        without(tools, broken, Path("x.json"), strict)


def test_refusals_are_warnings_and_lines_for_programs(capsys):
    tell_refused([BROKEN], as_json=False)
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "warning: left out: tool 'put': $.parameters: cannot be compiled\n")
    tell_refused([BROKEN], as_json=True)
    line = {"refused": {"tool": "put", "path": "$.parameters", "problem": "cannot be compiled"}}
    assert json.loads(capsys.readouterr().out) == line


def test_changes_are_announced_by_name(capsys):
    changed = [Tool(f"t{number}", "", {}, changes=("$: x",)) for number in range(6)]
    tell_changed([*TOOLS, *changed], Path("x.json"))
    assert capsys.readouterr().err == (
        "warning: x.json: 6 of 9 tools were changed to be usable (t0, t1, t2, t3, t4, ...); --stats says how\n"
    )
    tell_changed(TOOLS, Path("x.json"))
    assert capsys.readouterr().err == ""
