"""OpenAI's functions: Chat Completions' `{"type": "function", "function": {...}}` and the flat form.

Flat are the Responses API (`{"type": "function", "name": ..., "parameters": ...}`) and the older `functions`. A
function without `parameters` takes no arguments. `strict` asks for what is done here always, so it changes nothing.
"""

from collections.abc import Mapping
from typing import Any

from engine.tool_forms.definition import OVERRIDE_KEY, Definition

_KEYS_WITHOUT_PARAMETERS = {"type", "name", "description", "strict", "annotations", OVERRIDE_KEY}


def is_flat(item: Mapping[str, Any]) -> bool:
    """Whether `item` is a function outside of a wrapper; one without `parameters` has nothing unknown beside."""
    return "parameters" in item or ("name" in item and item.keys() <= _KEYS_WITHOUT_PARAMETERS)


def read_openai(function: Mapping[str, Any], path: str, wrapper: Mapping[str, Any]) -> Definition:
    """The definition of a function at `path`; `wrapper` is the item that holds it, or the function itself."""
    return Definition(
        name=function.get("name"),
        description=function.get("description"),
        parameters=function.get("parameters"),
        path=path,
        parameters_path=f"{path}.parameters",
        annotations=function.get("annotations", wrapper.get("annotations")),
        override=function.get(OVERRIDE_KEY, wrapper.get(OVERRIDE_KEY)),
    )
