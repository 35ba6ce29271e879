"""Values drawn from a JSON Schema by a seed, whatever a constraint makes of them."""

import random
from collections.abc import Mapping
from typing import Any

_TEXTS = ("Tokyo", "", "北京", 'say "hi"', "a\\b", "2024-02-29", "é", "</tool_call>", " x ", "10", "a\nb")
_OF_FORMAT = {
    "date": "2024-02-29",
    "date-time": "2024-02-29T10:00:00Z",
    "time": "10:00:00Z",
    "email": "ann@example.com",
    "uri": "https://example.com/a?b=c",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "192.0.2.1",
}
_DEPTH = 5


class SchemaValues:
    """Draws values that mostly keep a schema of tools; what keeps it for certain is for a validator to say."""

    def __init__(self, root: Mapping[str, Any], seed: str) -> None:
        self._root = root
        self._rng = random.Random(seed)

    def draw_arguments(self) -> dict[str, Any]:
        """Arguments of a call, the required ones first, each group in declared order."""
        properties, required = self._root.get("properties", {}), self._root.get("required", [])
        wanted = [name for name in properties if name in required]
        wanted += [name for name in properties if name not in required and self._rng.random() < 0.6]
        return {name: self.draw(properties[name]) for name in wanted}

    def draw(self, schema: Any, depth: int = _DEPTH) -> Any:
        """One value."""
        if not isinstance(schema, Mapping):
            return self._any(depth)
        if "$ref" in schema:
            return self.draw(self._target(schema["$ref"]), depth - 1)
        if "const" in schema:
            return schema["const"]
        if schema.get("enum"):
            return self._rng.choice(schema["enum"])
        for keyword in ("anyOf", "oneOf"):
            if schema.get(keyword):
                return self.draw(self._rng.choice(schema[keyword]), depth)
        if schema.get("allOf"):
            return self.draw(_merged(schema), depth)
        return self._typed(self._type(schema), schema, depth)

    def _type(self, schema: Mapping[str, Any]) -> str:
        named = schema.get("type", ["null", "boolean", "integer", "number", "string", "array", "object"])
        names: list[str] = named if isinstance(named, list) else [named]
        name: str = self._rng.choice(names)
        return name

    def _typed(self, name: str, schema: Mapping[str, Any], depth: int) -> Any:
        if name == "string":
            return self._text(schema)
        if name in ("integer", "number"):
            return self._number(name, schema)
        if name == "boolean":
            return self._rng.random() < 0.5
        if name == "array":
            return self._array(schema, depth)
        return self._object(schema, depth) if name == "object" else None

    def _any(self, depth: int) -> Any:
        return self._typed(self._type({}), {}, depth - 1) if depth > 0 else None

    def _text(self, schema: Mapping[str, Any]) -> str:
        if schema.get("format") in _OF_FORMAT:
            return _OF_FORMAT[schema["format"]]
        text = self._rng.choice(_TEXTS)
        least: int = schema.get("minLength", 0)
        most: int = schema.get("maxLength", least + len(text))
        return (text + "x" * max(0, least - len(text)))[:most]

    def _number(self, name: str, schema: Mapping[str, Any]) -> int | float:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -(10**6)))
        high = schema.get("maximum", schema.get("exclusiveMaximum", 10**6))
        step = schema.get("multipleOf", 1)
        if name == "integer" or self._rng.random() < 0.3:
            return int(self._rng.randint(int(low // step), int(high // step)) * step)
        return round(self._rng.uniform(low, high), self._rng.choice((1, 2, 6)))

    def _array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        first = schema.get("prefixItems", [])
        least = max(schema.get("minItems", 0), len(first))
        most = min(schema.get("maxItems", least + 2), least + 2) if depth > 0 else least
        count = self._rng.randint(least, max(least, most))
        others = schema.get("items", True)
        return [self.draw(first[i] if i < len(first) else others, depth - 1) for i in range(count)]

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        properties, required = schema.get("properties", {}), schema.get("required", [])
        wanted = [name for name in properties if name in required or (depth > 0 and self._rng.random() < 0.6)]
        drawn = {name: self.draw(properties[name], depth - 1) for name in wanted}
        if not properties and depth > 0:
            drawn |= {key: self.draw(schema.get("additionalProperties", True), depth - 1) for key in ("k", "x-y")}
        return drawn

    def _target(self, reference: str) -> Any:
        target: Any = self._root
        for key in reference.split("/")[1:]:
            target = target[key.replace("~1", "/").replace("~0", "~")]
        return target


def _merged(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with the parts of its `allOf` at the first level merged in."""
    merged = {key: value for key, value in schema.items() if key != "allOf"}
    for part in schema["allOf"]:
        for key, value in part.items():
            merged[key] = {**merged.get(key, {}), **value} if isinstance(value, Mapping) else value
    return merged
