"""What was assumed at many points, each thing once."""

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"\d[\d.,]*(?<![.,])")


def assumed_once(sentences: Iterable[str]) -> tuple[str, ...]:
    """The sentences without those that differ from an earlier one in numbers alone, which says how many they are."""
    alike: dict[str, dict[str, None]] = {}
    for sentence in sentences:
        alike.setdefault(_NUMBER.sub("#", sentence), {})[sentence] = None
    return tuple(_with_count(list(group)) for group in alike.values())


def _with_count(group: list[str]) -> str:
    return group[0] if len(group) == 1 else f"{group[0]} (And {len(group) - 1} more like this, with other numbers.)"
