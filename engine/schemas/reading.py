"""A tool's schema as its author wrote it, turned into the schema that is enforced.

What comes out is plain JSON Schema 2020-12 of the keywords that llguidance keeps, with the definitions that it refers
to. Annotations are gone; older drafts' and OpenAPI's spellings are translated; objects are closed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import ToolError
from engine.json_path import child, shown
from engine.schemas.closing import closes, declared_names
from engine.schemas.disjoint import all_disjoint
from engine.schemas.keywords import (
    FORMATS,
    FORMATS_OF_ANY_NUMBER,
    FORMATS_OF_ANY_TEXT,
    INTEGER_FORMATS,
    TYPES,
    unsupported,
)
from engine.schemas.members import LIMITS, members_of_type, members_within
from engine.schemas.merging import merged
from engine.schemas.patterns import translate_pattern
from engine.schemas.references import UnresolvedError, below, resolve

ROOT = "$.parameters"

_MOST_DEEP = 64
"""Schemas within one another: everything that walks them does so by recursion."""

_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_ORDERED = ("properties", "$ref", "allOf")
"""Keywords that declare properties: the first one's come first."""

_PLURAL = ("allOf", "anyOf", "oneOf")


class Reader:
    """Reads parts of one tool's schema, and keeps the definitions that they refer to.

    `leave_out` holds the paths of keywords that are passed over, with the reason, and `coerced` those of `oneOf` that
    are read as `anyOf`. With `lenient`, what cannot be enforced is passed over too. Each leaves a warning.
    """

    def __init__(
        self,
        tool: str,
        root: Mapping[str, Any],
        lenient: bool = False,
        leave_out: Mapping[str, str] | None = None,
    ) -> None:
        self._tool = tool
        self._root = root
        self._lenient = lenient
        self._leave_out = leave_out or {}
        self._names: dict[tuple[tuple[str, ...], bool], str] = {}
        self._inlining: list[tuple[str, ...]] = []
        self._depth = 0
        self.definitions: dict[str, Any] = {}
        self.warnings: list[str] = []

    def read(self, schema: Any, path: str, inherited: Sequence[str] = (), is_part: bool = False) -> Any:
        """The enforced form of `schema`, which stands at `path`.

        `inherited` are names that an object may have by what stands around the schema. A schema that `is_part` of an
        `allOf` is left open: the whole is closed instead. Raises ToolError.
        """
        if isinstance(schema, bool) and not inherited:
            return schema
        if isinstance(schema, bool):
            return {"properties": dict.fromkeys(inherited, True), "additionalProperties": False} if schema else False
        if not isinstance(schema, Mapping):
            raise self._error(path, f"expected a schema, found {shown(schema)}")
        if self._depth == _MOST_DEEP:
            raise self._error(path, f"nested more than {_MOST_DEEP} schemas deep")
        self._depth += 1
        kept = self._kept(schema, path)
        nullable = kept.pop("nullable", False)
        self._check_type(nullable, bool, child(path, "nullable"))
        enforced = self._read_kept(kept, path, inherited, is_part)
        self._depth -= 1
        return {"anyOf": [enforced, {"type": "null"}]} if nullable else enforced

    def _read_kept(self, schema: dict[str, Any], path: str, inherited: Sequence[str], is_part: bool) -> dict[str, Any]:
        only = self._only_part(schema, path)
        if only is not None:
            part, part_path = only
            enforced: dict[str, Any] = self.read(part, part_path, inherited, is_part)
            return enforced
        out = self._types(schema, path)
        out |= self._members(schema, path, out.get("type"))
        out |= self._numbers(schema, path)
        out |= self._strings(schema, path)
        out |= self._counts(schema, path)
        self._limit_members(out, path)
        out |= self._array(schema, path)
        out |= self._object(schema, path)
        return self._combined(out, schema, path, inherited, is_part)

    def _only_part(self, schema: Mapping[str, Any], path: str) -> tuple[Any, str] | None:
        """The one schema of an `allOf` that holds nothing else, as tools of Pydantic's first version have it."""
        meaningful = [keyword for keyword in schema if keyword in _MEANINGFUL]
        parts = schema.get("allOf")
        if meaningful == ["allOf"] and isinstance(parts, list) and len(parts) == 1:
            return parts[0], child(child(path, "allOf"), 0)
        return None

    def _kept(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        """The schema without the keywords that are passed over."""
        passed_over = set()
        for keyword in unsupported(schema):
            self.refuse(child(path, keyword), "this keyword cannot be enforced")
            passed_over.add(keyword)
        for keyword in schema:
            where = child(path, keyword)
            if where in self._leave_out:
                self.refuse(where, self._leave_out[where])
                passed_over.add(keyword)
        return {keyword: value for keyword, value in schema.items() if keyword not in passed_over}

    # One kind of keywords each

    def _types(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        if "type" not in schema:
            return {}
        where = child(path, "type")
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        for name in names:
            if name not in TYPES:
                self.refuse(where, f"unknown type {shown(name)}; choose among {', '.join(TYPES)}")
                return {}
        if not names:
            raise self._error(where, "no type is left: no value can have one of none")
        return {"type": names[0] if len(names) == 1 else list(dict.fromkeys(names))}

    def _members(self, schema: Mapping[str, Any], path: str, types: Any) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for keyword, members in (("enum", schema.get("enum")), ("const", [schema.get("const")])):
            if keyword not in schema:
                continue
            where = child(path, keyword)
            if not isinstance(members, list) or not members:
                raise self._error(where, f"expected a list of members, found {shown(members)}")
            fitting = members_of_type(members, types)
            if not fitting:
                raise self._error(where, f"no member is of type {shown(types)}")
            out |= {"enum": fitting} if keyword == "enum" else {"const": fitting[0]}
        return out

    def _limit_members(self, out: dict[str, Any], path: str) -> None:
        """Bounds and lengths beside members leave those that keep them, and say nothing more."""
        keyword = next((key for key in ("const", "enum") if key in out), None)
        limits = {key: out.pop(key) for key in LIMITS if key in out} if keyword else {}
        if keyword is None or not limits:
            return
        members = members_within(out["enum"] if keyword == "enum" else [out["const"]], limits)
        if not members:
            raise self._error(child(path, keyword), f"no member keeps {shown(limits)}")
        out[keyword] = members if keyword == "enum" else members[0]

    def _numbers(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        out = {}
        for keyword in ("minimum", "maximum", "multipleOf"):
            if keyword in schema:
                out[keyword] = self._number(schema[keyword], child(path, keyword))
        for keyword, inclusive in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            value = schema.get(keyword, False)
            if value is True and inclusive in out:
                # Draft 4 has a flag beside the bound.
                out[keyword] = out.pop(inclusive)
            elif not isinstance(value, bool):
                out[keyword] = self._number(value, child(path, keyword))
        if out.get("multipleOf", 1) <= 0:
            raise self._error(child(path, "multipleOf"), f"expected more than 0, found {out['multipleOf']}")
        return out

    def _strings(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        out = {}
        if "pattern" in schema:
            where = child(path, "pattern")
            self._check_type(schema["pattern"], str, where)
            out["pattern"] = translate_pattern(schema["pattern"])
        return out | self._format(schema, path)

    def _format(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        name = schema.get("format")
        if name is None or name in FORMATS_OF_ANY_TEXT or name in FORMATS_OF_ANY_NUMBER:
            return {}
        if name in FORMATS:
            return {"format": name}
        if schema.get("type") == "integer" and name in INTEGER_FORMATS:
            return self._integer_format(schema, path, *INTEGER_FORMATS[name])
        self.refuse(child(path, "format"), f"format {shown(name)} cannot be enforced")
        return {}

    def _integer_format(self, schema: Mapping[str, Any], path: str, least: int, greatest: int) -> dict[str, Any]:
        own = self._numbers(schema, path)
        return {
            "minimum": max(own.get("minimum", least), least),
            "maximum": min(own.get("maximum", greatest), greatest),
        }

    def _counts(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        return {key: self._count(schema[key], child(path, key)) for key in _COUNTS if key in schema}

    def _array(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        first, others = schema.get("prefixItems"), schema.get("items")
        first_key, others_key = "prefixItems", "items"
        if isinstance(others, list):
            # Up to draft 2019-09 `items` could be a list, with `additionalItems` for the others.
            first, others = others, schema.get("additionalItems")
            first_key, others_key = "items", "additionalItems"
        out: dict[str, Any] = {}
        if first is not None:
            where = child(path, first_key)
            self._check_type(first, list, where)
            out["prefixItems"] = [self.read(each, child(where, index)) for index, each in enumerate(first)]
        if others is not None:
            out["items"] = self.read(others, child(path, others_key))
        return out

    def _object(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for keyword in ("properties", "patternProperties"):
            if keyword in schema:
                where = child(path, keyword)
                self._check_type(schema[keyword], Mapping, where)
                members = schema[keyword].items()
                out[keyword] = {name: self.read(each, child(where, name)) for name, each in members}
        if "required" in schema:
            self._check_names(schema["required"], child(path, "required"))
            out["required"] = list(schema["required"])
        if "additionalProperties" in schema:
            out["additionalProperties"] = self.read(schema["additionalProperties"], child(path, "additionalProperties"))
        return out | self._property_names(schema, out, path)

    def _property_names(self, schema: Mapping[str, Any], out: Mapping[str, Any], path: str) -> dict[str, Any]:
        """`propertyNames`, where it says the same as a pattern or a list of keys does."""
        names = schema.get("propertyNames", True)
        where = child(path, "propertyNames")
        if not isinstance(names, Mapping):
            return {} if names is True else self._refused(where)
        limits = {key: names[key] for key in names if key in _MEANINGFUL and (key, names[key]) != ("type", "string")}
        others = out.get("additionalProperties", schema.get("unevaluatedProperties", True))
        if not limits:
            return {}
        if "properties" in out or "patternProperties" in out:
            return self._refused(where)
        if limits.keys() == {"pattern"}:
            pattern = self._strings(names, where)["pattern"]
            return {"patternProperties": {pattern: others}, "additionalProperties": False}
        if limits.keys() == {"enum"}:
            keys = [key for key in self._members(names, where, "string")["enum"] if isinstance(key, str)]
            return {"properties": dict.fromkeys(keys, others), "additionalProperties": False}
        return self._refused(where)

    def _refused(self, where: str) -> dict[str, Any]:
        self.refuse(where, "this keyword cannot be enforced")
        return {}

    # Schemas that are combined, and closed

    def _combined(
        self, own: dict[str, Any], schema: Mapping[str, Any], path: str, inherited: Sequence[str], is_part: bool
    ) -> dict[str, Any]:
        """A schema's `own` keywords with those that combine schemas.

        Closed, so that an object that declares properties has no others unless the schema says so.
        """
        is_closed = schema.get("unevaluatedProperties") is False or (
            not is_part and (bool(inherited) or closes(schema, self._root))
        )
        is_alone = not (own or inherited or is_part) and not any(key in schema for key in _PLURAL)
        if "$ref" in schema and is_alone:
            return self._reference(schema["$ref"], path, is_open=False)
        parts = [self._inlined(schema["$ref"], path)] if "$ref" in schema else []
        if "allOf" in schema:
            parts += self._parts(schema, "allOf", path, (), is_part=True)
        choices = [keyword for keyword in ("anyOf", "oneOf") if keyword in schema]
        chosen = [self._choice(each, choices, schema, path, inherited if is_closed else None) for each in choices]
        is_own_first = next((key for key in schema if key in _ORDERED), "properties") == "properties"
        out = _all_of([*([own, *parts] if is_own_first else [*parts, own]), *chosen])
        if is_closed and not choices:
            names = dict.fromkeys((*inherited, *declared_names(schema, self._root)), True)
            out |= {"properties": out.get("properties", {}) | _others(names, out), "additionalProperties": False}
        return out

    def _choice(
        self,
        keyword: str,
        choices: Sequence[str],
        schema: Mapping[str, Any],
        path: str,
        inherited: Sequence[str] | None,
    ) -> dict[str, Any]:
        """`anyOf` or `oneOf`, one of a schema's `choices`.

        Where `inherited` names are given, the branches of the last one are what is closed.
        """
        is_last = inherited is not None and keyword == choices[-1]
        around = {key: value for key, value in schema.items() if key != keyword}
        names = (*(inherited or ()), *declared_names(around, self._root)) if is_last else ()
        branches = self._parts(schema, keyword, path, names, is_part=not is_last)
        return self._alternatives(keyword, branches, child(path, keyword))

    def _parts(
        self, schema: Mapping[str, Any], keyword: str, path: str, inherited: Sequence[str], is_part: bool
    ) -> list[Any]:
        where = child(path, keyword)
        self._check_type(schema[keyword], list, where)
        if not schema[keyword]:
            raise self._error(where, "expected one schema at least")
        return [self.read(each, child(where, index), inherited, is_part) for index, each in enumerate(schema[keyword])]

    def _alternatives(self, keyword: str, branches: Sequence[Any], where: str) -> dict[str, Any]:
        """`oneOf` is `anyOf` where no value can fit two branches; where it may not be, llguidance has the last word."""
        possible = [branch for branch in branches if branch is not False]
        if not possible:
            raise self._error(where, "no value is allowed")
        if keyword == "oneOf" and f"{where} as anyOf" in self._leave_out:
            self.refuse(where, self._leave_out[f"{where} as anyOf"], "read as anyOf")
        elif keyword == "oneOf" and not all_disjoint(possible, self.definitions):
            return {"oneOf": possible}
        return {} if any(branch in (True, {}) for branch in possible) else {"anyOf": possible}

    def _inlined(self, reference: Any, path: str) -> Any:
        """What a reference refers to, to be merged; by its name where it is being read already."""
        resolved = self._resolved(reference, path)
        if resolved is None or resolved[0] in self._inlining:
            return self._reference(reference, path, is_open=True) if resolved else True
        keys, target = resolved
        self._inlining.append(keys)
        schema = self.read(target, below(ROOT, keys), is_part=True)
        self._inlining.pop()
        return schema

    def _resolved(self, reference: Any, path: str) -> tuple[tuple[str, ...], Any] | None:
        try:
            return resolve(self._root, reference)
        except UnresolvedError as error:
            self.refuse(child(path, "$ref"), str(error))
            return None

    def _reference(self, reference: Any, path: str, is_open: bool) -> dict[str, Any]:
        resolved = self._resolved(reference, path)
        if resolved is None:
            return {}
        keys, target = resolved
        name = self._names.get((keys, is_open))
        if name is None:
            name = self._names[keys, is_open] = self._new_name(keys)
            # A definition may refer to itself: it has its name before it is read.
            self.definitions[name] = {}
            self.definitions[name] = self.read(target, below(ROOT, keys), is_part=is_open)
        return {"$ref": f"#/$defs/{name}"}

    def _new_name(self, keys: Sequence[str]) -> str:
        last = "".join(char for char in (keys[-1] if keys else "") if char.isascii() and char.isalnum()) or "root"
        return last if last not in self.definitions else f"{last}_{len(self.definitions)}"

    # Checks

    def refuse(self, where: str, problem: str, instead: str = "not enforced") -> None:
        """Raise for what cannot be enforced, or leave a warning where that is wanted."""
        if not self._lenient:
            raise self._error(where, problem)
        self.warnings.append(f"tool {self._tool!r}: {where}: {problem}; {instead}")

    def _error(self, where: str, problem: str) -> ToolError:
        return ToolError(self._tool, where, problem)

    def _check_type(self, value: Any, kind: type, where: str) -> None:
        if not isinstance(value, kind):
            names = {list: "a list", str: "a text", bool: "true or false", Mapping: "an object"}
            raise self._error(where, f"expected {names[kind]}, found {shown(value)}")

    def _check_names(self, names: Any, where: str) -> None:
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise self._error(where, f"expected a list of names, found {shown(names)}")

    def _count(self, value: Any, where: str) -> int:
        """A count; drafts from 6 on allow 2.0 for 2."""
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or value != int(value):
            raise self._error(where, f"expected a whole number from 0 on, found {shown(value)}")
        return int(value)

    def _number(self, value: Any, where: str) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._error(where, f"expected a number, found {shown(value)}")
        return value


def _all_of(parts: Sequence[Any]) -> dict[str, Any]:
    """One schema for all that apply to a value, in the order of writing, or `allOf` where they do not merge."""
    meant = [part for part in parts if part != {}]
    whole = merged(meant)
    return {"allOf": meant} if whole is None else whole


def _others(names: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The names that a schema does not declare itself."""
    return {name: value for name, value in names.items() if name not in schema.get("properties", {})}


_MEANINGFUL = frozenset(
    (
        *("type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "pattern", "format", "prefixItems", "items", "additionalItems", "minItems"),
        *("maxItems", "properties", "patternProperties", "additionalProperties", "required", "propertyNames"),
        *("minProperties", "maxProperties", "unevaluatedProperties", "$ref", "allOf", "anyOf", "oneOf"),
    )
)
