"""The layout of values for llguidance's converter of JSON Schema."""

from typing import Any

from engine.notation import Notation


def guidance(notation: Notation) -> dict[str, Any]:
    """A schema's `x-guidance` for a notation: its separators, and no other whitespace."""
    separators = {"item_separator": notation.item_separator, "key_separator": notation.key_separator}
    return {"whitespace_flexible": False, **separators}
