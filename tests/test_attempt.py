"""Drafts laid out for a pass: which rows ask for a pick, and what the picks make of them."""

from types import SimpleNamespace

import pytest
from toy_vocabulary import byte_vocabulary

from engine.attempt import attempt
from engine.commands import Row
from engine.formats import QWEN
from engine.tools import Tool
from engine.toolset import Toolset

BYTES = byte_vocabulary()
TOOL = Tool(
    "get", "", {"properties": {"a": {"enum": ["xab", "xcd", "y"]}, "o": {"type": "boolean"}}, "required": ["a"]}
)
BEFORE = QWEN.head("get") + QWEN.lead("a", is_first=True)


def behind(text: str):
    """The constraint of a call whose value of `a` reads `text` so far."""
    constraint = Toolset((TOOL,), QWEN, BYTES).call_constraint()
    constraint.advance_all(BYTES.encode(BEFORE + text))
    return constraint


def try_out(text: str, draft: str, room: int = 100):
    return attempt(behind(text), BYTES.encode(draft), room)


class Picks:
    """A readout that picks given characters, by row."""

    def __init__(self, **picks: str) -> None:
        self._picks = {int(row.removeprefix("row")): text for row, text in picks.items()}
        self.asked: list[int] = []

    def pick(self, row, rule):
        self.asked.append(row)
        return ord(self._picks[row])


@pytest.mark.parametrize(
    ("text", "draft", "room", "taken"),
    [
        ('"', "xab", 100, "xab"),
        ('"', "xab", 2, "xa"),
        ('"', "xab", 0, ""),
        ('"', "xad", 100, "xa"),
        ('"', "zab", 100, ""),
        ('"', "", 100, ""),
        ('"', 'xab"}}\n</tool_call>', 100, 'xab"}}\n</tool_call>'),
        # Behind the end of the call nothing can follow.
        ('"', 'xab"}}\n</tool_call>}', 100, 'xab"}}\n</tool_call>'),
    ],
)
def test_as_much_of_a_draft_is_laid_out_as_is_allowed_and_as_there_is_room_for(text, draft, room, taken):
    tried = try_out(text, draft, room)
    assert BYTES.decode(tried.tokens).decode() == taken
    assert len(tried.states) == len(tried.tokens) + 1


def test_laying_out_leaves_the_constraint_where_it_is():
    constraint = behind('"')
    attempt(constraint, BYTES.encode("xab"), 9)
    assert [text for text in "xyz" if constraint.allows(ord(text))] == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "draft", "wants"),
    [
        # The first letter is a choice, so is the one behind x; b and the quote are forced, and what follows is open.
        ('"', 'xab"', [True, True, False, False, True]),
        ('"', "x", [True, True]),
        ('"', "xa", [True, True, False]),
        ('"x', "", [True]),
        ('"xa', "b", [False, False]),
        # At its end the call wants nothing.
        ('"y"}', "}\n</tool_call>", [False] * 15),
    ],
)
def test_only_what_is_open_wants_a_pick(text, draft, wants):
    tried = try_out(text, draft)
    assert [tried.wants_pick(number) for number in range(len(wants))] == wants
    assert len(wants) == len(tried.tokens) + 1


def test_rows_stand_one_behind_the_other_and_ask_for_the_pick_behind_them():
    x, a, b = BYTES.encode("xab")
    rows = try_out('"', "xab").rows(start=40, sequence=3)
    assert rows == (Row(x, 40, (3,), True), Row(a, 41, (3,), False), Row(b, 42, (3,), False))


@pytest.mark.parametrize(
    ("draft", "picks", "agreed", "asked"),
    [
        # Row 10 stands before the draft.
        ('xab"', {"row10": "x", "row11": "a", "row14": ","}, 'xab",', [10, 11, 14]),
        ('xab"', {"row10": "x", "row11": "c"}, "xc", [10, 11]),
        ('xab"', {"row10": "y"}, "y", [10]),
        ("x", {"row10": "x", "row11": "c"}, "xc", [10, 11]),
        ("xa", {"row10": "x", "row11": "a"}, "xa", [10, 11]),
        ("", {"row10": "x"}, "x", [10]),
        ('y"}}\n</tool_call>', {"row10": "y", "row12": "}"}, 'y"}}\n</tool_call>', [10, 12]),
    ],
)
def test_what_the_picks_bear_out_is_taken_and_the_first_that_differs_or_goes_on(draft, picks, agreed, asked):
    constraint, readout = behind('"'), Picks(**picks)
    tokens = attempt(constraint, BYTES.encode(draft), 100).check(readout, 10, constraint)
    assert BYTES.decode(tokens).decode() == agreed
    assert readout.asked == asked
    assert constraint.is_finished == agreed.endswith("</tool_call>")
    if not constraint.is_finished:
        again = behind('"' + agreed)
        assert constraint.forced() == again.forced()
        assert [constraint.allows(token) for token in range(256)] == [again.allows(token) for token in range(256)]


def test_each_pick_is_asked_for_with_what_may_stand_there():
    allowed = []

    def pick(row, rule):
        allowed.append({chr(token) for token in range(256) if rule.allows(token)})
        return ord("x" if row == 0 else "c")

    constraint = behind('"')
    attempt(constraint, BYTES.encode("xab"), 9).check(SimpleNamespace(pick=pick), 0, constraint)
    assert allowed == [{"x", "y"}, {"a", "c"}]
