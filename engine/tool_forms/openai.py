"""OpenAI's functions: Chat Completions' `{"type": "function", "function": {...}}` and the flat form.

Flat are the Responses API (`{"type": "function", "name": ..., "parameters": ...}`) and the older `functions`. A
function without `parameters` takes no arguments. `strict` asks for what is done here always, so it changes nothing.
"""

from collections.abc import Mapping
from typing import Any

from engine.tool_forms.definition import OVERRIDE_KEY, Definition
from engine.tool_forms.type_names import with_json_types

_KEYS_WITHOUT_PARAMETERS = {"type", "name", "description", "strict", "annotations", OVERRIDE_KEY}


def is_flat(item: Mapping[str, Any]) -> bool:
    """Whether `item` is a function outside of a wrapper; one without `parameters` has nothing unknown beside."""
    return "parameters" in item or ("name" in item and item.keys() <= _KEYS_WITHOUT_PARAMETERS)


def read_openai(function: Mapping[str, Any], path: str, wrapper: Mapping[str, Any]) -> Definition:
    """The definition of a function at `path`; `wrapper` is the item that holds it, or the function itself.

    Type names of other languages that have one meaning (`float`, `OBJECT`) become JSON Schema's.
    """
    changes: list[str] = []
    parameters_path = f"{path}.parameters"
    parameters = with_json_types(function.get("parameters"), parameters_path, changes)
    return Definition(
        name=function.get("name"),
        description=function.get("description"),
        parameters=parameters,
        path=path,
        parameters_path=parameters_path,
        annotations=function.get("annotations", wrapper.get("annotations")),
        override=function.get(OVERRIDE_KEY, wrapper.get(OVERRIDE_KEY)),
        changes=tuple(changes),
    )
