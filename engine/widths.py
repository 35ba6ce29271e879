"""How wide a pass should be: what rows beside the needed ones cost, and what they may carry."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

_WIDEST_EXTRA = 8
"""Rows beside the needed ones that are looked at; engines compute 2, 4, 8 or 16 rows at once."""

ACCEPTANCE = 0.9
"""How often a row of a draft that goes on with a word of the user's is borne out, if the one before it was."""


class Prices(Hashable, Protocol):
    """What a forward pass costs on the device, in milliseconds."""

    def pass_ms(self, rows: float, picks: float, context_tokens: float) -> float: ...


class Widths(Protocol):
    """Decides how many rows a pass gets beside those that it needs."""

    def draft_rows(self, rows: int, context_tokens: int) -> int:
        """Rows that a draft may take beside `rows` needed ones."""
        ...

    def padding(self, rows: int, context_tokens: int) -> int:
        """Rows that make a pass of `rows` cheaper though they carry nothing."""
        ...


@dataclass(frozen=True, slots=True)
class TileWidths:
    """The paper's rule: passes are filled up to whole tiles, the rows that the device computes at once."""

    tile_rows: int

    def draft_rows(self, rows: int, context_tokens: int) -> int:
        return -rows % self.tile_rows

    def padding(self, rows: int, context_tokens: int) -> int:
        """A tile with one row alone stays as it is: it is cheaper than a full one (paper, section 4.2 and Table 2)."""
        missing = -rows % self.tile_rows
        return 0 if missing == self.tile_rows - 1 else missing


@dataclass(frozen=True, slots=True)
class PricedWidths:
    """The cheapest by the device's own prices."""

    prices: Prices

    def draft_rows(self, rows: int, context_tokens: int) -> int:
        """As many as save more passes, as far as drafts are borne out, than they cost."""
        return _best_draft(self.prices, rows, _rounded(context_tokens))

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
def _best_draft(prices: Prices, rows: int, context_tokens: int) -> int:
    serial = prices.pass_ms(1, 1, context_tokens)
    saved = [serial * sum(ACCEPTANCE**row for row in range(1, extra + 1)) for extra in range(_WIDEST_EXTRA)]
    costs = [prices.pass_ms(rows + extra, 1 + extra, context_tokens) for extra in range(_WIDEST_EXTRA)]
    gains = [gain - (cost - costs[0]) for gain, cost in zip(saved, costs, strict=True)]
    return gains.index(max(gains))
