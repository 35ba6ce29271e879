"""A Pydantic model as a tool: its name, its docstring, and its fields as arguments.

Any class with Pydantic 2's `model_json_schema()` will do; the package itself is not needed here.
"""

from typing import Any

from engine.errors import ToolError
from engine.json_path import shown
from engine.tool_forms.definition import Definition


def is_model(item: Any) -> bool:
    """Whether `item` is a class that tells its JSON Schema as Pydantic's models do."""
    return isinstance(item, type) and callable(getattr(item, "model_json_schema", None))


def read_model(model: Any) -> Definition:
    """The definition of a model's class; raises ToolError where the model has no JSON Schema."""
    name: str = model.__name__
    try:
        schema = model.model_json_schema()
    # Pydantic raises its own kind of RuntimeError for types that JSON Schema lacks.
    except (RuntimeError, TypeError, ValueError) as error:
        raise ToolError(name, "$", f"the model has no JSON Schema: {error}") from None
    if not isinstance(schema, dict):
        raise ToolError(name, "$", f"model_json_schema() gave no object, but {shown(schema)}")
    parameters = {key: value for key, value in schema.items() if key not in ("title", "description")}
    return Definition(name, schema.get("description"), parameters, parameters_path="$")
