"""The keywords of JSON Schema by what happens to them here.

From JSON Schema 2020-12 (core and validation) and its earlier drafts, where tools still use them. A keyword that none
of them knows is an annotation, as the specification says.
"""

from collections.abc import Mapping
from typing import Any

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")

FORMATS = frozenset(
    ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri")
)  # fmt: skip
"""Formats of strings that llguidance keeps."""

FORMATS_OF_ANY_TEXT = frozenset(("binary", "directory-path", "file-path", "password", "path"))
"""Formats that say what a string is for, and not how it is written (OpenAPI 3.0, Pydantic)."""

FORMATS_OF_ANY_NUMBER = frozenset(("double", "float"))
"""Formats that say how a receiver stores a number (OpenAPI 3.0)."""

INTEGER_FORMATS = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
}
"""The bounds of OpenAPI's formats of integers."""

_DEPENDENT = frozenset(("dependentRequired", "dependentSchemas", "dependencies"))
_UNSUPPORTED = _DEPENDENT | {"not", "contains", "$dynamicRef", "$recursiveRef", "divisibleBy", "extends", "disallow"}
_TYING = _DEPENDENT | {
    *("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const", "extends"),
    *("patternProperties", "propertyNames"),
}


def unsupported(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The keywords of a schema that limit its values in a way that cannot be kept here."""
    return tuple(keyword for keyword in schema if _cannot_be_kept(keyword, schema))


def tying(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """The keywords of a tool's whole schema that tie its arguments together.

    Each argument is decoded by its own schema, which could break them. A number of arguments that every call has
    anyway ties nothing.
    """
    found = [keyword for keyword in parameters if keyword in _TYING and parameters[keyword] not in ({}, [])]
    if _whole(parameters.get("minProperties", 0)) > len(parameters.get("required", ())):
        found.append("minProperties")
    if _whole(parameters.get("maxProperties", 1 << 30)) < len(parameters.get("properties", {})):
        found.append("maxProperties")
    return tuple(found)


def _cannot_be_kept(keyword: str, schema: Mapping[str, Any]) -> bool:
    value = schema[keyword]
    if keyword == "if":
        return "then" in schema or "else" in schema
    if keyword == "uniqueItems":
        return value is True and _whole(schema.get("maxItems", 2)) > 1
    if keyword == "minProperties":
        # Keys that are not declared may repeat, so that a count of keys is no count of members.
        is_open = schema.get("additionalProperties", not schema.get("properties")) is not False
        return _whole(value) > 1 and (is_open or bool(schema.get("patternProperties")))
    if keyword == "unevaluatedItems":
        return value is not True
    if keyword == "unevaluatedProperties":
        return not isinstance(value, bool) or (not value and ("anyOf" in schema or "oneOf" in schema))
    return keyword in _UNSUPPORTED and not (keyword in _DEPENDENT and value == {})


def _whole(value: Any) -> int:
    return int(value) if isinstance(value, int | float) else 0
