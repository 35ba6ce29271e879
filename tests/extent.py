"""How much of each test is run: SCHEMAWEAVER_TESTS=all, which `make test-all` sets, asks for all of it.

Otherwise a product of formats, vocabularies and the like is cut down to combinations in which each of them still comes
up, and properties are tried on few examples where a vocabulary of the same kind has them in full.
"""

import os
from collections.abc import Sequence
from itertools import product
from typing import Any

IN_FULL = os.environ.get("SCHEMAWEAVER_TESTS") == "all"
FEW = 6
"""Examples of a property whose other examples tell the same."""


def rotated(first: Sequence[Any], second: Sequence[Any], *others: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Every pair of the first two with values of the others in turn, so that each of those meets each of the first and
    each of the second; in full the whole product."""
    if IN_FULL:
        return list(product(first, second, *others))
    pairs = product(enumerate(first), enumerate(second))
    return [(one, two, *(other[(i + j) % len(other)] for other in others)) for (i, one), (j, two) in pairs]


def in_turn(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Each of the first with one of the second in turn; in full the whole product."""
    if IN_FULL:
        return list(product(first, second))
    return [(one, second[number % len(second)]) for number, one in enumerate(first)]


def name_of(value: Any) -> str | None:
    """What names a value in a test's name; None leaves that to pytest."""
    return getattr(value, "name", None)
