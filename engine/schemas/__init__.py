"""What of a tool's JSON Schema is enforced, what cannot be, and the grammar of the values that are left."""

from engine.schemas.enforced import (
    Enforced,
    argument_path,
    enforce,
    explain,
    tying_keywords,
    untried_schema,
    value_schema,
)
from engine.schemas.json_rules import json_rules

__all__ = [
    "Enforced",
    "argument_path",
    "enforce",
    "explain",
    "json_rules",
    "tying_keywords",
    "untried_schema",
    "value_schema",
]
