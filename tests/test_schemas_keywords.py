"""What happens to keywords that say nothing of a value, and to those that tie arguments together."""

import re

import pytest
from schema_tools import tool_with
from toy_vocabulary import byte_vocabulary

from engine.errors import ToolError
from engine.formats import QWEN
from engine.schemas import enforce
from engine.tools import Tool
from engine.toolset import Toolset

ANNOTATIONS = {
    "title": "t",
    "description": "d",
    "default": 1,
    "examples": [1],
    "deprecated": True,
    "readOnly": True,
    "writeOnly": True,
    "$comment": "c",
    "$id": "x",
    "$anchor": "a",
    "$schema": "s",
    "contentEncoding": "base64",
    "contentMediaType": "m",
    "contentSchema": {},
    "x-order": 1,
    "discriminator": {},
    "optional": True,
    "xml": {},
    "$dynamicAnchor": "a",
    "then": {},
    "else": {},
    "minContains": 2,
    "maxContains": 2,
    "additionalItems": False,
    "dependentRequired": {},
    "unevaluatedItems": True,
    "uniqueItems": False,
    "nullable": False,
}


@pytest.mark.parametrize("keyword", ANNOTATIONS)
def test_annotations_and_what_limits_nothing_change_nothing(keyword):
    plain = enforce(tool_with({"type": "string", "maxLength": 3}), "a")
    assert enforce(tool_with({"type": "string", "maxLength": 3, keyword: ANNOTATIONS[keyword]}), "a") == plain


@pytest.mark.parametrize(
    ("parameters", "path"),
    [
        ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, "$.parameters.anyOf"),
        ({"oneOf": [{"required": ["a"]}]}, "$.parameters.oneOf"),
        ({"allOf": [{"required": ["a"]}]}, "$.parameters.allOf"),
        ({"not": {"required": ["a"]}}, "$.parameters.not"),
        ({"if": {"required": ["a"]}}, "$.parameters.if"),
        ({"minProperties": 1}, "$.parameters.minProperties"),
        ({"maxProperties": 1}, "$.parameters.maxProperties"),
        ({"dependentRequired": {"a": ["b"]}}, "$.parameters.dependentRequired"),
        ({"$ref": "#/$defs/X"}, "$.parameters.$ref"),
        ({"patternProperties": {"^a": {"type": "string"}}}, "$.parameters.patternProperties"),
        ({"minProperties": 1, "required": ["a"]}, None),
        ({"maxProperties": 2}, None),
        ({"dependentRequired": {}, "allOf": []}, None),
        ({"additionalProperties": False, "title": "t"}, None),
    ],
)
def test_keywords_that_tie_arguments_together_are_refused_or_left_out_with_a_warning(parameters, path):
    tool = Tool("get", "", {"properties": {"a": {}, "b": {}}, **parameters})
    toolset, lenient = (Toolset((tool,), QWEN, byte_vocabulary(), is_lenient) for is_lenient in (False, True))
    lenient.compile()
    if path is None:
        toolset.compile()
        assert lenient.warnings(tool) == ()
        return
    with pytest.raises(ToolError, match=re.escape(f"tool 'get': {path}: not supported here")):
        toolset.compile()
    assert [text.startswith(f"tool 'get': {path}: ") for text in lenient.warnings(tool)] == [True]
