"""Which form a tool is declared in, and the tool that it declares."""

from collections.abc import Mapping
from typing import Any

from engine.errors import ToolError
from engine.json_path import shown
from engine.tool_forms.anthropic import read_anthropic
from engine.tool_forms.app_functions import is_app_function, read_app_function
from engine.tool_forms.bfcl import is_bfcl, read_bfcl_function
from engine.tool_forms.definition import Definition, make_tool
from engine.tool_forms.droidcall import read_droidcall
from engine.tool_forms.mcp import read_mcp
from engine.tool_forms.openai import is_flat, read_openai
from engine.tool_forms.pydantic_model import is_model, read_model
from engine.tool_forms.python_function import read_function
from engine.tools import Tool

_FORMS = (
    "'function' or 'parameters' (OpenAI, BFCL), 'inputSchema' (MCP), 'input_schema' (Anthropic), 'arguments' "
    "(DroidCall) or 'id' and a list of 'parameters' (Android AppFunctions)"
)


def read_tool(item: Any) -> Tool:
    """The tool that one item declares, in whatever form: decoded JSON, a Pydantic model or a Python function.

    Raises ToolError, whose path starts at the item.
    """
    try:
        return make_tool(_definition(item))
    except RecursionError:
        raise ToolError("", "$", "nested too deeply") from None


def _definition(item: Any) -> Definition:
    if isinstance(item, Mapping):
        return _definition_in_json(item)
    if is_model(item):
        return read_model(item)
    if callable(item) and not isinstance(item, type):
        return read_function(item)
    raise ToolError("", "$", f"expected a tool as an object, found {shown(item)}")


def _definition_in_json(item: Mapping[str, Any]) -> Definition:
    if "function" in item:
        if not isinstance(item["function"], Mapping):
            raise ToolError("", "$.function", f"expected an object, found {shown(item['function'])}")
        return _function(item["function"], "$.function", item)
    if "inputSchema" in item:
        return read_mcp(item)
    if "input_schema" in item:
        return read_anthropic(item)
    if "arguments" in item:
        return read_droidcall(item)
    if is_app_function(item):
        return read_app_function(item)
    if is_flat(item):
        return _function(item, "$", item)
    raise ToolError("", "$", f"no tool: it has neither {_FORMS}; its keys are {shown(list(item))}")


def _function(function: Mapping[str, Any], path: str, wrapper: Mapping[str, Any]) -> Definition:
    read = read_bfcl_function if is_bfcl(function) else read_openai
    return read(function, path, wrapper)
