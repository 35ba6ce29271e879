"""An answer of `break-even`: sentences, a table, and the same as data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studies.sweep.mean_time import FINAL, TOOL_START
from studies.text_table import Table

IN_WORDS = {TOOL_START: "tool start", FINAL: "final call"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`sentences` say what comes out, `table` shows how; `data` is the same for JSON."""

    sentences: tuple[str, ...]
    table: Table
    data: Mapping[str, Any]
