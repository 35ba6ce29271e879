"""Whether BFCL accepts a call: the rules of its AST checker for one call in Python's types.

They are those of `bfcl_eval/eval_checker/ast_eval/ast_checker.py` (PyPI `bfcl-eval` 2026.3.23), written anew:

* The name is the right tool's; every required argument is there, as is every other one that may not be left out; and
  no argument is there that the answer does not name.
* Types are exact, but a whole number will do for a float. A value of the answer's own type is taken too, and is then
  compared as it is: BFCL calls that a variable.
* Texts are compared without case, blanks and `,./-_*^`, single quotes as double ones; so are the texts directly in a
  list or an object. Deeper ones are compared as they are.
* Lists keep their order; of an object each key has values of its own, "" among which lets it be left out.

Java's and JavaScript's rows are left out, as their values are source text and no JSON. BFCL's checker fails where
values have kinds that its data has not, such as a number in an accepted list of objects; such a call is wrong here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.calls import ToolCall
from engine.errors import InputError
from engine.json_path import child, shown
from sim.verdict import RIGHT, Verdict, wrong

_PYTHON_TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "any": str,
}
_WITH_ITEMS = ("array", "tuple")
_IGNORED = re.compile(r"[ ,./\-_*^]")


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """An argument's type in BFCL's words, and that of its items where it is a list."""

    name: str
    item: str | None = None

    @property
    def is_list_of_objects(self) -> bool:
        return self.item == "dict"


@dataclass(frozen=True, slots=True)
class BfclAnswer:
    """The accepted calls of one row.

    `accepted` maps each argument to its values as the dataset writes them: an object is one of key to accepted values.
    "" among values means that the argument or key may be left out. `types` has the arguments that the tool declares.
    """

    tool_name: str
    accepted: Mapping[str, Sequence[Any]]
    types: Mapping[str, DeclaredType]
    required: tuple[str, ...] = ()

    def judge(self, call: ToolCall) -> Verdict:
        """Whether `call` is one of the accepted ones."""
        if call.arguments is None:
            return wrong("the call was cut")
        if call.name != self.tool_name:
            return wrong(f"calls {call.name!r} in place of {self.tool_name!r}")
        missing = next((name for name in self.required if name not in call.arguments), None)
        if missing is not None:
            return wrong("is required and was left out", missing)
        for name, value in call.arguments.items():
            problem = self._problem(name, value)
            if problem is not None:
                return wrong(problem, name)
        return self._judge_left_out(call.arguments)

    def plain(self) -> dict[str, list[Any]]:
        """`accepted` with each object as a model could write it: every key with its first value."""
        return {name: [self._plain(name, value) for value in values] for name, values in self.accepted.items()}

    def _judge_left_out(self, arguments: Mapping[str, Any]) -> Verdict:
        for name, values in self.accepted.items():
            if name not in arguments and "" not in values:
                return wrong("was left out", name)
        return RIGHT

    def _problem(self, name: str, value: Any) -> str | None:
        if name not in self.types or name not in self.accepted:
            return "is no argument of the right call"
        declared, accepted = self.types[name], self.accepted[name]
        value = _as_float(value) if declared.name == "float" else value
        if not _has_type(value, declared, accepted):
            return f"is {shown(value)}, which is no {declared.name} as it is wanted"
        if not _is_accepted(value, declared, accepted):
            return f"is {shown(value)}, which is none of {shown(accepted)}"
        return None

    def _plain(self, name: str, value: Any) -> Any:
        declared = self.types.get(name)
        if declared is None:
            return value
        if declared.name == "dict":
            return _plain_object(value)
        if declared.is_list_of_objects and isinstance(value, list):
            return [_plain_object(item) for item in value]
        return value


def read_bfcl_answer(function: Mapping[str, Any], tool_name: str, accepted: Mapping[str, Sequence[Any]]) -> BfclAnswer:
    """The answer of a row whose right tool is `function`; raises InputError on a type that is none of BFCL's Python."""
    parameters = function["parameters"]
    types = {name: _declared(name, schema) for name, schema in parameters["properties"].items() if name in accepted}
    return BfclAnswer(tool_name, accepted, types, tuple(parameters.get("required", ())))


def _declared(name: str, schema: Mapping[str, Any]) -> DeclaredType:
    path = child("$.parameters.properties", name)
    type_name = _known(schema.get("type"), f"{path}.type")
    if type_name not in _WITH_ITEMS:
        return DeclaredType(type_name)
    return DeclaredType(type_name, _known(schema.get("items", {}).get("type"), f"{path}.items.type"))


def _known(type_name: Any, path: str) -> str:
    if type_name not in _PYTHON_TYPES:
        raise InputError(f"{path}: expected one of {', '.join(_PYTHON_TYPES)}, found {shown(type_name)}")
    return str(type_name)


def _as_float(value: Any) -> Any:
    if type(value) is not int:
        return value
    try:
        return float(value)
    except OverflowError:
        return value


def _has_type(value: Any, declared: DeclaredType, accepted: Sequence[Any]) -> bool:
    """Whether the value has the declared type or the accepted values' own."""
    if declared.item is not None and isinstance(value, list):
        return _items_have_type(value, _PYTHON_TYPES[declared.item], accepted)
    return type(value) in (_PYTHON_TYPES[declared.name], _own_type(accepted))


def _items_have_type(items: Sequence[Any], wanted: type, accepted: Sequence[Any]) -> bool:
    return any(
        not isinstance(values, list) or all(type(item) in (wanted, _own_type(values)) for item in items)
        for values in accepted
    )


def _own_type(accepted: Sequence[Any]) -> type | None:
    return next((type(value) for value in accepted if value != ""), None)


def _is_accepted(value: Any, declared: DeclaredType, accepted: Sequence[Any]) -> bool:
    wanted = _PYTHON_TYPES[declared.name]
    if _own_type(accepted) not in (None, wanted):
        return value in accepted
    if wanted is dict:
        return any(_is_object(value, answer) for answer in accepted)
    if declared.is_list_of_objects:
        # Among accepted lists "" stands for an empty one.
        return any(_are_objects(value, answer) for answer in accepted if isinstance(answer, list | str))
    if wanted is list:
        # As above.
        answers = (answer for answer in accepted if isinstance(answer, list | str))
        return _standard_items(value) in map(_standard_items, answers)
    if wanted is str:
        return _standard(value) in [_standard(answer) for answer in accepted if isinstance(answer, str)]
    return value in accepted


def _are_objects(items: Sequence[Any], answer: Sequence[Any]) -> bool:
    return len(items) == len(answer) and all(map(_is_object, items, answer))


def _is_object(value: Any, answer: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(answer, dict):
        return False
    has_right_values = all(
        key in answer and _standard(item) in _standard_items(answer[key]) for key, item in value.items()
    )
    return has_right_values and all(key in value or "" in values for key, values in answer.items())


def _standard_items(values: Sequence[Any]) -> list[Any]:
    return [_standard(value) for value in values]


def _standard(value: Any) -> Any:
    return _IGNORED.sub("", value).lower().replace("'", '"') if isinstance(value, str) else value


def _plain_object(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    written = {key: [item for item in values if item != ""] for key, values in value.items()}
    return {key: values[0] for key, values in written.items() if values}
