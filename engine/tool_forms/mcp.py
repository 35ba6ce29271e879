"""MCP's tools, as a server lists them: `name`, `title`, `description`, `inputSchema`, `annotations`.

From the specification's schema (2025-06-18, `Tool` and `ToolAnnotations`). `title` is for display, so the model reads
it only where there is no description. `outputSchema` and `_meta` say nothing about a call.
"""

from collections.abc import Mapping
from typing import Any

from engine.tool_forms.definition import OVERRIDE_KEY, Definition


def read_mcp(item: Mapping[str, Any]) -> Definition:
    """The definition of one entry of `tools/list`."""
    description = item.get("description")
    title = "" if description else _title(item)
    return Definition(
        name=item.get("name"),
        description=title or description,
        parameters=item["inputSchema"],
        parameters_path="$.inputSchema",
        annotations=item.get("annotations"),
        override=item.get(OVERRIDE_KEY),
        words_tell=False,
        changes=("$.description: taken from the title",) if title else (),
    )


def _title(item: Mapping[str, Any]) -> str:
    annotations = item.get("annotations")
    of_annotations = annotations.get("title") if isinstance(annotations, Mapping) else None
    title = item.get("title") or of_annotations
    return title if isinstance(title, str) else ""
