"""A device's measured pass costs as a cost model."""

from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf, isfinite
from typing import Any, overload

import numpy as np

from cost_models.as_asked import as_asked
from cost_models.errors import CostModelError
from cost_models.json_node import JsonNode
from cost_models.pass_size import check_pass, pass_size
from cost_models.pick_curve import Picks, pick_curve_ms
from cost_models.protocol import BoolArray, FloatArray, NumberArray, Numbers
from cost_models.row_curve import row_curve_ms

FLOOR_MS = 0.001
"""No pass costs less than a microsecond, however far a straight line is carried on."""

_SLOPES = ("remainder_ms", "pick_ms", "context_ms", "row_context_ms", "wide_row_context_ms", "host_ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredTable:
    """Costs by number of rows at a reference context, with slopes for picks and context.

    A pass of n rows, p picks and c context tokens costs

        curve(n) + pick_ms * (p - 1) + (context_ms + row_context_ms * n) * (c - reference_tokens)

    where curve goes through `row_ms` at `row_counts` (`cost_models.row_curve`), so that `row_ms[i]` is the
    cost of a pass of `row_counts[i]` rows with one pick at `reference_tokens`. Where `pick_tile_ms` is given,
    each whole tile of picks costs that instead (`cost_models.pick_curve`). From `wide_rows` rows on
    (None: never) passes have a curve of their own, through the counts from there on, and
    `wide_row_context_ms` in place of `row_context_ms`: llama.cpp's flash attention on CPUs, for one, takes
    64 rows at once and single rows below that (ggml-cpu, GGML_FA_TILE_Q), so that 64 rows cost less than 63.

    Units: `remainder_ms` is ms per row beyond the last whole tile of `tile_rows` rows (1: no saw-tooth),
    `pick_ms` ms per pick, `pick_tile_ms` ms per `tile_rows` picks (None: no saw-tooth over picks),
    `context_ms` ms per context token, `row_context_ms` and `wide_row_context_ms` ms per row and context token,
    `host_ms` ms per pass. `context_range_tokens` (lowest, highest) and `max_picks` say what was measured. Raises
    CostModelError, starting with the field's name, on anything that is no such table.
    """

    row_counts: tuple[int, ...]
    row_ms: tuple[float, ...]
    reference_tokens: int
    context_range_tokens: tuple[int, int]
    max_picks: int
    tile_rows: int = 1
    remainder_ms: float = 0.0
    pick_ms: float = 0.0
    pick_tile_ms: float | None = None
    context_ms: float = 0.0
    row_context_ms: float = 0.0
    wide_rows: int | None = None
    wide_row_context_ms: float = 0.0
    host_ms: float = 0.0

    def __post_init__(self) -> None:
        self._check_counts()
        self._check_times()
        self._check_tile()
        self._check_wide()
        self._check_ranges()
        self._check_slopes()

    @overload
    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...

    @overload
    def pass_ms(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> FloatArray: ...

    def pass_ms(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> float | FloatArray:
        """Milliseconds of the pass; see CostModel."""
        if isinstance(rows, int) and isinstance(picks, int) and isinstance(context_tokens, int):
            return self._one_pass_ms(rows, picks, context_tokens)
        size = pass_size(rows, picks, context_tokens)
        beyond = size.context_tokens - self.reference_tokens
        per_token = self.context_ms + self._row_context_ms(size.rows) * size.rows
        cost = self._curve_ms(size.rows) + self._picks_ms(size.picks) + per_token * beyond
        floored = np.maximum(cost, FLOOR_MS)
        return as_asked(floored)

    @overload
    def covers(self, rows: float, picks: float, context_tokens: float) -> bool: ...

    @overload
    def covers(self, rows: NumberArray, picks: Numbers, context_tokens: Numbers) -> BoolArray: ...

    def covers(self, rows: Numbers, picks: Numbers, context_tokens: Numbers) -> bool | BoolArray:
        """False where rows, picks or context lie outside what was measured."""
        size = pass_size(rows, picks, context_tokens)
        lowest, highest = self.context_range_tokens
        within = (size.context_tokens >= lowest) & (size.context_tokens <= highest)
        covered = within & (size.rows <= self.row_counts[-1]) & (size.picks <= self.max_picks)
        return as_asked(covered)

    def to_json(self) -> dict[str, Any]:
        """The table as plain JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: JsonNode) -> "MeasuredTable":
        """The inverse of `to_json`; raises CostModelError naming file, path, value and what is valid."""
        at = data.fields(*cls.__dataclass_fields__, optional=("pick_tile_ms",))
        return data.built(
            cls,
            row_counts=at["row_counts"].wholes(),
            row_ms=at["row_ms"].numbers(),
            reference_tokens=at["reference_tokens"].whole(),
            context_range_tokens=_range(at["context_range_tokens"]),
            max_picks=at["max_picks"].whole(),
            tile_rows=at["tile_rows"].whole(),
            pick_tile_ms=None if at["pick_tile_ms"].value is None else at["pick_tile_ms"].number(),
            wide_rows=None if at["wide_rows"].value is None else at["wide_rows"].whole(),
            **{name: at[name].number() for name in _SLOPES},
        )

    def _one_pass_ms(self, rows: int, picks: int, context_tokens: int) -> float:
        """As for arrays, to the last bit, without their overhead: a simulated clock asks pass by pass."""
        check_pass(rows, picks, context_tokens)
        is_wide = self.wide_rows is not None and rows >= self.wide_rows
        slope = self.wide_row_context_ms if is_wide else self.row_context_ms
        per_token = self.context_ms + slope * rows
        beyond = context_tokens - self.reference_tokens
        return max(_curve_at(self, rows) + self._picks_ms(float(picks)) + per_token * beyond, FLOOR_MS)

    def _picks_ms(self, picks: Picks) -> Picks:
        return pick_curve_ms(picks, self.tile_rows, self.pick_ms, self.pick_tile_ms)

    def _curve_ms(self, rows: FloatArray) -> FloatArray:
        if self.wide_rows is None:
            return self._part_ms(rows, slice(None))
        first = self.row_counts.index(self.wide_rows)
        narrow = rows < self.wide_rows
        if narrow.all():
            return self._part_ms(rows, slice(first))
        wide = self._part_ms(rows, slice(first, None))
        return np.where(narrow, self._part_ms(rows, slice(first)), wide) if narrow.any() else wide

    def _part_ms(self, rows: FloatArray, part: slice) -> FloatArray:
        return row_curve_ms(rows, self.row_counts[part], self.row_ms[part], self.tile_rows, self.remainder_ms)

    def _row_context_ms(self, rows: FloatArray) -> FloatArray:
        wide_from = np.inf if self.wide_rows is None else self.wide_rows
        return np.where(rows < wide_from, self.row_context_ms, self.wide_row_context_ms)

    def _check_counts(self) -> None:
        if len(self.row_counts) < 2 or self.row_counts[0] != 1:
            raise CostModelError(f"row_counts: found {self.row_counts}, expected two or more, the first 1")
        for i, (before, here) in enumerate(pairwise(self.row_counts), start=1):
            if here <= before:
                raise CostModelError(f"row_counts[{i}]: found {here}, expected more than {before}")

    def _check_tile(self) -> None:
        narrow = [count for count in self.row_counts[1:] if count < (self.wide_rows or inf)]
        if self.tile_rows < 1 or not any(count % self.tile_rows == 0 for count in narrow):
            expected = "1 or a divisor of a row count above 1 and below wide_rows"
            raise CostModelError(f"tile_rows: found {self.tile_rows}, expected {expected}")
        if self.pick_tile_ms is not None and self.tile_rows == 1:
            raise CostModelError(f"pick_tile_ms: found {self.pick_tile_ms}, expected null where tile_rows is 1")

    def _check_wide(self) -> None:
        if self.wide_rows is None:
            return
        tiles = [count for count in self.row_counts if count >= self.wide_rows and count % self.tile_rows == 0]
        if self.wide_rows not in self.row_counts or self.wide_rows not in tiles or len(tiles) < 2:
            expected = "null or a row count of whole tiles with another one above it"
            raise CostModelError(f"wide_rows: found {self.wide_rows}, expected {expected}")

    def _check_times(self) -> None:
        if len(self.row_ms) != len(self.row_counts):
            raise CostModelError(f"row_ms: found {len(self.row_ms)} times, expected {len(self.row_counts)}")
        for i, value in enumerate(self.row_ms):
            if not isfinite(value) or value < FLOOR_MS:
                raise CostModelError(f"row_ms[{i}]: found {value}, expected a finite number >= {FLOOR_MS}")

    def _check_ranges(self) -> None:
        lowest, highest = self.context_range_tokens
        if not 1 <= lowest <= highest:
            raise CostModelError(f"context_range_tokens: found {[lowest, highest]}, expected 1 <= lowest <= highest")
        for name in ("reference_tokens", "max_picks"):
            if getattr(self, name) < 1:
                raise CostModelError(f"{name}: found {getattr(self, name)}, expected a whole number >= 1")

    def _check_slopes(self) -> None:
        for name in (*_SLOPES, "pick_tile_ms"):
            value = getattr(self, name) or 0.0
            if not isfinite(value) or value < 0:
                raise CostModelError(f"{name}: found {value}, expected a finite number >= 0")


@lru_cache(maxsize=4096)
def _curve_at(table: MeasuredTable, rows: int) -> float:
    return float(table._curve_ms(np.asarray(float(rows))))


def _range(data: JsonNode) -> tuple[int, int]:
    values = data.wholes()
    if len(values) != 2:
        raise data.wrong("two whole numbers, lowest and highest")
    return values[0], values[1]
