"""Python's types as JSON Schema: type hints, and their text (`Optional[List[str]]`) without running it."""

import ast
import collections.abc
import dataclasses
import datetime
import enum
import types
import typing
import uuid
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Literal, Optional, Union

from engine.errors import InputError
from engine.json_path import shown

_PLAIN: Mapping[Any, Mapping[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    uuid.UUID: {"type": "string", "format": "uuid"},
}
_ARRAYS = (
    *(list, set, frozenset, collections.abc.Sequence, collections.abc.MutableSequence, collections.abc.Iterable),
    *(collections.abc.Collection, collections.abc.Set, collections.abc.MutableSet),
)
_OBJECTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_CHOICES = (
    "str, int, float, bool, None, Any, Literal, an Enum, list, tuple, set, dict with string keys, Union, Optional, "
    "Annotated, a TypedDict, a dataclass, a Pydantic model, date, time, datetime or UUID"
)
_NAMED: Mapping[str, Any] = {
    "str": str, "string": str, "int": int, "integer": int, "float": float, "number": float, "bool": bool,
    "boolean": bool, "None": None, "NoneType": None, "Any": Any, "any": Any, "object": Any,
    "list": list, "List": list, "array": list, "Sequence": list, "Iterable": list, "Collection": list,
    "set": set, "Set": set, "frozenset": set, "FrozenSet": set,
    "tuple": tuple, "Tuple": tuple,
    "dict": dict, "Dict": dict, "Mapping": dict,
    "Optional": Optional, "Union": Union, "Literal": Literal,
    "date": datetime.date, "datetime": datetime.datetime, "time": datetime.time, "UUID": uuid.UUID,
}  # fmt: skip


class Definitions:
    """The schemas of classes with fields, by name, as they are met; what is left is a tool's `$defs`."""

    def __init__(self) -> None:
        self.schemas: dict[str, Any] = {}
        self._classes: dict[str, type] = {}

    def reference(self, of: type, make: Callable[[], Any]) -> dict[str, Any]:
        """A reference to the definition of a class, made when first met, so that it may contain itself."""
        name = of.__name__
        if self._classes.setdefault(name, of) is not of:
            raise InputError(f"two classes are called {name}")
        if name not in self.schemas:
            self.schemas[name] = {}
            self.schemas[name] = make()
        return {"$ref": f"#/$defs/{name}"}

    def hoist(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """A model's schema, whose own definitions move up here; raises InputError where a name is taken."""
        for name, definition in schema.get("$defs", {}).items():
            if self.schemas.setdefault(name, definition) not in (definition, {}):
                raise InputError(f"two classes are called {name}")
            self.schemas[name] = definition
        return {key: value for key, value in schema.items() if key != "$defs"}


def hint_of_text(text: str) -> Any:
    """The type that a text such as `Dict[str, Any]` names; raises InputError for a name that is not known."""
    try:
        return _evaluated(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, TypeError, ValueError, RecursionError):
        raise InputError(f"{shown(text)} is no type; known are {', '.join(_NAMED)}") from None


def _evaluated(node: ast.expr) -> Any:
    match node:
        case ast.Name(name) | ast.Attribute(attr=name) if name in _NAMED:
            return _NAMED[name]
        case ast.Constant(None | bool() | int() | str() | types.EllipsisType() as value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
            return -value
        case ast.List(items):
            return [_evaluated(item) for item in items]
        case ast.Tuple(items):
            return tuple(_evaluated(item) for item in items)
        case ast.BinOp(left, ast.BitOr(), right):
            return _evaluated(left) | _evaluated(right)
        case ast.Subscript(value, arguments):
            return _evaluated(value)[_evaluated(arguments)]
    raise ValueError


def schema_of_hint(hint: Any, definitions: Definitions) -> dict[str, Any]:
    """The JSON Schema of a type hint; {} for no hint and for Any.

    Classes with fields (TypedDict, dataclass, Pydantic) go to `definitions` and are referred to as `#/$defs/Name`, so
    they may contain themselves. Raises InputError for a type that JSON has no values of.
    """
    if hint is Any or hint is object:
        return {}
    if hint is None or (isinstance(hint, Hashable) and hint in _PLAIN):
        return dict(_PLAIN[hint or type(None)])
    if renamed := getattr(hint, "__supertype__", None) or getattr(hint, "__value__", None):
        return schema_of_hint(renamed, definitions)  # A NewType, or `type X = ...`.
    if isinstance(hint, type) and (schema := _schema_of_class(hint, definitions)) is not None:
        return schema
    return _schema_of_generic(hint, definitions)


def _schema_of_class(hint: type, definitions: Definitions) -> dict[str, Any] | None:
    if issubclass(hint, enum.Enum):
        return _enumeration([member.value for member in hint])
    if callable(model_schema := getattr(hint, "model_json_schema", None)):
        return definitions.reference(hint, lambda: definitions.hoist(model_schema()))
    if typing.is_typeddict(hint):
        required = getattr(hint, "__required_keys__", ())
        return definitions.reference(hint, lambda: _object(_hints(hint), required, definitions))
    if dataclasses.is_dataclass(hint):
        required = [field.name for field in dataclasses.fields(hint) if _is_required(field)]
        return definitions.reference(hint, lambda: _object(_hints(hint), required, definitions))
    return None


def _schema_of_generic(hint: Any, definitions: Definitions) -> dict[str, Any]:
    origin, arguments = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin is typing.Annotated:
        return _annotated(hint, definitions)
    if origin in (typing.Required, typing.NotRequired):
        return schema_of_hint(arguments[0], definitions)
    if origin is Literal:
        return _enumeration(list(arguments))
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of_hint(each, definitions) for each in arguments]}
    if origin is tuple:
        return _tuple(arguments, definitions)
    if origin in _ARRAYS:
        return {"type": "array"} | ({"items": schema_of_hint(arguments[0], definitions)} if arguments else {})
    if origin in _OBJECTS:
        return _mapping(arguments, definitions)
    raise InputError(f"{_name(hint)} has no values in JSON; known are {_CHOICES}")


def _annotated(hint: Any, definitions: Definitions) -> dict[str, Any]:
    """`Annotated[int, "days from now"]`; other metadata counts where it has a `description`, as Pydantic's `Field`."""
    inner, *metadata = typing.get_args(hint)
    texts = [each if isinstance(each, str) else getattr(each, "description", None) for each in metadata]
    text = next((each for each in texts if isinstance(each, str)), None)
    return schema_of_hint(inner, definitions) | ({"description": text} if text else {})


def _enumeration(values: list[Any]) -> dict[str, Any]:
    for value in values:
        if isinstance(value, enum.Enum):
            return _enumeration([each.value if isinstance(each, enum.Enum) else each for each in values])
        if not isinstance(value, str | int | float | bool | None):
            raise InputError(f"{_name(value)} is no value in JSON; an enumeration needs texts, numbers or booleans")
    return {"enum": values}


def _tuple(arguments: tuple[Any, ...], definitions: Definitions) -> dict[str, Any]:
    if not arguments:
        return {"type": "array"}
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return {"type": "array", "items": schema_of_hint(arguments[0], definitions)}
    items = [schema_of_hint(each, definitions) for each in arguments]
    return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items), "maxItems": len(items)}


def _mapping(arguments: tuple[Any, ...], definitions: Definitions) -> dict[str, Any]:
    if not arguments:
        return {"type": "object"}
    keys, values = arguments
    if keys not in (str, Any):
        raise InputError(f"dict with keys of {_name(keys)}: keys of objects in JSON are strings")
    schema = schema_of_hint(values, definitions)
    return {"type": "object"} | ({"additionalProperties": schema} if schema else {})


def _object(hints: Mapping[str, Any], required: Any, definitions: Definitions) -> dict[str, Any]:
    properties = {name: schema_of_hint(hint, definitions) for name, hint in hints.items()}
    return {"type": "object", "properties": properties, "required": [name for name in hints if name in required]}


def _hints(hint: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(hint, include_extras=True)
    except (NameError, TypeError, AttributeError) as error:
        raise InputError(f"{hint.__name__}: its type hints cannot be read: {error}") from None


def _is_required(field: "dataclasses.Field[Any]") -> bool:
    return field.init and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _name(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) else repr(hint)
