"""How wide a pass should be: what rows beside the needed ones cost, and what they may carry."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import mul
from typing import Protocol

_WIDEST_EXTRA = 8
"""Rows beside the needed ones that are looked at; engines compute 2, 4, 8 or 16 rows at once."""


class Prices(Hashable, Protocol):
    """What a forward pass costs on the device, in milliseconds."""

    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...


class Widths(Protocol):
    """Decides how many rows a pass gets beside those that it needs."""

    def draft_rows(self, rows: int, context_tokens: int, odds: Sequence[float]) -> int:
        """How many tokens of a draft to try beside `rows` needed rows; `odds` says how often each is right.

        That is, if the token before it was.
        """
        ...

    def padding(self, rows: int, context_tokens: int) -> int:
        """Rows that make a pass of `rows` cheaper though they carry nothing."""
        ...


@dataclass(frozen=True, slots=True)
class TileWidths:
    """The paper's rule: passes are filled up to whole tiles, the rows that the device computes at once."""

    tile_rows: int

    def draft_rows(self, rows: int, context_tokens: int, odds: Sequence[float]) -> int:
        return min(len(odds), -rows % self.tile_rows)

    def padding(self, rows: int, context_tokens: int) -> int:
        """A tile with one row alone stays as it is: it is cheaper than a full one (paper, section 4.2 and Table 2)."""
        missing = -rows % self.tile_rows
        return 0 if missing == self.tile_rows - 1 else missing


@dataclass(frozen=True, slots=True)
class PricedWidths:
    """The cheapest by the device's own prices."""

    prices: Prices

    def draft_rows(self, rows: int, context_tokens: int, odds: Sequence[float]) -> int:
        """As many as save more passes than they cost."""
        context = _rounded(context_tokens)
        costs = _draft_costs(self.prices, rows, context)
        saved = accumulate(accumulate(odds[: len(costs) - 1], mul), initial=0.0)
        gains = [_serial_ms(self.prices, context) * passes - cost for passes, cost in zip(saved, costs, strict=False)]
        return gains.index(max(gains))

    def padding(self, rows: int, context_tokens: int) -> int:
        return _best_padding(self.prices, rows, _rounded(context_tokens))


def _rounded(context_tokens: int) -> int:
    """Prices change little within 64 tokens, and answers are kept."""
    return max(1, context_tokens // 64 * 64)


@lru_cache(maxsize=4096)
def _best_padding(prices: Prices, rows: int, context_tokens: int) -> int:
    costs = [prices.pass_ms(rows + extra, 1, context_tokens) for extra in range(_WIDEST_EXTRA)]
    return costs.index(min(costs))


@lru_cache(maxsize=4096)
def _draft_costs(prices: Prices, rows: int, context_tokens: int) -> tuple[float, ...]:
    """Milliseconds of a pass whose draft has 0, 1, 2 ... rows."""
    return tuple(prices.pass_ms(rows + extra, 1 + extra, context_tokens) for extra in range(_WIDEST_EXTRA + 1))


@lru_cache(maxsize=4096)
def _serial_ms(prices: Prices, context_tokens: int) -> float:
    return prices.pass_ms(1, 1, context_tokens)
