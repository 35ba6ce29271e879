"""Patterns from ECMA-262's regular expressions, which JSON Schema uses, to those of llguidance."""

_OPERATORS_IN_CLASSES = frozenset("[&~")
"""Characters that stand for themselves in a class of ECMA-262, and nest or combine classes in llguidance's."""


def translate_pattern(pattern: str) -> str:
    """`pattern` with what means something else to llguidance escaped."""
    out: list[str] = []
    in_class = is_escaped = False
    for char in pattern:
        if is_escaped:
            is_escaped = False
        elif char == "\\":
            is_escaped = True
        elif in_class and char in _OPERATORS_IN_CLASSES:
            out.append("\\")
        elif char in "[]":
            in_class = char == "["
        out.append(char)
    return "".join(out)
