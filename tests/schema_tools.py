"""A tool with one argument of a given schema among definitions to refer to, and what a call of it may say."""

from typing import Any

from toy_vocabulary import byte_vocabulary

from engine.formats import QWEN
from engine.tools import Tool
from engine.toolset import Toolset

NODE = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}}, "required": ["v"]}
CAT = {"type": "object", "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}}, "required": ["kind"]}
DOG = {"type": "object", "properties": {"kind": {"const": "dog"}, "barks": {"type": "boolean"}}, "required": ["kind"]}
ROOT = {
    "type": "object",
    "properties": {"a": True, "color": {"$ref": "#/$defs/Color"}},
    "$defs": {
        "Color": {"type": "string", "enum": ["red", "green"]},
        "Node": NODE,
        "Cat": CAT,
        "Dog": DOG,
        "Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        "odd/name ~": {"const": 1},
        "Base": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        "Open": {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": True},
    },
    "definitions": {"Old": {"type": "boolean"}},
}


def tool_with(schema: Any, root: dict[str, Any] = ROOT) -> Tool:
    return Tool("get", "", {**root, "properties": {**root["properties"], "a": schema}, "required": ["a"]})


def accepts(schema: Any, text: str, lenient: bool = False) -> bool:
    """Whether a call may have `text` for the value of an argument of this schema, byte by byte."""
    vocabulary = byte_vocabulary()
    constraint = Toolset((tool_with(schema),), QWEN, vocabulary, lenient).call_constraint()
    for token in vocabulary.encode(QWEN.head("get") + QWEN.lead("a", True) + text + QWEN.end(True)):
        if constraint.is_finished or not constraint.allows(token):
            return False
        constraint.advance(token)
    return constraint.is_finished
