"""The numbers that the paper prints, as read from the file beside this one."""

import tomllib
from functools import cache
from pathlib import Path

from cost_models.json_node import JsonNode

PRINTED = Path(__file__).with_suffix(".toml")


def printed(*path: str) -> JsonNode:
    """What is printed at `path`, as `printed("table_7", "constrained")`; raises CostModelError where nothing is."""
    node = _root()
    for name in path:
        node = _member(node, name)
    return node


def printed_number(*path: str) -> float:
    """The number that is printed at `path`."""
    return printed(*path).number()


def _member(node: JsonNode, name: str) -> JsonNode:
    members = node.members()
    if name not in members:
        raise node.wrong(f"an object with {name}, among: {', '.join(members)}")
    return members[name]


@cache
def _root() -> JsonNode:
    return JsonNode(tomllib.loads(PRINTED.read_text(encoding="utf-8")), PRINTED.name)
