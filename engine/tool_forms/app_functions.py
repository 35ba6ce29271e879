"""Android's AppFunctions, from their metadata as JSON.

The fields are those of Jetpack's `androidx.appfunctions.metadata` (1.0.0): `AppFunctionMetadata` with `id`,
`description`, `parameters` (`name`, `isRequired`, `description`, `dataType`) and `components.dataTypes`. Types come as
`AppFunctionDataTypeMetadataDocument` stores them, where `type` is the number of one of its `TYPE_` constants; that
document's names (`dataTypeMetadata`, lists of `name` and `dataTypeMetadata` for properties and components) and the
constants' own names (`"TYPE_STRING"`, `"string"`) are read as well. The tool's name is the `id`, by which the function
is executed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import ToolError
from engine.json_path import child, shown
from engine.tool_forms.definition import OVERRIDE_KEY, Definition, read_flag

_TYPE_NAMES: Mapping[int, str] = {
    0: "unit", 1: "boolean", 2: "bytes", 3: "object", 4: "double", 5: "float", 6: "long", 7: "int", 8: "string",
    10: "array", 11: "reference", 12: "all_of", 13: "parcelable", 14: "one_of",
}  # fmt: skip
"""`AppFunctionDataTypeMetadata`'s constants, without `TYPE_`."""

_JSON_TYPES = {
    "unit": "null", "boolean": "boolean", "bytes": "string", "string": "string",
    "double": "number", "float": "number", "long": "integer", "int": "integer",
}  # fmt: skip


def is_app_function(item: Mapping[str, Any]) -> bool:
    """Whether `item` has an `id` for a name and a list of parameters."""
    return "id" in item and "name" not in item and isinstance(item.get("parameters"), list | None)


def read_app_function(item: Mapping[str, Any]) -> Definition:
    """The definition of one function; raises ToolError for types that no call in JSON can hold."""
    tool = str(item.get("id") or "")
    if read_flag(item.get("isEnabled"), tool, "$.isEnabled") is False:
        raise ToolError(tool, "$.isEnabled", "the function is disabled: Android refuses to execute it")
    types = _Types(tool, _components(tool, item.get("components")))
    parameters = _parameters(types, item.get("parameters") or [])
    if types.definitions:
        parameters["$defs"] = types.definitions
    return Definition(
        name=item.get("id"),
        description=item.get("description"),
        parameters=parameters,
        override=item.get(OVERRIDE_KEY),
        changes=tuple(types.changes),
    )


@dataclass(slots=True)
class _Types:
    """Turns one function's types into JSON Schema; keeps its components, those used so far, and the changes."""

    tool: str
    components: Mapping[str, tuple[Any, str]]
    definitions: dict[str, Any] = field(default_factory=dict)
    changes: list[str] = field(default_factory=list)

    def schema(self, data_type: Any, path: str) -> dict[str, Any]:
        """The schema of a data type, null included where it is nullable."""
        kind = self.kind(data_type, path)
        schema = self._schema_of(kind, data_type, path)
        if read_flag(data_type.get("isNullable"), self.tool, f"{path}.isNullable") and kind != "unit":
            schema = {"anyOf": [schema, {"type": "null"}]}
        description = data_type.get("description")
        return schema | ({"description": description} if description else {})

    def kind(self, data_type: Any, path: str) -> str:
        """The name of a data type's kind; raises ToolError for one that is none."""
        if not isinstance(data_type, Mapping):
            raise ToolError(self.tool, path, f"expected a data type as an object, found {shown(data_type)}")
        stated = data_type.get("type")
        if isinstance(stated, int) and stated in _TYPE_NAMES:
            return _TYPE_NAMES[stated]
        if isinstance(stated, str) and stated.lower().removeprefix("type_") in _TYPE_NAMES.values():
            return stated.lower().removeprefix("type_")
        known = ", ".join(f"{number} ({name})" for number, name in _TYPE_NAMES.items())
        raise ToolError(self.tool, f"{path}.type", f"{shown(stated)} is no type; known are {known}")

    def _schema_of(self, kind: str, data_type: Mapping[str, Any], path: str) -> dict[str, Any]:
        schema: dict[str, Any]
        match kind:
            case "array":
                schema = {"type": "array", "items": self.schema(data_type.get("itemType"), f"{path}.itemType")}
            case "object":
                schema = self._object(data_type, path)
            case "reference":
                schema = self._reference(data_type, path)
            case "one_of":
                schema = {"anyOf": [self.schema(each, at) for each, at in self._listed(data_type, path, "oneOf")]}
            case "all_of":
                schema = self._merged(data_type, path)
            case "parcelable":
                raise ToolError(self.tool, path, "a Parcelable cannot be written as JSON")
            case _:
                schema = {"type": _JSON_TYPES[kind], **self._enumeration(kind, data_type, path)}
        self.changes.append(f"{path}.type: {kind} became {shown(schema)}")
        return schema

    def _object(self, data_type: Mapping[str, Any], path: str) -> dict[str, Any]:
        stated = _named(self.tool, data_type.get("properties"), f"{path}.properties")
        properties = {name: self.schema(each, at) for name, each, at in stated}
        return {"type": "object", "properties": properties, "required": self._texts(data_type, path, "required")}

    def _reference(self, data_type: Mapping[str, Any], path: str) -> dict[str, Any]:
        name = data_type.get("dataTypeReference", data_type.get("referenceDataType"))
        if not isinstance(name, str) or name not in self.components:
            problem = f"{shown(name)} is not among the components {sorted(self.components)}"
            raise ToolError(self.tool, f"{path}.dataTypeReference", problem)
        key = f"{list(self.components).index(name)}_{re.sub(r'[^A-Za-z0-9_]', '_', name)}"
        if key not in self.definitions:
            self.definitions[key] = {}  # A component may contain itself.
            self.definitions[key] = self.schema(*self.components[name])
        return {"$ref": f"#/$defs/{key}"}

    def _merged(self, data_type: Mapping[str, Any], path: str) -> dict[str, Any]:
        """One flat object of all parts, which is what Android means by this type; a reference is its component."""
        properties: dict[str, Any] = {}
        required: list[str] = []
        for part, at in self._listed(data_type, path, "allOf"):
            schema = self.schema(part, at)
            if "$ref" in schema:
                schema = self.definitions[schema["$ref"].removeprefix("#/$defs/")]
            properties |= schema.get("properties", {})
            required += schema.get("required", [])
        return {"type": "object", "properties": properties, "required": list(dict.fromkeys(required))}

    def _listed(self, data_type: Mapping[str, Any], path: str, key: str) -> list[tuple[Any, str]]:
        parts = data_type.get(key, data_type.get("match" + key[:1].upper() + key[1:]))
        if not isinstance(parts, list) or not parts:
            raise ToolError(self.tool, f"{path}.{key}", f"expected a list of data types, found {shown(parts)}")
        return [(part, f"{path}.{key}[{index}]") for index, part in enumerate(parts)]

    def _texts(self, data_type: Mapping[str, Any], path: str, key: str) -> list[str]:
        values = data_type.get(key) or []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ToolError(self.tool, f"{path}.{key}", f"expected a list of texts, found {shown(values)}")
        return values

    def _enumeration(self, kind: str, data_type: Mapping[str, Any], path: str) -> dict[str, Any]:
        """Values that the type is restricted to; the stored form writes integers as text."""
        values = self._texts(data_type, path, "enumValues")
        if not values:
            return {}
        try:
            return {"enum": [int(value) for value in values] if kind in ("int", "long") else values}
        except ValueError:
            raise ToolError(self.tool, f"{path}.enumValues", f"expected integers, found {shown(values)}") from None


def _parameters(types: _Types, parameters: list[Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for index, parameter in enumerate(parameters):
        path = f"$.parameters[{index}]"
        if not isinstance(parameter, Mapping) or not isinstance(name := parameter.get("name"), str):
            raise ToolError(types.tool, path, f"expected an object with a name, found {shown(parameter)}")
        key = "dataType" if "dataType" in parameter else "dataTypeMetadata"
        is_required = read_flag(parameter.get("isRequired"), types.tool, f"{path}.isRequired")
        if not is_required and types.kind(parameter.get(key), f"{path}.{key}") == "parcelable":
            types.changes.append(f"{path}: left out, a Parcelable cannot be written as JSON")
            continue
        description = parameter.get("description")
        properties[name] = types.schema(parameter.get(key), f"{path}.{key}")
        properties[name] |= {"description": description} if description else {}
        required += [name] if is_required else []
    return {"type": "object", "properties": properties, "required": required}


def _components(tool: str, components: Any) -> dict[str, tuple[Any, str]]:
    """Reusable data types by name, each with its place."""
    if components is None:
        return {}
    if not isinstance(components, Mapping):
        raise ToolError(tool, "$.components", f"expected an object with dataTypes, found {shown(components)}")
    stated = _named(tool, components.get("dataTypes"), "$.components.dataTypes")
    return {name: (each, path) for name, each, path in stated}


def _named(tool: str, types: Any, path: str) -> Iterator[tuple[str, Any, str]]:
    """Name, data type and place of each type in an object by name, or in the stored form's list."""
    if isinstance(types, Mapping):
        yield from ((name, each, child(path, name)) for name, each in types.items())
        return
    for index, item in enumerate(types if isinstance(types, list) else []):
        if not isinstance(item, Mapping) or not isinstance(name := item.get("name"), str):
            raise ToolError(tool, f"{path}[{index}]", f"expected an object with a name, found {shown(item)}")
        yield name, item.get("dataTypeMetadata"), f"{path}[{index}].dataTypeMetadata"
