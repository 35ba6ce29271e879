"""A value's schema as rules of a grammar (llguidance's Lark dialect) for JSON in one layout.

llguidance's own converter (`%json`) leaves the digits of a number unbounded and spells members of an `enum` by way of
floats. So numbers and members are written here, with the arrays and objects that they stand in; strings and all
schemas that are combined stay with the converter. In those, numbers are kept within `COMBINED_BOUND` and have no
exponent, and only their fraction may go on.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.lark import literal
from engine.notation import JSON
from engine.numbers import number_expression
from engine.schemas.keywords import TYPES
from engine.schemas.layout import guidance

COMBINED_BOUND = 10**15
"""Where llguidance writes numbers, none is larger: up to here, integers and floats are the same to it."""

_OF_TYPE: Mapping[str, frozenset[str]] = {
    "null": frozenset(),
    "boolean": frozenset(),
    "integer": frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
    "number": frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
    "string": frozenset(("minLength", "maxLength", "pattern", "format")),
    "array": frozenset(("items", "prefixItems", "minItems", "maxItems")),
    "object": frozenset(
        ("properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties")
    ),
}
_YEAR = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)"
_REAL_DAY = f"^(?:{_YEAR}-(?:0[13-9]|1[0-2]|02-(?:[01][0-9]|2[0-8]))|{_LEAP_YEAR}-02-29)"
"""How a date begins that is in the calendar: llguidance takes a 29th of February, and a year 0, in every year."""

_INLINE_CHARACTERS = 40
"""A longer term becomes a rule of its own where it is used twice."""

_AROUND = ("$defs", "x-guidance")

_PLAIN = frozenset(("type", *(keyword for keywords in _OF_TYPE.values() for keyword in keywords)))


def json_rules(name: str, schema: Mapping[str, Any]) -> list[str]:
    """Rules for the values of an enforced schema; `name`, in small letters, is the first one's and starts the others'.

    The layout is that of the schema's `x-guidance`. Raises ValueError where no value can be written.
    """
    writer = _RuleWriter(name, schema)
    term = writer.term({key: value for key, value in schema.items() if key not in _AROUND})
    return [f"{name}: {term}", *writer.rules]


class _RuleWriter:
    """Collects the rules that the terms of one value need."""

    def __init__(self, name: str, schema: Mapping[str, Any]) -> None:
        self._name = name
        self._definitions: Mapping[str, Any] = schema.get("$defs", {})
        self._guidance: Mapping[str, Any] = schema.get("x-guidance", guidance(JSON))
        self._item = literal(self._guidance["item_separator"])
        self._colon: str = self._guidance["key_separator"]
        self._written: dict[str, str] = {}
        self.rules: list[str] = []

    def term(self, schema: Any) -> str:
        """A term for the values of a schema."""
        if schema is True or schema == {}:
            return self._any()
        keywords = set(schema) if isinstance(schema, Mapping) else set()
        if keywords == {"$ref"}:
            return self._definition(schema["$ref"].rpartition("/")[2])
        if keywords - {"type"} in ({"enum"}, {"const"}):
            return self._members(schema.get("enum", [schema.get("const")]))
        if keywords == {"anyOf"}:
            return self._either([self.term(each) for each in schema["anyOf"] if each is not False])
        if keywords and keywords <= _PLAIN:
            return self._by_type(schema)
        return self._converted(schema)

    def _by_type(self, schema: Mapping[str, Any]) -> str:
        named = schema.get("type", [name for name in TYPES if name != "integer"])
        names = [named] if isinstance(named, str) else [n for n in named if n != "integer" or "number" not in named]
        return self._either(
            [self._typed(name, {key: schema[key] for key in schema if key in _OF_TYPE[name]}) for name in names]
        )

    def _typed(self, name: str, limits: Mapping[str, Any]) -> str:
        if name == "null":
            return '"null"'
        if name == "boolean":
            return '("true" | "false")'
        if name in ("integer", "number"):
            return self._number(name, limits)
        if name == "array":
            return self._array(limits)
        return self._object(limits) if name == "object" else self._string(limits)

    # Values without parts

    def _members(self, members: Sequence[Any]) -> str:
        return self._either([literal(self._text(each)) for each in members])

    def _text(self, value: Any) -> str:
        separators = (self._guidance["item_separator"], self._colon)
        return json.dumps(value, ensure_ascii=False, separators=separators)

    def _number(self, name: str, limits: Mapping[str, Any]) -> str:
        expression = number_expression(name, limits)
        if expression is None:
            return self._converted({"type": name, **limits})
        return self._named(expression, is_terminal=True)

    def _string(self, limits: Mapping[str, Any]) -> str:
        string = {"type": "string", **limits}
        if limits.get("format") in ("date", "date-time"):
            return self._converted({"allOf": [string, {"type": "string", "pattern": _REAL_DAY}]})
        return self._converted(string)

    def _converted(self, schema: Any) -> str:
        """What llguidance's converter makes of a schema."""
        bounded = _bounded(schema)
        definitions = {name: _bounded(each) for name, each in self._definitions.items()}
        whole = {
            **bounded,
            **({"$defs": definitions} if "$ref" in json.dumps(schema) else {}),
            "x-guidance": self._guidance,
        }
        return self._named(f"%json {json.dumps(whole)}")

    # Values with parts

    def _any(self) -> str:
        name = f"{self._name}_any"
        if name not in self._written:
            self._written[name] = name
            self.rules.append(f"{name}: {self._by_type({'items': True, 'additionalProperties': True})}")
        return name

    def _definition(self, name: str) -> str:
        rule = f"{self._name}_def_{list(self._definitions).index(name)}"
        if rule not in self._written:
            self._written[rule] = rule
            self.rules.append(f"{rule}: {self.term(self._definitions[name])}")
        return rule

    def _array(self, limits: Mapping[str, Any]) -> str:
        first, others = limits.get("prefixItems", []), limits.get("items", True)
        least, most = limits.get("minItems", 0), limits.get("maxItems")
        highest = len(first) if others is False else most
        if highest is not None and least > min(highest, highest if most is None else most):
            raise ValueError(f"no value has {least} items or more and {highest} at most")
        inner = self._items(list(first), others, least, most, is_first=True)
        return f'"[" {inner} "]"'

    def _items(self, first: Sequence[Any], others: Any, least: int, most: int | None, is_first: bool) -> str:
        """What may follow in an array: those of `first`, then `others`, at least and at most so many."""
        if most == 0:
            return ""
        comma = "" if is_first else self._item + " "
        if first:
            if first[0] is False:
                return ""
            rest = self._items(first[1:], others, max(0, least - 1), None if most is None else most - 1, False)
            body = f"{comma}{self.term(first[0])} {rest}"
            return body if least else f"({body})?"
        if others is False:
            return ""
        return self._repeated(self.term(others), least, most, is_first)

    def _repeated(self, item: str, least: int, most: int | None, is_first: bool = True) -> str:
        """So many of an item, with what separates them."""
        short = self._named(item) if len(item) > _INLINE_CHARACTERS else item
        if not is_first:
            return f"({self._item} {short}){_times(least, most)}"
        more = (
            ""
            if most == 1
            else f"({self._item} {short}){_times(max(0, least - 1), None if most is None else most - 1)}"
        )
        return f"{short} {more}" if least else f"({short} {more})?"

    def _object(self, limits: Mapping[str, Any]) -> str:
        properties, others = limits.get("properties", {}), limits.get("additionalProperties", True)
        required = limits.get("required", ())
        is_counted = limits.keys() & {"minProperties", "maxProperties"}
        is_declared = properties and others is False and all(name in properties for name in required)
        if is_declared and not is_counted and not limits.get("patternProperties"):
            return self._declared(properties, required)
        if not properties and not required and not limits.get("patternProperties"):
            return self._mapping(others, limits.get("minProperties", 0), limits.get("maxProperties"))
        return self._converted({"type": "object", **limits})

    def _mapping(self, others: Any, least: int, most: int | None) -> str:
        if others is False or most == 0:
            if least:
                raise ValueError("no object without members has one")
            return '"{}"'
        entry = f"{self._converted({'type': 'string'})} {literal(self._colon)} {self.term(others)}"
        return f'"{{" {self._repeated(entry, least, most)} "}}"'

    def _declared(self, properties: Mapping[str, Any], required: Sequence[str]) -> str:
        """An object of declared properties, in their order."""
        follow_first, follow_more = literal("}"), literal("}")
        for name, schema in reversed(list(properties.items())):
            if schema is False and name in required:
                raise ValueError(f"{name!r} is required, but no value is allowed")
            if schema is False:
                continue
            entry = f"{literal(json.dumps(name, ensure_ascii=False) + self._colon)} {self.term(schema)}"
            first, more = f"{entry} {follow_more}", f"{self._item} {entry} {follow_more}"
            is_required = name in required
            follow_first, follow_more = (
                self._named(first if is_required else f"{first} | {follow_first}"),
                self._named(more if is_required else f"{more} | {follow_more}"),
            )
        return f'"{{" {follow_first}'

    def _either(self, terms: Sequence[str]) -> str:
        if not terms:
            raise ValueError("no value is allowed")
        return terms[0] if len(terms) == 1 else f"({' | '.join(dict.fromkeys(terms))})"

    def _named(self, body: str, is_terminal: bool = False) -> str:
        """A rule of its own for `body`, the same one for the same body; terminals are written in capitals."""
        if body not in self._written:
            name = f"{self._name}_{len(self._written)}"
            self._written[body] = name.upper() if is_terminal else name
            self.rules.append(f"{self._written[body]}: {body}")
        return self._written[body]


def _times(least: int, most: int | None) -> str:
    if most is None:
        return f"{{{least},}}" if least else "*"
    return f"{{{least},{most}}}"


def _bounded(schema: Any) -> Any:
    """A schema whose numbers are within `COMBINED_BOUND`, at every depth."""
    if isinstance(schema, list):
        return [_bounded(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    bounded = {key: _bounded_member(key, value) for key, value in schema.items()}
    types = schema.get("type", ())
    if "integer" in types or "number" in types:
        bounded["minimum"] = max(schema.get("minimum", -COMBINED_BOUND), -COMBINED_BOUND)
        bounded["maximum"] = min(schema.get("maximum", COMBINED_BOUND), COMBINED_BOUND)
    return bounded


def _bounded_member(key: str, value: Any) -> Any:
    if key in ("properties", "patternProperties", "$defs"):
        return {name: _bounded(each) for name, each in value.items()}
    return value if key in ("enum", "const", "required", "type") else _bounded(value)
