"""Where a `$ref` points to: local JSON pointers, relative to the tool's whole schema."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from engine.json_path import child, shown


class UnresolvedError(Exception):
    """A reference that leads nowhere here; its text says why."""


def resolve(root: Mapping[str, Any], reference: Any) -> tuple[tuple[str, ...], Any]:
    """The path of a reference's target within `root`, as keys, and the target.

    `#` is `root` itself. Raises UnresolvedError where it points outside or nowhere.
    """
    if not isinstance(reference, str):
        raise UnresolvedError(f"expected a text, found {shown(reference)}")
    own_address = root.get("$id")
    if isinstance(own_address, str) and own_address:
        reference = reference.removeprefix(own_address.rstrip("#"))
    if not reference.startswith("#"):
        raise UnresolvedError(f"{reference!r} is outside the tool's schema, and nothing is fetched")
    pointer = unquote(reference[1:])
    if pointer and not pointer.startswith("/"):
        raise UnresolvedError(f"{reference!r} is no JSON pointer; anchors are not followed")
    path = tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    return path, _at(root, path, reference)


def below(path: str, keys: Sequence[str]) -> str:
    """The JSON path that leads on from `path` through the keys of a pointer."""
    for key in keys:
        path = child(path, int(key) if key.isdigit() else key)
    return path


def _at(root: Any, path: Sequence[str], reference: str) -> Any:
    target = root
    for key in path:
        if isinstance(target, Mapping) and key in target:
            target = target[key]
        elif isinstance(target, list) and key.isdigit() and int(key) < len(target):
            target = target[int(key)]
        else:
            raise UnresolvedError(f"{reference!r} is not there: the tool's schema has no {key!r} in that place")
    return target
