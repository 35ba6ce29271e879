"""Whether DroidCall accepts a call: the rules of its own evaluation.

They are those of `result_checker.py` in github.com/UbiquitousLearning/DroidCall, written anew; a call is right where
the share of right arguments, its "soft accuracy", is 1, which is what its "accuracy" counts:

* An argument that the tool declares is right where it is neither in the call nor in the answer, or where its value
  in the call and in the answer are the same, the declared default standing in for what is absent. A required argument
  that the answer lacks is never right. Arguments that the tool does not declare count for nothing.
* Values have the same type, to the letter: 1 is no 1.0. Texts are the same without case and blanks around them; null
  and "none" in any case are the same; objects have the same keys; lists have as many items, and each has a like in
  the other, whatever the order.

Left out, or other than there:
* DroidCall lets a language model mark some arguments as "semantic" (a title, the words of a search) and compares
  their texts by BERTScore, F1 above 0.85. The marks are not in the data set, and the score needs a model of its own.
  Here they are compared as all others, so a share of right calls is a lower bound of DroidCall's accuracy.
* There, a tool that declares no argument counts as right even where another tool was called. Here it is wrong.
* There, two floats are never the same. Here equal ones are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.calls import ToolCall
from engine.json_path import shown
from sim.verdict import RIGHT, Verdict, wrong


@dataclass(frozen=True, slots=True)
class DroidCallAnswer:
    """The right call of one row; `declared` has the tool's arguments, `defaults` those that declare a default."""

    tool_name: str
    arguments: Mapping[str, Any]
    declared: tuple[str, ...]
    required: tuple[str, ...]
    defaults: Mapping[str, Any]

    def judge(self, call: ToolCall) -> Verdict:
        """Whether `call` is the right one."""
        if call.arguments is None:
            return wrong("the call was cut")
        if call.name != self.tool_name:
            return wrong(f"calls {call.name!r} in place of {self.tool_name!r}")
        for name in self.declared:
            problem = self._problem(name, call.arguments)
            if problem is not None:
                return wrong(problem, name)
        return RIGHT

    def _problem(self, name: str, arguments: Mapping[str, Any]) -> str | None:
        if name not in arguments and name not in self.arguments:
            return None
        if name in self.required and name not in self.arguments:
            return "is required, but the answer lacks it"
        default = self.defaults.get(name)
        value, wanted = arguments.get(name, default), self.arguments.get(name, default)
        return None if _is_same(value, wanted) else f"is {shown(value)}, which is not {shown(wanted)}"


def _is_same(value: Any, wanted: Any) -> bool:
    if _is_none(value) and _is_none(wanted):
        return True
    if type(value) is not type(wanted):
        return False
    if isinstance(value, dict):
        return value.keys() == wanted.keys() and all(_is_same(value[key], wanted[key]) for key in value)
    if isinstance(value, list):
        return len(value) == len(wanted) and _has_likes(value, wanted) and _has_likes(wanted, value)
    if isinstance(value, str):
        return value.strip().lower() == str(wanted).strip().lower()
    return bool(value == wanted)


def _has_likes(items: Sequence[Any], others: Sequence[Any]) -> bool:
    return all(any(_is_same(item, other) for other in others) for item in items)


def _is_none(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() == "none")
