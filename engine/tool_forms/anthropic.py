"""Anthropic's tools: `name`, `description`, `input_schema` (Messages API).

`type: custom`, `cache_control` and `input_examples` say nothing about what a call may hold.
"""

from collections.abc import Mapping
from typing import Any

from engine.tool_forms.definition import OVERRIDE_KEY, Definition


def read_anthropic(item: Mapping[str, Any]) -> Definition:
    """The definition of one entry of the `tools` of a request."""
    return Definition(
        name=item.get("name"),
        description=item.get("description"),
        parameters=item["input_schema"],
        parameters_path="$.input_schema",
        annotations=item.get("annotations"),
        override=item.get(OVERRIDE_KEY),
    )
