"""A Python function as a tool: its signature, type hints and docstring (Google's, NumPy's or Sphinx's style).

A parameter without a default is required. Where it has no hint, the docstring's type counts; where that is prose, the
argument may be anything.
"""

import inspect
import json
from collections.abc import Callable
from typing import Any

from docstring_parser import DocstringParam, parse

from engine.errors import InputError, ToolError
from engine.json_path import shown
from engine.tool_forms.definition import Definition
from engine.tool_forms.python_types import Definitions, hint_of_text, schema_of_hint

_LEFT_OUT = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def read_function(function: Callable[..., Any]) -> Definition:
    """The definition of a function; raises ToolError where a parameter cannot be an argument of a call by name."""
    name = getattr(function, "__name__", "")
    if not isinstance(name, str) or not name.isidentifier():
        raise ToolError("", "$", f"expected a function with a name, found {function!r}")
    documented = parse(inspect.getdoc(function) or "")
    texts = {each.arg_name: each for each in documented.params}
    changes: list[str] = []
    definitions = Definitions()
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in _parameters(function, name, changes):
        properties[parameter.name] = _schema(name, parameter, texts.get(parameter.name), definitions, changes)
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
    schema = {"type": "object", "properties": properties, "required": required}
    if definitions.schemas:
        schema["$defs"] = definitions.schemas
    return Definition(name, documented.description, schema, parameters_path="$", changes=tuple(changes))


def _parameters(function: Callable[..., Any], name: str, changes: list[str]) -> list[inspect.Parameter]:
    """The parameters that a call can name; `*args` and `**kwargs` are left out and listed."""
    try:
        signature = inspect.signature(function, eval_str=True)
    # Evaluating hints that are text can raise whatever their code raises; a missing name is the usual case.
    except (NameError, TypeError, ValueError, SyntaxError, AttributeError) as error:
        raise ToolError(name, "$", f"its signature cannot be read: {error}") from None
    named = []
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise ToolError(name, f"$.{parameter.name}", "positional only: a call passes its arguments by name")
        if parameter.kind in _LEFT_OUT:
            changes.append(f"$.{parameter.name}: {_LEFT_OUT[parameter.kind]}{parameter.name} left out, it has no names")
        else:
            named.append(parameter)
    return named


def _schema(
    tool: str,
    parameter: inspect.Parameter,
    documented: DocstringParam | None,
    definitions: Definitions,
    changes: list[str],
) -> dict[str, Any]:
    path = f"$.{parameter.name}"
    try:
        schema = _schema_of_type(parameter, documented, definitions, changes)
    except InputError as error:
        raise ToolError(tool, path, str(error)) from None
    if documented and documented.description:
        schema = schema | {"description": documented.description}
    return schema | _default(parameter, path, changes)


def _schema_of_type(
    parameter: inspect.Parameter, documented: DocstringParam | None, definitions: Definitions, changes: list[str]
) -> dict[str, Any]:
    if parameter.annotation is not inspect.Parameter.empty:
        return schema_of_hint(parameter.annotation, definitions)
    text = documented.type_name if documented else None
    if text is None:
        return {}
    try:
        return schema_of_hint(hint_of_text(text), definitions)
    except InputError:
        changes.append(f"$.{parameter.name}: the docstring's type {shown(text)} was not understood, any value may come")
        return {}


def _default(parameter: inspect.Parameter, path: str, changes: list[str]) -> dict[str, Any]:
    if parameter.default is inspect.Parameter.empty:
        return {}
    try:
        return {"default": json.loads(json.dumps(parameter.default, allow_nan=False))}
    except (TypeError, ValueError):
        changes.append(f"{path}: its default is no JSON and is not shown to the model")
        return {}
