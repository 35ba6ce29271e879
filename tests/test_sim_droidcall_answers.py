"""Which calls DroidCall's evaluation accepts."""

import pytest

from engine.calls import ToolCall
from sim.droidcall_answers import DroidCallAnswer

DECLARED = ("hour", "message", "days", "ringtone", "vibrate", "skip", "info", "level")
DEFAULTS = {"message": "", "days": None, "ringtone": None, "vibrate": False, "skip": True}


def verdict(arguments, answer, required=("hour",), name="set_alarm"):
    return DroidCallAnswer("set_alarm", answer, DECLARED, required, DEFAULTS).judge(ToolCall(name, arguments, ""))


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({}, {}),
        ({"message": " Wake UP\n"}, {"message": "wake up"}),
        # Defaults stand in, on either side.
        ({"message": "", "skip": True}, {}),
        ({}, {"vibrate": False, "skip": True, "days": None}),
        ({"ringtone": "None"}, {}),
        ({"days": None}, {"days": " none "}),
        # Lists have no order, and counts inside them do not matter as long as the lengths are the same.
        ({"days": ["Friday", "MONDAY"]}, {"days": ["Monday", "Friday"]}),
        ({"days": ["a", "b", "b"]}, {"days": ["a", "a", "b"]}),
        ({"info": {"phone": "1", "name": "Ann"}}, {"info": {"name": "ann", "phone": "1"}}),
        ({"info": {"names": ["a", {"b": 1}]}}, {"info": {"names": [{"b": 1}, "a"]}}),
        ({"level": 1.5}, {"level": 1.5}),
        ({"undeclared": 1}, {}),
        ({}, {"undeclared": 1}),
    ],
    ids=str,
)
def test_accepted(arguments, answer):
    assert verdict({"hour": 7} | arguments, {"hour": 7} | answer).is_right


@pytest.mark.parametrize(
    ("arguments", "answer", "at", "reason"),
    [
        ({"hour": 8}, {}, "hour", "is 8, which is not 7"),
        ({"hour": 7.0}, {}, "hour", "is 7.0, which is not 7"),
        ({"hour": "7"}, {}, "hour", 'is "7", which is not 7'),
        ({"vibrate": 0}, {}, "vibrate", "is 0, which is not false"),
        ({"message": "Wake up!"}, {"message": "Wake up"}, "message", 'is "Wake up!", which is not "Wake up"'),
        ({}, {"message": "Wake up"}, "message", 'is "", which is not "Wake up"'),
        ({"message": "Wake up"}, {}, "message", 'is "Wake up", which is not ""'),
        ({"skip": False}, {}, "skip", "is false, which is not true"),
        ({"message": "none"}, {}, "message", 'is "none", which is not ""'),
        ({"days": ["Monday"]}, {"days": ["Monday", "Monday"]}, "days", "which is not"),
        ({"days": ["a", "b", "c"]}, {"days": ["a", "b", "b"]}, "days", "which is not"),
        ({"days": ["a", "b", "b"]}, {"days": ["a", "b", "c"]}, "days", "which is not"),
        ({"days": []}, {}, "days", "is [], which is not null"),
        ({"info": {"name": "Ann"}}, {"info": {"name": "Ann", "phone": "1"}}, "info", "which is not"),
        ({"info": {"name": "Ann", "phone": "1"}}, {"info": {"name": "Ann"}}, "info", "which is not"),
        ({"info": {"name": "Bob"}}, {"info": {"name": "Ann"}}, "info", "which is not"),
        ({"info": {"tel": "1"}}, {"info": {"phone": "1"}}, "info", "which is not"),
    ],
    ids=str,
)
def test_refused_with_the_argument_and_the_reason(arguments, answer, at, reason):
    found = verdict({"hour": 7} | arguments, {"hour": 7} | answer)
    assert (found.is_right, found.argument) == (False, at)
    assert reason in found.reason


def test_a_required_argument_that_the_answer_lacks_is_never_right():
    assert str(verdict({"hour": 7}, {})) == "'hour' is required, but the answer lacks it"
    assert verdict({}, {}).is_right


def test_another_tool_and_a_cut_call_are_wrong():
    assert str(verdict({}, {}, (), "get_alarm")) == "calls 'get_alarm' in place of 'set_alarm'"
    assert str(verdict(None, {})) == "the call was cut"
