"""DroidCall's functions (arXiv 2412.00402, `api.jsonl`): `arguments` by name, with Python's types as text.

An argument has `type`, `description`, `required` and `default`; one without `required` is required unless it has a
default, as in Python. `returns` and `examples` say nothing about what a call may hold.
"""

from collections.abc import Mapping
from typing import Any

from engine.errors import InputError, ToolError
from engine.json_path import child, shown
from engine.tool_forms.definition import OVERRIDE_KEY, Definition, read_flag
from engine.tool_forms.python_types import Definitions, hint_of_text, schema_of_hint


def read_droidcall(item: Mapping[str, Any]) -> Definition:
    """The definition of one row; raises ToolError for an argument that it cannot read."""
    name, arguments = str(item.get("name") or ""), item["arguments"]
    if not isinstance(arguments, Mapping):
        raise ToolError(name, "$.arguments", f"expected an object of argument name to type, found {shown(arguments)}")
    changes: list[str] = []
    properties: dict[str, Any] = {}
    required: list[str] = []
    for argument, stated in arguments.items():
        path = child("$.arguments", argument)
        if not isinstance(stated, Mapping):
            raise ToolError(name, path, f"expected an object with a type, found {shown(stated)}")
        properties[argument] = _schema(name, stated, path, changes)
        is_required = read_flag(stated.get("required"), name, f"{path}.required")
        if is_required or (is_required is None and "default" not in stated):
            required.append(argument)
    return Definition(
        name=item.get("name"),
        description=item.get("description"),
        parameters={"type": "object", "properties": properties, "required": required},
        parameters_path="$.arguments",
        override=item.get(OVERRIDE_KEY),
        changes=tuple(changes),
    )


def _schema(tool: str, stated: Mapping[str, Any], path: str, changes: list[str]) -> dict[str, Any]:
    """The schema of one argument: its type's, with the description and the default beside."""
    beside = {key: stated[key] for key in ("description", "default") if key in stated}
    text = stated.get("type")
    if text is None:
        return beside
    if not isinstance(text, str):
        raise ToolError(tool, f"{path}.type", f"expected a type in Python's notation, found {shown(text)}")
    try:
        schema = schema_of_hint(hint_of_text(text), Definitions())
    except InputError as error:
        raise ToolError(tool, f"{path}.type", str(error)) from None
    changes.append(f"{path}.type: {text!r} became {shown(schema)}")
    return schema | beside
