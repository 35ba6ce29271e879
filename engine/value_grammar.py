"""What a value may look like in a notation, as rules of llguidance's Lark dialect.

JSON is llguidance's own business. For the other notations the schema is walked here, and what has no rule is refused by
name: nothing is weakened.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import ToolError
from engine.lark import Markup, any_of, literal, regex
from engine.notation import Notation, write_value
from engine.schema_types import admitted_types, resolve
from engine.schemas import json_rules
from engine.schemas.layout import guidance
from engine.string_grammar import STRING_KEYWORDS, string_patterns, without

_ANNOTATIONS = frozenset({
    "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "nullable",
    "$comment", "$id", "$schema", "$anchor", "$defs", "definitions", "x-guidance",
})  # fmt: skip
_NUMERIC = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
_OF_TYPE: Mapping[str, frozenset[str]] = {
    "string": STRING_KEYWORDS,
    "integer": _NUMERIC,
    "number": _NUMERIC,
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems"}),
    "object": frozenset({"properties", "required", "additionalProperties"}),
    "boolean": frozenset(),
    "null": frozenset(),
}
_ANY_TYPES = tuple(name for name in _OF_TYPE if name != "integer")
_KNOWN = frozenset({"type"}).union(*_OF_TYPE.values())
_PLAIN_KEY = r"[^\s:,{}\[\]\"\x00-\x1f]+"


class ValueGrammar:
    """The rules for the values of one argument, collected while its schema is walked.

    `tool` and `path` are for messages, `prefix` keeps rule names of several arguments apart. `close` is the text that
    ends a bare string and stands behind every value of a notation with bare strings.
    """

    def __init__(
        self,
        notation: Notation,
        schema: Mapping[str, Any],
        markup: Markup,
        tool: str,
        path: str,
        prefix: str,
        close: str,
    ) -> None:
        self._notation = notation
        self._root = schema
        self._markup = markup
        self._tool = tool
        self._path = path
        self._prefix = prefix
        self._close = close
        self._by_reference: dict[str, str] = {}
        self._names = 0
        self.rules: list[str] = []

    def write(self) -> str:
        """The term for the argument's values; `rules` are complete then."""
        own = self._root.get("x-guidance", {})
        if self._notation.is_json:
            return self._json({**self._root, "x-guidance": {**own, **guidance(self._notation)}})
        return self._value(self._root, self._path)

    def _value(self, schema: Any, path: str) -> str:
        if not isinstance(schema, Mapping):
            schema = {} if schema else {"enum": []}
        if not set(schema) - _ANNOTATIONS:
            return self._anything(path)
        if "$ref" in schema:
            return self._reference(schema, path)
        if "oneOf" in schema:
            raise self._error(f"{path}.oneOf", "'oneOf', as nothing shows that no value fits two of its schemas")
        if "anyOf" in schema:
            return self._alternatives(schema, "anyOf", path)
        if "allOf" in schema and len(schema["allOf"]) == 1:
            return self._value(self._merged(schema, "allOf", schema["allOf"][0], path), path)
        self._refuse_unknown(schema, path)
        if "enum" in schema or "const" in schema:
            return self._members(schema, path)
        types = admitted_types(schema, self._root)
        wanted = [name for name in _OF_TYPE if name in types and not (name == "integer" and "number" in types)]
        return any_of(self._of_type(name, schema, path) for name in wanted)

    def _anything(self, path: str) -> str:
        """Any value: one rule, which goes back to itself in lists and objects."""
        name = f"{self._prefix}_any"
        if name not in self._by_reference:
            self._by_reference[name] = name
            self.rules.append(f"{name}: {any_of(self._of_type(each, {}, path) for each in _ANY_TYPES)}")
        return name

    def _reference(self, schema: Mapping[str, Any], path: str) -> str:
        reference = schema["$ref"]
        if set(schema) - _ANNOTATIONS - {"$ref"}:
            raise self._error(path, "'$ref' beside other keywords")
        if reference not in self._by_reference:
            name = self._by_reference[reference] = f"{self._prefix}_ref_{len(self._by_reference)}"
            try:
                target = resolve(reference, self._root)
            except (KeyError, IndexError, ValueError, TypeError):
                raise self._error(path, f"'$ref': {reference!r} is not in this schema") from None
            self.rules.append(f"{name}: {self._value(target, f'{path}.$ref')}")
        return self._by_reference[reference]

    def _alternatives(self, schema: Mapping[str, Any], keyword: str, path: str) -> str:
        options = (self._merged(schema, keyword, option, path) for option in schema[keyword])
        return any_of(self._value(option, f"{path}.{keyword}[{index}]") for index, option in enumerate(options))

    def _merged(self, schema: Mapping[str, Any], keyword: str, option: Any, path: str) -> Mapping[str, Any]:
        """`option` with the keywords that stand beside `keyword`; the same one on both sides is refused."""
        beside = {key: value for key, value in schema.items() if key != keyword and key not in _ANNOTATIONS}
        inner = dict(option) if isinstance(option, Mapping) else {}
        for key in sorted(beside.keys() & inner.keys()):
            if beside[key] != inner[key]:
                raise self._error(path, f"{key!r} beside {keyword!r} and in it")
        if beside and "$ref" in inner:
            raise self._error(path, f"{sorted(beside)[0]!r} beside a '$ref' in {keyword!r}")
        return {**beside, **inner}

    def _refuse_unknown(self, schema: Mapping[str, Any], path: str) -> None:
        unknown = sorted(
            key for key in schema if key not in _KNOWN | _ANNOTATIONS | {"enum", "const"} and not key.startswith("x-")
        )
        if unknown:
            raise self._error(f"{path}.{unknown[0]}", repr(unknown[0]))

    def _members(self, schema: Mapping[str, Any], path: str) -> str:
        """One of an enum's members, those that have the declared type."""
        if beside := sorted(set(schema) - _ANNOTATIONS - {"type"} - {"const" if "const" in schema else "enum"}):
            raise self._error(f"{path}.{beside[0]}", f"{beside[0]!r} beside members")
        members = [schema["const"]] if "const" in schema else schema["enum"]
        allowed = [m for m in members if admitted_types({"const": m}, {}) & admitted_types(schema, self._root)]
        if not allowed:
            raise self._error(path, "an enum without a member that the schema allows")
        return any_of(self._closed(self._member_terms(member)) for member in allowed)

    def _member_terms(self, member: Any) -> str:
        text = write_value(self._notation, member)
        mark = self._notation.string_mark
        if self._notation.escapes_strings or not isinstance(member, str) or self._notation.bare_strings:
            return literal(text) if text else '""'
        return self._sequence(self._markup.terms(mark), literal(member), self._markup.terms(mark))

    def _of_type(self, name: str, schema: Mapping[str, Any], path: str) -> str:
        if name == "string":
            return self._string(schema, path)
        if name == "boolean":
            return any_of(self._closed(literal(word)) for word in (self._notation.true, self._notation.false))
        if name == "null":
            return self._closed(literal(self._notation.null))
        if name in ("integer", "number") or self._notation.bare_strings:
            kept = {key: value for key, value in schema.items() if key in _OF_TYPE[name] or key in _ANNOTATIONS}
            definitions = {key: self._root[key] for key in ("$defs", "definitions") if key in self._root}
            return self._closed(self._json({**definitions, **kept, "type": name, **_guidance(self._root)}))
        return self._array(schema, path) if name == "array" else self._object(schema, path)

    def _string(self, schema: Mapping[str, Any], path: str) -> str:
        if self._notation.escapes_strings and not self._notation.bare_strings:
            kept = {key: schema[key] for key in STRING_KEYWORDS if key in schema}
            return self._rule(_json({"type": "string", **kept, **_guidance(self._root)}))
        mark = "" if self._notation.bare_strings else self._notation.string_mark
        try:
            patterns = string_patterns(schema)
        except ValueError as error:
            raise self._error(path, str(error)) from None
        return self._sequence(self._markup.terms(mark), self._text_up_to(patterns, mark or self._close))

    def _text_up_to(self, patterns: Sequence[str], end: str) -> str:
        """Text that matches all `patterns` and does not have `end` in it, and then `end`.

        Where `end` begins with ordinary text, the two are one lazy lexeme, since nothing else tells where it begins.
        """
        name = self._new_name("text")
        body = " & ".join(f"{regex(pattern)}" for pattern in patterns)
        first, *others = self._markup.pieces(end)
        self.rules.append(f"{name.upper()}_BODY: ({body}) & ~{regex(without(first))}")
        if self._markup.is_marker(first):
            return self._sequence(f"{name.upper()}_BODY", self._markup.terms(end))
        self.rules.append(f"{name.upper()}: {name.upper()}_BODY {literal(first)}")
        self.rules.append(f"{name}[lazy]: {name.upper()}")
        return self._sequence(name, self._markup.terms("".join(others)))

    def _array(self, schema: Mapping[str, Any], path: str) -> str:
        first = [self._value(item, f"{path}.prefixItems[{i}]") for i, item in enumerate(schema.get("prefixItems", ()))]
        items = schema.get("items", True)
        least, most = schema.get("minItems", 0), len(first) if items is False else schema.get("maxItems")
        if least < len(first) or (most is not None and most < max(least, len(first))):
            raise self._error(path, f"{len(first)} prefixItems with minItems {least} and maxItems {most}")
        separator = f" {literal(self._notation.item_separator)} "
        if most == len(first):
            return self._sequence('"["', separator.join(first), '"]"')
        item = self._value(items, f"{path}.items")
        start = first or [item]
        more = f"({separator}{item}){_times(least - len(start), most, len(start))}"
        body = f"({separator.join(start)} {more})"
        return self._sequence('"["', body if least else f"{body}?", '"]"')

    def _object(self, schema: Mapping[str, Any], path: str) -> str:
        properties = schema.get("properties", {})
        required = schema.get("required", [])
        for name in required:
            if name not in properties:
                raise self._error(f"{path}.required", f"{name!r}, which is not among the properties")
        others = schema.get("additionalProperties", not properties)
        base = self._new_name("object")
        self.rules += self._object_end(base, len(properties), others, path)
        for index, (name, inner) in reversed(list(enumerate(properties.items()))):
            value = self._value(inner, f"{path}.properties.{name}")
            for left in (False, True):
                member = self._sequence(self._separator(left), self._key(name, path), value, f"{base}_{index + 1}_more")
                skipped = "" if name in required else f" | {base}_{index + 1}_{_LEFT[left]}"
                self.rules.append(f"{base}_{index}_{_LEFT[left]}: {member}{skipped}")
        return self._sequence('"{"', f"{base}_0_first")

    def _object_end(self, base: str, index: int, others: Any, path: str) -> list[str]:
        """Rules for what may stand behind the last declared member: other members where they are allowed."""
        if others is False:
            return [f'{base}_{index}_{left}: "}}"' for left in _LEFT]
        member = self._sequence(self._any_key(), self._value(others, f"{path}.additionalProperties"))
        more = f"({self._separator(True)} {member})*"
        return [f'{base}_{index}_first: ({member} {more})? "}}"', f'{base}_{index}_more: {more} "}}"']

    def _key(self, name: str, path: str) -> str:
        if not self._notation.quotes_keys and (not name or set(name) & set(":,{}[]\n") or name != name.strip()):
            raise self._error(f"{path}.properties.{name}", f"{name!r} as a key without quotes")
        return literal((json.dumps(name, ensure_ascii=False) if self._notation.quotes_keys else name) + self._colon)

    def _any_key(self) -> str:
        string = self._rule(_json({"type": "string", **_guidance(self._root)}))
        return f"{string if self._notation.quotes_keys else regex(_PLAIN_KEY)} {literal(self._colon)}"

    @property
    def _colon(self) -> str:
        return self._notation.key_separator

    def _separator(self, has_left: bool) -> str:
        return literal(self._notation.item_separator) if has_left else ""

    def _closed(self, term: str) -> str:
        """`term` and what ends a value, in notations where that belongs to the value's rule."""
        return self._sequence(term, self._markup.terms(self._close)) if self._notation.bare_strings else term

    def _json(self, schema: Mapping[str, Any]) -> str:
        """The rule for values that are JSON text; raises ValueError where there are none."""
        name = self._new_name("json")
        self.rules += json_rules(name, schema)
        return name

    def _rule(self, body: str) -> str:
        name = self._new_name("value")
        self.rules.append(f"{name}: {body}")
        return name

    def _new_name(self, kind: str) -> str:
        self._names += 1
        return f"{self._prefix}_{kind}_{self._names}"

    def _sequence(self, *terms: str) -> str:
        return "(" + " ".join(term for term in terms if term) + ")"

    def _error(self, path: str, problem: str) -> ToolError:
        return ToolError(self._tool, path, f"the {self._notation.name} notation cannot enforce {problem}")


_LEFT = ("first", "more")


def _json(schema: Mapping[str, Any]) -> str:
    return f"%json {json.dumps(schema)}"


def _guidance(schema: Mapping[str, Any]) -> dict[str, Any]:
    """How llguidance writes the leaves: as JSON, but without the escape that other languages do not know."""
    return {"x-guidance": {**schema.get("x-guidance", {}), "json_allowed_escapes": 'nrbtf\\"u'}}


def _times(least: int, most: int | None, already: int) -> str:
    """How often a further item may come, where `already` are there."""
    if most is None:
        return "*" if least <= 0 else f"{{{least},}}"
    return f"{{{max(0, least)},{most - already}}}"
