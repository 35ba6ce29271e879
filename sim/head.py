"""A draft head by its numbers alone: how often it is right, how deep it drafts, and what that costs."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from cost_models import AffineCost
from engine.errors import InputError
from engine.picks import PickRule

_NAMES = frozenset({"acceptance", "depth", "ms", "row_ms"})


@dataclass(frozen=True, slots=True)
class Head:
    """Each of `depth` tokens of a draft is right with the rate `acceptance` if the one before it was.

    A drafted token is a pass, which costs `pass_ms`, and `row_ms` for each token that it reads: the first pass reads
    the prompt, the first of each draft what was decided since. For a head that drafts a whole block at once, state its
    block's cost divided by the depth. Raises InputError for numbers that are none of these.
    """

    acceptance: float
    depth: int
    pass_ms: float
    row_ms: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.acceptance <= 1:
            raise InputError(f"acceptance is {self.acceptance}; it has to be from 0 to 1")
        if self.depth < 1:
            raise InputError(f"depth is {self.depth}; it has to be 1 or more")
        if not (0 < self.pass_ms < float("inf") and 0 <= self.row_ms < float("inf")):
            raise InputError(f"ms is {self.pass_ms} and row_ms {self.row_ms}; the first has to be above 0, both finite")

    @property
    def cost(self) -> AffineCost:
        return AffineCost(base_ms=self.pass_ms, row_ms=self.row_ms)


def read_head(text: str) -> Head:
    """The head that `acceptance=0.7,depth=4,ms=12` states, with `row_ms` if wanted; raises InputError."""
    parts = [re.fullmatch(r"\s*(\w+)\s*=\s*(\S+)\s*", part) for part in text.split(",")]
    stated = {part[1]: part[2] for part in parts if part}
    if len(stated) < len(parts) or not {"acceptance", "depth", "ms"} <= set(stated) <= _NAMES:
        raise InputError(f"{text!r} states no head; expected acceptance=0.7,depth=4,ms=12 and, if wanted, row_ms=0.5")
    try:
        numbers = {name: int(value) if name == "depth" else float(value) for name, value in stated.items()}
    except ValueError as error:
        raise InputError(f"{text!r} states no head: {error}") from None
    return Head(numbers["acceptance"], int(numbers["depth"]), numbers["ms"], numbers.get("row_ms", 0.0))


class HeadWriter:
    """Writes the tokens of a call that is known, with wrong ones among them at the head's rate."""

    def __init__(self, head: Head, call: Sequence[int], prompt_tokens: int, vocabulary_size: int, seed: int) -> None:
        self._acceptance = head.acceptance
        self._call = tuple(call)
        self._prompt_tokens = prompt_tokens
        self._size = vocabulary_size
        self._seed = seed

    def next_token(self, tokens: Sequence[int], rule: PickRule) -> int:
        """Decides by the seed and all that was written; behind a wrong token it writes any."""
        written = tuple(tokens[self._prompt_tokens :])
        count = len(written)
        if count >= len(self._call) or written != self._call[:count]:
            return 0
        right = self._call[count]
        return right if self._chance(written) < self._acceptance else (right + 1) % self._size

    def _chance(self, written: Sequence[int]) -> float:
        """From 0 to 1, evenly."""
        text = ",".join(map(str, (self._seed, *written))).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little") / 2**64
